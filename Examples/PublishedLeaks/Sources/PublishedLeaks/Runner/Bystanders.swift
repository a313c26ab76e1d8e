/// Keeps the innocent objects of a case alive. No report may name it.
final class Bystanders {
    static let shared = Bystanders()

    private var objects: [AnyObject] = []

    /// Keeps `objects` alive until the process ends.
    func keep(_ objects: [AnyObject]) { self.objects += objects }
}

/// Keeps the innocent objects of a case alive. No report may name it.
final class Bystanders {
    /// The objects of all cases that this process has searched.
    private static var all: [Bystanders] = []

    private var objects: [AnyObject]
    private var replaced = 0

    /// Keeps `objects` alive until the process ends or they are replaced.
    init(keeping objects: [AnyObject]) {
        self.objects = objects
        Self.all.append(self)
    }

    /// Replaces one of the objects with a new one, so that new objects of the class stay alive, but never more.
    func replaceOne(by makeOne: () -> [AnyObject]) {
        guard !objects.isEmpty, let object = makeOne().first else { return }
        objects[replaced % objects.count] = object
        replaced += 1
    }
}

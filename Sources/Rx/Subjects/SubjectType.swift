/// Something that is both an observer and a sequence.
public protocol SubjectType<Element>: ObservableType {
    /// What can be sent to it.
    associatedtype Observer: ObserverType

    /// The side that receives.
    func asObserver() -> Observer
}

/// Something that is both an observer and a sequence.
public protocol SubjectType<Element>: ObservableType {
    /// The observer through which it is sent to.
    associatedtype Observer: ObserverType

    /// The side that receives.
    func asObserver() -> Observer
}

extension ObservableBase {
    /// Counts a subject, where `init` has counted an observable.
    @_alwaysEmitIntoClient @inline(__always)
    final func countAsSubject() {
        #if TRACE_RESOURCES
            resourceType = Resources.type(of: ObjectIdentifier(self), .subject, named: nil)
            tag = Resources.retyped(tag, resourceType)
        #endif
    }
}

#if os(Linux)
/// What the fields of our own classes hold where their types do not show it.
enum KernelFields {
    /// In these, every word of a field that cannot be copied is a counted reference if it refers to an object, but for those below: what
    /// such fields guard are disposables, closures and arrays.
    static let modules: Set<String> = ["Rx", "RxTest", "RxBlocking", "RxFoundation"]

    /// `nil` where there is nothing to add to the field's type.
    static func parts(of field: String, in type: Metadata, _ descriptor: TypeDescriptor, _ layouts: ValueLayouts) -> [ValueLayout.Part]? {
        guard descriptor.module == "Rx" else { return nil }
        switch (descriptor.name, field) {
        // The address of what `owned` keeps.
        case ("SubjectObservers", "current"): return []
        // The subscriber's address, with a reference; 0 once somebody has taken it.
        case ("Subscription", "subscriber"): return [.init(offset: 0, kind: .strong, label: -1)]
        case ("StatefulJoint", "state"): return layouts.parts(of: type.genericArgument(0))
        default: return nil
        }
    }
}
#endif

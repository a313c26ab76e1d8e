#if os(Linux)
    /// What the fields of our own classes hold where their types do not show it.
    enum KernelFields {
        /// In these, every word of what a `Guarded` guards is a counted reference if it refers to an object:
        /// disposables, closures, arrays.
        static let modules: Set<String> = ["Rx", "RxTest", "RxBlocking", "RxFoundation"]

        /// How many bytes of a field that cannot be copied may hold references.
        ///
        /// Those of up to 16 bytes are atomics and locks. A `Guarded` has at least 24, and ends in a byte of its own,
        /// behind which lies what was there before: read as a word, it looked like a reference in one run of ten.
        static func owned(_ room: Int) -> Int { room < 24 ? 0 : room - 8 }

        /// `nil` where there is nothing to add to the field's type.
        static func parts(
            of field: String, in type: Metadata, _ descriptor: TypeDescriptor, _ layouts: ValueLayouts
        ) -> [ValueLayout.Part]? {
            guard descriptor.module == "Rx" else { return nil }
            switch (descriptor.name, field) {
            // The address of what `owned` keeps.
            case ("SubjectObservers", "current"): return []
            // The subscriber's address, with a reference; 0 once somebody has taken it.
            case ("Subscription", "subscriber"): return [.init(offset: 0, kind: .strong, label: -1)]
            case ("FusibleObservable", "fused"): return [.init(offset: 0, kind: .strong, label: -1)]
            case ("StatefulCoordinator", "state"): return layouts.parts(of: type.genericArgument(0))
            default: return nil
            }
        }
    }
#endif

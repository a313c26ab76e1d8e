#if os(Linux)
    /// Computes from a type's metadata where its values hold references.
    struct LayoutBuilder {
        let layouts: ValueLayouts
        typealias Part = ValueLayout.Part

        func parts(of type: Metadata) -> [Part] {
            switch type.kind {
            case .aClass: return [Part(offset: 0, kind: .strong, label: -1)]
            case .aStruct: return structParts(type)
            case .enumeration, .optional: return enumerationParts(type)
            case .tuple: return tupleParts(type)
            case .function:
                return type.isTrivial
                    ? [] : [Part(offset: 0, kind: type.size == 16 ? .function : .unknown(type.size), label: -1)]
            case .existential: return existentialParts(type)
            case .extendedExistential: return extendedExistentialParts(type)
            case .fixedArray: return fixedArrayParts(type)
            // A continuation refers to its task without a count.
            case .opaque where type.isTrivial:
                return type.name.hasSuffix("RawUnsafeContinuation")
                    ? [Part(offset: 0, kind: .continuation, label: -1)] : []
            // The counted builtin types: native, bridged and unknown objects.
            case .opaque where type.size == 8: return [Part(offset: 0, kind: .strong, label: -1)]
            default: return type.isTrivial ? [] : unknown(type)
            }
        }

        private func unknown(_ type: Metadata) -> [Part] { [Part(offset: 0, kind: .unknown(type.size), label: -1)] }

        // MARK: Structs

        private static let pointers: Set<String> = [
            "Swift.UnsafePointer", "Swift.UnsafeMutablePointer", "Swift.UnsafeRawPointer",
            "Swift.UnsafeMutableRawPointer", "Swift.OpaquePointer",
        ]

        /// Whether the type is a pointer to a lock or a condition of the system. Such memory contains no references to
        /// objects, but may still contain words of earlier objects.
        private func isOfThreads(_ type: Metadata, _ name: String) -> Bool {
            guard name == "Swift.UnsafeMutablePointer" || name == "Swift.UnsafePointer" else { return false }
            return type.genericArgument(0).descriptorName.hasPrefix("__C.pthread_")
        }

        private func structParts(_ type: Metadata) -> [Part] {
            let name = type.descriptorName
            if Self.pointers.contains(name) {
                return isOfThreads(type, name) ? [] : [Part(offset: 0, kind: .pointer, label: -1)]
            }
            switch name {
            case "Swift.Unmanaged": return []
            case "Swift.String": return [Part(offset: 8, kind: .string, label: -1)]
            // The storage of a mutex's value, and of a reference that is stored once. The compiler gives these types no
            // fields.
            case "Synchronization._Cell": return parts(of: type.genericArgument(0))
            case "Synchronization.Atomic": return []
            case "Synchronization.AtomicLazyReference": return [Part(offset: 0, kind: .strong, label: -1)]
            default: break
            }
            guard let descriptor = type.descriptor else { return type.isTrivial ? [] : unknown(type) }
            if descriptor.fieldCount == 0 { return type.isTrivial ? [] : unknown(type) }
            let collapses = name.hasPrefix("Swift.") || name.hasPrefix("Synchronization.")
            return (0..<descriptor.fieldCount).flatMap { index in
                fieldParts(type, descriptor, index, isNamed: !collapses)
            }
        }

        /// The references in one stored property of a class or struct.
        func fieldParts(_ type: Metadata, _ descriptor: TypeDescriptor, _ index: Int, isNamed: Bool = true) -> [Part] {
            let record = descriptor.field(index)
            guard let name = record.typeName, !name.isUnowned, !name.isUnmanaged else { return [] }
            let offset = type.fieldOffset(index, descriptor)
            let label = isNamed ? record.name : ""
            if name.isWeak { return [Part(offset: offset, kind: .weak, label: layouts.label(label))] }
            if let known = KernelFields.parts(of: record.name, in: type, descriptor, layouts) {
                return layouts.named(known, label, at: offset)
            }
            let room = fieldSize(type, descriptor, index)
            guard let fieldType = name.type(in: descriptor, arguments: type.genericArguments),
                !fieldType.isBlock, !(fieldType.isEmptyTuple && room >= 8)
            else {
                // The compiler writes `()` for the type of a field that cannot be copied: a mutex, an atomic.
                let isOurs = KernelFields.modules.contains(descriptor.module)
                return [
                    Part(
                        offset: offset, kind: isOurs ? .owned(KernelFields.owned(room)) : .unknown(room),
                        label: layouts.label(label))
                ]
            }
            // The parts are copied from the layout of the field's type, which is computed once.
            return layouts.named(layouts.parts(of: fieldType), label, at: offset)
        }

        /// The distance in bytes to the next field, or to the end of the value.
        private func fieldSize(_ type: Metadata, _ descriptor: TypeDescriptor, _ index: Int) -> Int {
            let end =
                index + 1 < descriptor.fieldCount
                ? type.fieldOffset(index + 1, descriptor) : type.kind == .aClass ? type.instanceSize : type.size
            return max(0, end - type.fieldOffset(index, descriptor))
        }

        // MARK: Enumerations, tuples, existentials

        private func enumerationParts(_ type: Metadata) -> [Part] {
            guard let descriptor = type.descriptor, descriptor.payloadCases > 0 else {
                return type.isTrivial ? [] : unknown(type)
            }
            if descriptor.payloadCases == 1, let payload = onlyPayload(type, descriptor) {
                let parts = self.layouts.parts(of: payload)
                // Empty cases are encoded in the word that holds the reference of the other case.
                if let first = parts.first, parts.count == 1, first.offset == 0,
                    [.strong, .function, .existential, .pointer, .continuation].contains(first.kind)
                {
                    return layouts.named(parts, type.kind == .optional ? "" : descriptor.field(0).name)
                }
            }
            if type.isTrivial { return [] }
            guard let layout = layouts.enumeration(of: type) else { return unknown(type) }
            return [Part(offset: 0, kind: .enumeration(layout), label: -1)]
        }

        private func onlyPayload(_ type: Metadata, _ descriptor: TypeDescriptor) -> Metadata? {
            guard descriptor.fieldCount > 0, !descriptor.field(0).isIndirectCase else { return nil }
            return descriptor.field(0).typeName?.type(in: descriptor, arguments: type.genericArguments)
        }

        private func tupleParts(_ type: Metadata) -> [Part] {
            let names = word(type.address + 16)
            let labels =
                names == 0
                ? []
                : String(cString: UnsafePointer<CChar>(bitPattern: names).unsafelyUnwrapped)
                    .split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            return (0..<Int(word(type.address + 8))).flatMap { index in
                let element = type.address + 24 + UInt(index) * 16
                let label = index < labels.count && !labels[index].isEmpty ? labels[index] : "\(index)"
                return layouts.named(layouts.parts(of: Metadata(word(element))), label, at: Int(half(element + 8)))
            }
        }

        private func existentialParts(_ type: Metadata) -> [Part] {
            let flags = half(type.address + 8)
            let holdsClass = flags & 0x8000_0000 == 0
            let isError = flags >> 24 & 0x3f == 1
            return [Part(offset: 0, kind: holdsClass || isError ? .strong : .existential, label: -1)]
        }

        /// The parts of a type such as `any P<Int>`, whose shape states how it stores the value.
        private func extendedExistentialParts(_ type: Metadata) -> [Part] {
            switch half(word(type.address + 8)) & 0xff {
            case 0: [Part(offset: 0, kind: .existential, label: -1)]
            case 1: [Part(offset: 0, kind: .strong, label: -1)]
            default: type.isTrivial ? [] : unknown(type)
            }
        }

        private func fixedArrayParts(_ type: Metadata) -> [Part] {
            let element = Metadata(word(type.address + 16))
            let count = Int(word(type.address + 8))
            let parts = layouts.parts(of: element)
            guard count * parts.count <= 256 else { return unknown(type) }
            return (0..<count).flatMap { layouts.named(parts, "\($0)", at: $0 * element.stride) }
        }
    }

    /// References in fields of this package's classes that the types of the fields do not show.
    enum KernelFields {
        /// The modules in which every word that a `Guarded` protects is a counted reference if it refers to an object:
        /// disposables, closures, arrays.
        static let modules: Set<String> = ["Rx", "RxTest", "RxBlocking", "RxFoundation"]

        /// Returns the number of bytes of a noncopyable field that may contain references.
        ///
        /// Fields of up to 16 bytes are atomics and locks. A `Guarded` has at least 24 bytes. Only one byte of its last
        /// word is used, and the others may be bytes of earlier objects. The word looked like a reference in one run of
        /// ten.
        static func owned(_ room: Int) -> Int { room < 24 ? 0 : room - 8 }

        /// The references in a field; `nil` if the field's type describes them completely.
        static func parts(
            of field: String, in type: Metadata, _ descriptor: TypeDescriptor, _ layouts: ValueLayouts
        ) -> [ValueLayout.Part]? {
            guard descriptor.module == "Rx" else { return nil }
            switch (descriptor.name, field) {
            // The addresses of objects that `owned` keeps.
            case ("SubjectObservers", "epochs"): return []
            // The subject empties the list of observers when the subject is deallocated.
            case ("SubscriptionKey", "observers"): return [.init(offset: 0, kind: .lent, label: -1)]
            // Addresses of objects that are retained.
            case ("Coordinator", "firstInput"), ("Input", "nextInput"), ("RecursionTurn", "recursion"),
                ("TrampolineAction", "next"):
                return [.init(offset: 0, kind: .strong, label: -1)]
            // The address of the retained subscriber; 0 after the subscriber was taken.
            case ("Subscription", "subscriber"): return [.init(offset: 0, kind: .strong, label: -1)]
            // The context of a function, and a state; or a disposable.
            case ("ScheduledItem", "room"): return [.init(offset: 0, kind: .owned(6 * 8), label: -1)]
            case ("FusibleObservable", "fused"): return [.init(offset: 0, kind: .strong, label: -1)]
            case ("StatefulCoordinator", "state"): return layouts.parts(of: type.genericArgument(0))
            default: return nil
            }
        }
    }
#endif

#if os(Linux)
    /// How the memory of an object of one type is read.
    enum ObjectShape {
        /// Stored properties or captures at fixed places, which are those of a layout.
        case fields(Int)
        /// The count at byte 16, elements of a layout from an offset on.
        case array(layout: Int, start: Int)
        /// A hash table; a layout of `nil` holds nothing.
        case dictionary(key: Int?, value: Int?)
        case set(element: Int?)
        /// A subject's observers: a count, then a reference and a number for each.
        case observers
        /// Stored properties, then elements that the type does not describe.
        case buffer(Int, tail: Int)
        /// A box of an error: its type is in the object.
        case error
        /// Nothing is known: every word may be a reference.
        case unknown(start: Int)
    }

    /// The shapes of all objects that were met, each worked out once.
    final class ObjectShapes {
        let layouts = ValueLayouts()
        private var known: [UInt: ObjectShape] = [:]
        private var knownGeneric: [[UInt]: ObjectShape] = [:]
        let types: TypeCheck

        init(types: TypeCheck) { self.types = types }

        private func fields(_ parts: [ValueLayout.Part]) -> ObjectShape {
            .fields(layouts.add(ValueLayout(parts: parts)))
        }

        /// Whether the shape of one object of a type is that of all; once it was asked for.
        func isShared(_ metadata: Metadata) -> Bool { known[metadata.address] != nil }

        /// The shape of an object of a type; `object` is one of them: the captures of generic closures are described in
        /// there.
        func shape(of metadata: Metadata, object: UInt) -> ObjectShape {
            if let shape = known[metadata.address] { return shape }
            let builder = LayoutBuilder(layouts: layouts)
            let shape: ObjectShape
            switch metadata.kind {
            case .aClass: shape = classShape(metadata, builder)
            case .context:
                guard let captures = CaptureLayout(metadata, types) else {
                    shape = .unknown(start: 16)
                    break
                }
                if captures.isGeneric { return genericShape(metadata, captures, object) }
                shape = captures.parts(in: object, layouts).map { fields($0) } ?? .unknown(start: 16)
            case .genericBox:
                let boxed = Metadata(word(metadata.address + 16))
                let offset = Int(half(metadata.address + 8))
                let parts = layouts.parts(of: boxed)
                shape = fields(parts.map { .init(offset: offset + $0.offset, kind: $0.kind, label: $0.label) })
            case .error: shape = .error
            default: shape = .unknown(start: 16)
            }
            known[metadata.address] = shape
            return shape
        }

        /// Kept for each choice of types that lie in the context, or else that the captured object's class has.
        private func genericShape(_ metadata: Metadata, _ captures: CaptureLayout, _ object: UInt) -> ObjectShape {
            let types =
                captures.bindings > 0
                ? (0..<captures.bindings).map { word(object + 16 + 8 * UInt($0)) }
                : captures.genericArguments(in: object)?.types ?? []
            let key = [metadata.address] + types
            if let shape = knownGeneric[key] { return shape }
            let shape = captures.parts(in: object, layouts).map { fields($0) } ?? .unknown(start: 16)
            knownGeneric[key] = shape
            return shape
        }

        // MARK: Classes

        private func classShape(_ metadata: Metadata, _ builder: LayoutBuilder) -> ObjectShape {
            guard let descriptor = metadata.descriptor else { return .unknown(start: 16) }
            if let special = storageShape(metadata, descriptor) { return special }
            var parts: [ValueLayout.Part] = []
            var ancestor: Metadata? = metadata
            var isBuffer = false
            while let type = ancestor {
                guard let descriptor = type.descriptor else { return .unknown(start: 16) }
                if type.name.hasPrefix("ManagedBuffer<"), descriptor.module == "Swift" { isBuffer = true }
                parts += (0..<descriptor.fieldCount).flatMap { builder.fieldParts(type, descriptor, $0) }
                ancestor = type.superclass
            }
            let layout = layouts.add(ValueLayout(parts: parts))
            return isBuffer ? .buffer(layout, tail: metadata.instanceSize) : .fields(layout)
        }

        /// The standard library's storage classes, which allocate their elements behind the instance.
        private func storageShape(_ metadata: Metadata, _ descriptor: TypeDescriptor) -> ObjectShape? {
            switch (descriptor.module, descriptor.name) {
            case ("Swift", "_ContiguousArrayStorage"):
                let element = metadata.genericArgument(0)
                let start = (32 + element.alignmentMask) & ~element.alignmentMask
                return holdsReferences(element).map { .array(layout: $0, start: start) } ?? fields([])
            case ("Swift", "_DictionaryStorage"):
                return .dictionary(
                    key: holdsReferences(metadata.genericArgument(0)),
                    value: holdsReferences(metadata.genericArgument(1)))
            case ("Swift", "_SetStorage"): return .set(element: holdsReferences(metadata.genericArgument(0)))
            case ("Swift", "__EmptyArrayStorage"), ("Swift", "__EmptyDictionarySingleton"),
                ("Swift", "__EmptySetSingleton"):
                return fields([])
            case ("Rx", "ObserverSnapshot"): return .observers
            default: return nil
            }
        }

        private func holdsReferences(_ type: Metadata) -> Int? {
            let layout = layouts.layout(of: type)
            return layouts.layouts[layout].parts.isEmpty ? nil : layout
        }
    }
#endif

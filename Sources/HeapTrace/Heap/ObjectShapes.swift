#if os(Linux)
    import CRxTrace

    /// How the memory of an object of one type is read.
    enum ObjectShape {
        /// Stored properties or captures at fixed places, as a layout describes them.
        case fields(Int)
        /// The count at byte 16, elements of a layout from an offset on.
        case array(layout: Int, start: Int)
        /// A hash table. A layout is `nil` if the keys, values or elements contain no references.
        case dictionary(key: Int?, value: Int?)
        case set(element: Int?)
        /// A subject's observers: the number of used places, two words of counts, then two words for each place.
        case observers
        /// Stored properties, then elements that the type does not describe.
        case buffer(Int, tail: Int)
        /// A box of an error: its type is in the object.
        case error
        /// Nothing is known: every word may be a reference.
        case unknown(start: Int)
    }

    /// The shapes of the objects that were read. Each shape is computed once.
    final class ObjectShapes {
        let layouts = ValueLayouts()
        private var known: [UInt: ObjectShape] = [:]
        private var knownGeneric: [[UInt]: ObjectShape] = [:]
        let types: TypeCheck

        init(types: TypeCheck) { self.types = types }

        private func fields(_ parts: [ValueLayout.Part]) -> ObjectShape {
            .fields(layouts.add(ValueLayout(parts: parts)))
        }

        /// Whether all objects of a type have the same shape. Known after the shape was requested once.
        func isShared(_ metadata: Metadata) -> Bool { known[metadata.address] != nil }

        /// Returns the shape of an object of a type. `object` is the address of the object, which contains the types of
        /// the captures if it is the context of a generic closure.
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

        /// Returns the shape of a generic closure's context. Shapes are stored for each combination of the types in the
        /// context, or of the types that the class of a captured object has.
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
                // Elements without references, such as a system lock, may be in memory that still contains words of
                // earlier objects.
                if type.name.hasPrefix("ManagedBuffer<"), descriptor.module == "Swift" {
                    isBuffer = holdsReferences(type.genericArgument(1)) != nil
                }
                parts += (0..<descriptor.fieldCount).flatMap { builder.fieldParts(type, descriptor, $0) }
                ancestor = type.superclass
            }
            let layout = layouts.add(ValueLayout(parts: parts))
            return isBuffer ? .buffer(layout, tail: metadata.instanceSize) : .fields(layout)
        }

        /// The shape of a storage class of the standard library, which allocates its elements after the instance; `nil`
        /// for other classes.
        private func storageShape(_ metadata: Metadata, _ descriptor: TypeDescriptor) -> ObjectShape? {
            switch metadata.collection {
            case .array:
                let element = metadata.genericArgument(0)
                let start = (32 + element.alignmentMask) & ~element.alignmentMask
                return holdsReferences(element).map { .array(layout: $0, start: start) } ?? fields([])
            case .dictionary:
                return .dictionary(
                    key: holdsReferences(metadata.genericArgument(0)),
                    value: holdsReferences(metadata.genericArgument(1)))
            case .set: return .set(element: holdsReferences(metadata.genericArgument(0)))
            case .string, .data, nil: break
            }
            switch (descriptor.module, descriptor.name) {
            case ("Swift", "__EmptyArrayStorage"), ("Swift", "__EmptyDictionarySingleton"),
                ("Swift", "__EmptySetSingleton"):
                return fields([])
            case ("Rx", "ObserverList"): return .observers
            // It stores the address of a task after the fields that its type describes.
            case ("Swift", "CheckedContinuationCanary"): return .unknown(start: 16)
            default: return nil
            }
        }

        private func holdsReferences(_ type: Metadata) -> Int? {
            let layout = layouts.layout(of: type)
            return layouts.layouts[layout].parts.isEmpty ? nil : layout
        }
    }

    /// Describes types to the C code that reads references.
    extension ObjectShapes {
        /// Calls `body` with a type source that uses these shapes. The source must not be used after `body` returns.
        func withTypeSource(_ body: (UnsafePointer<rxtrace_type_source>) -> Void) {
            // Unmanaged: this object is kept alive until `body` returns.
            var source = rxtrace_type_source(
                context: Unmanaged.passUnretained(self).toOpaque(),
                shape: { ObjectShapes.of($0).read(Metadata($1), object: $2) },
                number: { Int32(ObjectShapes.of($0).layouts.layout(of: Metadata($1))) },
                number_within: { Int32(ObjectShapes.of($0).layouts.layout(of: Metadata($1), within: Int($2))) },
                layout: { ObjectShapes.of($0).layouts.read(Int($1)) })
            withExtendedLifetime(self) { body(&source) }
        }

        private static func of(_ context: UnsafeMutableRawPointer) -> ObjectShapes {
            Unmanaged.fromOpaque(context).takeUnretainedValue()
        }

        private func read(_ metadata: Metadata, object: UInt) -> rxtrace_shape {
            var read = rxtrace_shape()
            switch shape(of: metadata, object: object) {
            case .fields(let layout): (read.kind, read.layout) = (rxtrace_shape_fields, Int32(layout))
            case .array(let layout, let start):
                (read.kind, read.layout, read.start) = (rxtrace_shape_array, Int32(layout), start)
            case .dictionary(let key, let value):
                (read.kind, read.layout, read.values, read.start) = (
                    rxtrace_shape_table, Int32(key ?? -1), Int32(value ?? -1), 64
                )
                (read.key_label, read.value_label) = (Int32(layouts.label("key")), Int32(layouts.label("value")))
            case .set(let element):
                (read.kind, read.layout, read.values, read.start) = (rxtrace_shape_table, Int32(element ?? -1), -1, 56)
                read.key_label = Int32(layouts.label("element"))
            case .observers: read.kind = rxtrace_shape_observers
            case .buffer(let layout, let tail):
                (read.kind, read.layout, read.start) = (rxtrace_shape_buffer, Int32(layout), tail)
            case .error: read.kind = rxtrace_shape_error
            case .unknown(let start): (read.kind, read.start) = (rxtrace_shape_unknown, start)
            }
            read.is_shared = isShared(metadata)
            return read
        }
    }

    extension ValueLayout.Part {
        fileprivate var read: rxtrace_part {
            let (kind, argument) =
                switch self.kind {
                case .strong: (rxtrace_part_strong, 0)
                case .lent: (rxtrace_part_lent, 0)
                case .weak: (rxtrace_part_weak, 0)
                case .string: (rxtrace_part_string, 0)
                case .function: (rxtrace_part_function, 0)
                case .existential: (rxtrace_part_existential, 0)
                case .enumeration(let layout): (rxtrace_part_enumeration, layout)
                case .pointer: (rxtrace_part_pointer, 0)
                case .continuation: (rxtrace_part_continuation, 0)
                case .owned(let size): (rxtrace_part_owned, size & ~7)
                case .unknown(let size): (rxtrace_part_unknown, size)
                }
            return rxtrace_part(kind: kind, argument: Int32(clamping: argument), offset: offset, label: Int32(label))
        }
    }

    extension ValueLayouts {
        /// Returns a layout by its number, in memory that stays in place while this object lives.
        fileprivate func read(_ number: Int) -> rxtrace_layout {
            let layout = layouts[number]
            return rxtrace_layout(
                parts: keep(layout.parts.map(\.read)), cases: keep(layout.cases.map { Int32($0) }),
                part_count: Int32(layout.parts.count), case_count: Int32(layout.cases.count), size: layout.size,
                stride: layout.stride, metadata: layout.metadata?.address ?? 0)
        }
    }
#endif

#if os(Linux)
    import CRxTrace

    /// What the reading of references asks about types.
    extension ObjectShapes {
        /// What `body` is given asks these shapes, and must not be kept.
        func withTypeSource(_ body: (UnsafePointer<rxtrace_type_source>) -> Void) {
            // Unmanaged: this lives until `body` is over.
            var source = rxtrace_type_source(
                context: Unmanaged.passUnretained(self).toOpaque(),
                shape: { ObjectShapes.of($0).read(Metadata($1), object: $2) },
                number: { Int32(ObjectShapes.of($0).layouts.layout(of: Metadata($1))) },
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
        /// What a number stands for, in memory that stays where it is as long as this lives.
        fileprivate func read(_ number: Int) -> rxtrace_layout {
            let layout = layouts[number]
            return rxtrace_layout(
                parts: keep(layout.parts.map(\.read)), cases: keep(layout.cases.map { Int32($0) }),
                part_count: Int32(layout.parts.count),
                case_count: Int32(layout.cases.count), size: layout.size, stride: layout.stride,
                metadata: layout.metadata?.address ?? 0)
        }
    }
#endif

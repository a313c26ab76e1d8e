#if os(Linux)
    /// Where a value of one type holds references.
    struct ValueLayout {
        /// One place within a value.
        struct Part {
            enum Kind: Equatable {
                /// A counted reference to an object, in one word whose spare bits may have other uses.
                case strong
                /// A counted reference to an object that belongs to another object, its owner. The owner empties it
                /// when the owner is deallocated, so the reference keeps nothing alive.
                case lent
                /// A weak reference.
                case weak
                /// A string's object, or its characters.
                case string
                /// A function's address and its context.
                case function
                /// A value of any type in three words or in a box, and its type.
                case existential
                /// An enumeration whose case determines its payload, by the number of the enumeration's layout.
                case enumeration(Int)
                /// A pointer to memory that is not counted.
                case pointer
                /// A pointer to a task, which is not counted.
                case continuation
                /// A number of bytes in which every word that refers to an object is a counted reference.
                case owned(Int)
                /// A number of bytes whose references are not known by type.
                case unknown(Int)
            }

            var offset: Int
            var kind: Kind
            /// The number of the field's name; -1 for the value itself.
            var label: Int
        }

        var parts: [Part] = []
        var size = 0
        var stride = 0
        /// For an enumeration: its type, and the layout of each case with a payload.
        var metadata: Metadata?
        var cases: [Int] = []
    }

    /// The layouts of the types that were read. Each layout is computed once.
    final class ValueLayouts {
        private(set) var layouts: [ValueLayout] = []
        private var known: [UInt: Int] = [:]
        private(set) var labels: [String] = []
        private var knownLabels: [String: Int] = [:]
        private var knownNamings: [Naming: Int] = [:]
        private var captures: [Int: (index: Int, part: String)] = [:]

        private struct Naming: Hashable {
            let layout: Int
            let name: String
        }

        // Unsafe: made in `keep`, deallocated in `deinit`. Stored as addresses, so that a snapshot doesn't look for
        // references in this memory, which may still contain words of earlier blocks.
        private var kept: [UInt] = []

        deinit { for address in kept { UnsafeMutableRawPointer(bitPattern: address)?.deallocate() } }

        /// Copies the elements to memory that stays in place while this object lives; `nil` if there are no elements.
        func keep<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafePointer<Element>? {
            guard !elements.isEmpty else { return nil }
            let memory = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
            _ = memory.initialize(from: elements)
            kept.append(UInt(bitPattern: memory.baseAddress))
            return UnsafePointer(memory.baseAddress)
        }

        func label(_ text: String) -> Int {
            if text.isEmpty { return -1 }
            if let number = knownLabels[text] { return number }
            labels.append(text)
            knownLabels[text] = labels.count - 1
            return labels.count - 1
        }

        func text(_ label: Int) -> String { label < 0 ? "" : labels[label] }

        /// The layout of values of a type: a reference for a class, the fields for a struct.
        func layout(of type: Metadata) -> Int {
            if let number = known[type.address] { return number }
            // A closure may capture a block as well.
            guard !type.isBlock else {
                let word = add(ValueLayout(parts: [.init(offset: 0, kind: .unknown(8), label: -1)], size: 8, stride: 8))
                known[type.address] = word
                return word
            }
            // Recorded before its fields are examined, because a type can contain itself by reference.
            known[type.address] = add(ValueLayout())
            var layout = ValueLayout(size: type.size, stride: type.stride)
            layout.parts = LayoutBuilder(layouts: self).parts(of: type)
            layouts[known[type.address].unsafelyUnwrapped] = layout
            return known[type.address].unsafelyUnwrapped
        }

        /// The layout of values of a type in the property with a label.
        func layout(of type: Metadata, within label: Int) -> Int {
            let number = layout(of: type)
            let key = Naming(layout: number, name: text(label))
            if let known = knownNamings[key] { return known }
            var layout = layouts[number]
            layout.parts = named(layout.parts, key.name)
            knownNamings[key] = add(layout)
            return layouts.count - 1
        }

        /// The number of the label of a capture's part.
        func label(ofCapture index: Int, _ part: ValueLayout.Part) -> Int {
            let inner = text(part.label)
            let number = label("capture \(index)" + (inner.isEmpty ? "" : ".\(inner)"))
            captures[number] = (index, inner)
            return number
        }

        /// The index of the capture that a label belongs to, and the property of its value; `nil` for other labels.
        func capture(_ label: Int) -> (index: Int, part: String)? { captures[label] }

        /// Where values of a type hold references.
        func parts(of type: Metadata) -> [ValueLayout.Part] {
            // In two steps: making the layout changes the list.
            let number = layout(of: type)
            return layouts[number].parts
        }

        // MARK: Names

        /// The parts of a field's value, or of a case's: `screen` within `slot` is `slot.screen`.
        func named(_ parts: [ValueLayout.Part], _ name: String, at offset: Int = 0) -> [ValueLayout.Part] {
            parts.map { part in
                let inner = text(part.label)
                var kind = part.kind
                if case .enumeration(let layout) = kind { kind = .enumeration(named(layout, name)) }
                let label = name.isEmpty ? inner : inner.isEmpty ? name : name + "." + inner
                return .init(offset: offset + part.offset, kind: kind, label: self.label(label))
            }
        }

        /// The layout of an enumeration in a field with this name. The labels of its cases begin with the name.
        private func named(_ enumeration: Int, _ name: String) -> Int {
            if name.isEmpty { return enumeration }
            let key = Naming(layout: enumeration, name: name)
            if let number = knownNamings[key] { return number }
            var layout = layouts[enumeration]
            layout.cases = layout.cases.map { number in
                var payload = layouts[number]
                payload.parts = named(payload.parts, name)
                return add(payload)
            }
            knownNamings[key] = add(layout)
            return layouts.count - 1
        }

        func add(_ layout: ValueLayout) -> Int {
            layouts.append(layout)
            return layouts.count - 1
        }

        /// The layout of an enumeration whose case must be read by its value witnesses; `nil` if a payload's type is
        /// not known.
        func enumeration(of type: Metadata) -> Int? {
            // Metadata is aligned, so this key belongs to no metadata.
            if let number = known[type.address | 1] { return number }
            guard let descriptor = type.descriptor, descriptor.fieldCount >= descriptor.payloadCases else { return nil }
            var layout = ValueLayout(size: type.size, stride: type.stride, metadata: type)
            for index in 0..<descriptor.payloadCases {
                let record = descriptor.field(index)
                let name = type.kind == .optional ? "" : record.name
                if record.isIndirectCase {
                    let box = ValueLayout.Part(offset: 0, kind: .strong, label: label(name))
                    layout.cases.append(add(ValueLayout(parts: [box], size: 8, stride: 8)))
                } else if let payload = record.typeName?.type(in: descriptor, arguments: type.genericArguments) {
                    var carried = layouts[self.layout(of: payload)]
                    carried.parts = named(carried.parts, name)
                    layout.cases.append(add(carried))
                } else {
                    return nil
                }
            }
            known[type.address | 1] = add(layout)
            return known[type.address | 1]
        }
    }
#endif

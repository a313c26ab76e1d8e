#if os(Linux)
    /// The captures of a closure, as the compiler describes them for reflection.
    ///
    /// A generic closure refers to its generic parameters. Their types are at the beginning of each context, or are
    /// generic arguments of a captured object; the description states which. The runtime ends the process if a type is
    /// requested without them. Therefore a type is requested only if all of them are known. Functions, classes and
    /// boxes are recognised by their mangled names, because they have the same size for all types.
    struct CaptureLayout {
        private let types: TypeCheck
        private let description: UInt
        private let start: Int
        /// The number of types and conformances at the beginning of a context.
        let bindings: Int
        /// Whether captures depend on generic parameters.
        var isGeneric: Bool { bindings > 0 || sourceCount > 0 }

        /// `nil` if the compiler has not described the captures.
        init?(_ metadata: Metadata, _ types: TypeCheck) {
            self.types = types
            description = word(metadata.address + 16)
            guard description != 0, types.isInImage(description) else { return nil }
            bindings = Int(half(description + 8))
            guard bindings < 32, half(description) < 256, half(description + 4) < 32 else { return nil }
            start = bindings > 0 ? 16 + 8 * bindings : max(Int(half(metadata.address + 8)), 16)
        }

        /// The number of captures.
        var count: Int { Int(half(description)) }
        private var sourceCount: Int { Int(half(description + 4)) }

        private func name(_ index: Int) -> TypeReference {
            TypeReference(address: relative(description + 12 + UInt(index) * 4))
        }

        /// The references in the captures of a context; `nil` if the type of one capture is not known, because the
        /// offsets of the captures after it are then unknown.
        func parts(in object: UInt, _ layouts: ValueLayouts) -> [ValueLayout.Part]? {
            var offset = start
            var parts: [ValueLayout.Part] = []
            let arguments = isGeneric ? genericArguments(in: object) : nil
            for index in 0..<count {
                guard let capture = capture(name(index), arguments, layouts) else { return nil }
                offset = (offset + capture.alignmentMask) & ~capture.alignmentMask
                for part in capture.parts {
                    let label = layouts.label(ofCapture: index, part)
                    parts.append(.init(offset: offset + part.offset, kind: part.kind, label: label))
                }
                offset += capture.size
            }
            return parts
        }

        private struct Capture {
            var size: Int
            var alignmentMask: Int
            var parts: [ValueLayout.Part]

            static func word(_ kind: ValueLayout.Part.Kind?) -> Capture {
                Capture(size: 8, alignmentMask: 7, parts: kind.map { [.init(offset: 0, kind: $0, label: -1)] } ?? [])
            }
            static let function = Capture(
                size: 16, alignmentMask: 7, parts: [.init(offset: 0, kind: .function, label: -1)])
        }

        private func capture(_ name: TypeReference, _ arguments: GenericArguments?, _ layouts: ValueLayouts) -> Capture?
        {
            if name.isWeak || name.isUnowned || name.isUnmanaged { return .word(nil) }
            if name.isBox { return .word(.strong) }
            if name.isFunction { return .function }
            if let type = type(name, arguments) {
                return Capture(size: type.size, alignmentMask: type.alignmentMask, parts: layouts.parts(of: type))
            }
            // `CG` of a generic class cannot be distinguished from `VG` if a reference replaces both.
            return isGeneric && (name.ends(with: "C") || name.ends(with: "CSg")) ? .word(.strong) : nil
        }

        private func type(_ name: TypeReference, _ arguments: GenericArguments?) -> Metadata? {
            if !isGeneric { return name.type(in: nil, arguments: 0) }
            guard let arguments else { return nil }
            return name.genericParameter.map { arguments[$0] } ?? name.type(arguments: arguments)
        }

        // MARK: Generic parameters

        /// The types of the generic parameters in one context; `nil` unless all are known.
        func genericArguments(in object: UInt) -> GenericArguments? {
            var arguments: [GenericParameter: UInt] = [:]
            for index in 0..<sourceCount {
                let record = description + 12 + UInt(count) * 4 + UInt(index) * 8
                guard let parameter = TypeReference(address: relative(record)).genericParameter,
                    let type = source(TypeReference(address: relative(record + 4)).text, in: object)
                else { return nil }
                arguments[parameter] = type
            }
            return GenericArguments(arguments)
        }

        /// The address of a type, from the description of its source (MetadataSource.h): `B2` is the third word at the
        /// beginning, and `G1R0_` is the second argument of the first capture's type.
        private func source(_ text: String, in object: UInt) -> UInt? {
            if text.hasPrefix("B"), let number = Int(text.dropFirst()), number < bindings {
                let type = word(object + 16 + 8 * UInt(number))
                return types.isType(type) ? type : nil
            }
            guard text.hasPrefix("G"), text.hasSuffix("R0_"), let number = Int(text.dropFirst().dropLast(3)) else {
                return nil
            }
            return genericArgument(number, ofObjectAt: word(object + UInt(start)))
        }

        /// The generic argument of a captured object's class, if exactly one of the class and its superclasses is
        /// generic. The captured type may be a superclass, so the class with this argument would otherwise be unknown.
        private func genericArgument(_ number: Int, ofObjectAt address: UInt) -> UInt? {
            guard types.isReadable(address, 16), types.isObjectType(word(address)) else { return nil }
            var generic: [Metadata] = []
            var type: Metadata? = Metadata(word(address))
            while let current = type, current.kind == .aClass {
                if current.descriptor?.isGeneric == true { generic.append(current) }
                type = current.superclass
            }
            return generic.count == 1 ? generic[0].genericArgument(number).address : nil
        }
    }
#endif

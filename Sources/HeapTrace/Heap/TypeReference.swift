#if os(Linux)
    import CRxTrace

    /// The mangled name of a type, as the compiler writes it into a program. It can contain references to other types.
    struct TypeReference {
        let address: UInt
        let length: Int

        init(address: UInt) {
            self.address = address
            // A reference is a byte below 0x20 and 4 or 8 bytes that may be zero.
            var position = address
            while byte(position) != 0 { position += byte(position) <= 0x17 ? 5 : byte(position) <= 0x1f ? 9 : 1 }
            length = Int(position - address)
        }

        /// Whether the name ends with these characters, and not with a reference.
        func ends(with suffix: StaticString) -> Bool {
            guard suffix.utf8CodeUnitCount <= length else { return false }
            let start = address + UInt(length - suffix.utf8CodeUnitCount)
            return (0..<suffix.utf8CodeUnitCount).allSatisfy { byte(start + UInt($0)) == suffix.utf8Start[$0] }
        }

        var isWeak: Bool { ends(with: "Xw") }
        var isUnowned: Bool { ends(with: "Xo") }
        var isUnmanaged: Bool { ends(with: "Xu") }
        /// Whether it is the box of a variable that a closure shares with other code.
        var isBox: Bool { ends(with: "Xx") || ends(with: "XX") || ends(with: "Xb") }

        /// Returns the type, with the generic parameters of `descriptor` at `arguments`; `nil` if the runtime does not
        /// know it.
        func type(in descriptor: TypeDescriptor?, arguments: UInt) -> Metadata? {
            let isReference = isWeak || isUnowned || isUnmanaged
            let name = UnsafePointer<CChar>(bitPattern: address).unsafelyUnwrapped
            let found = rxtrace_type_by_mangled_name(
                name, isReference ? length - 2 : length, UnsafeRawPointer(bitPattern: descriptor?.address ?? 0),
                UnsafeRawPointer(bitPattern: arguments))
            return found.map { Metadata(UInt(bitPattern: $0)) }
        }

        /// Returns the type, with the given types for its generic parameters.
        func type(arguments: GenericArguments) -> Metadata? {
            let found = arguments.environment.withUnsafeBytes { environment in
                arguments.types.withUnsafeBufferPointer { types in
                    rxtrace_type_by_mangled_name_in_environment(
                        UnsafePointer<CChar>(bitPattern: address).unsafelyUnwrapped, length,
                        environment.baseAddress.unsafelyUnwrapped, UnsafeRawPointer(types.baseAddress))
                }
            }
            return found.map { Metadata(UInt(bitPattern: $0)) }
        }

        /// The characters of the name, without references.
        var text: String {
            var text = ""
            var position = address
            while position < address + UInt(length) {
                let character = byte(position)
                if character > 0x1f { text.unicodeScalars.append(UnicodeScalar(character)) }
                position += character <= 0x17 ? 5 : character <= 0x1f ? 9 : 1
            }
            return text
        }

        /// The generic parameter; `nil` if the name is not a generic parameter.
        var genericParameter: GenericParameter? {
            let text = text
            return text.utf8.count == length ? GenericParameter(mangled: text) : nil
        }

        /// Whether it is a function that a closure stores in two words. The mangled name has `I`, then `e` for an
        /// escaping function, then further letters up to `_`.
        var isFunction: Bool {
            if ends(with: "c") || ends(with: "cSg") { return true }
            guard ends(with: "_") else { return false }
            let text = text
            guard let start = text.lastIndex(of: "I") else { return false }
            let signature = text[text.index(after: start)...].dropLast()
            return signature.hasPrefix("e")
                && signature.allSatisfy {
                    $0.isLetter && $0.isLowercase || $0 == "A" || $0 == "H" || $0 == "T" || $0 == "Y"
                }
        }
    }

    /// One of the type parameters around a piece of generic code.
    struct GenericParameter: Hashable {
        /// The number of generic contexts that enclose the parameter's own context.
        let depth: Int
        let index: Int

        /// - Parameter text: the mangled name (Mangling.rst): `x`, `q_`, `q0_` … in the outermost context, then `qd__`,
        ///   `qd_0_` …, `qd0__` ….
        init?(mangled text: String) {
            if text == "x" {
                (depth, index) = (0, 0)
                return
            }
            guard text.first == "q" else { return nil }
            var rest = text.dropFirst()
            if rest.first == "d" {
                rest = rest.dropFirst()
                guard let depth = Self.number(&rest), let index = Self.number(&rest), rest.isEmpty else { return nil }
                (self.depth, self.index) = (depth + 1, index)
            } else {
                guard let index = Self.number(&rest), rest.isEmpty else { return nil }
                (depth, self.index) = (0, index + 1)
            }
        }

        /// `_` is 0, `0_` is 1 and so on.
        private static func number(_ rest: inout Substring) -> Int? {
            guard let end = rest.firstIndex(of: "_") else { return nil }
            defer { rest = rest[rest.index(after: end)...] }
            return end == rest.startIndex ? 0 : Int(rest[..<end]).map { $0 + 1 }
        }
    }

    /// The types of the generic parameters of a piece of generic code.
    struct GenericArguments {
        private let byParameter: [GenericParameter: UInt]
        /// The types in the order of the depths and indices of their parameters.
        let types: [UInt]
        /// The generic environment in the compiler's form (GenericContext.h in the Swift repository): the number of
        /// depths, the number of parameters up to the end of each depth, and for each parameter a byte that states that
        /// it is a type and has an argument.
        let environment: [UInt8]

        /// `nil` if an argument in the middle is missing, or if there are no arguments.
        init?(_ arguments: [GenericParameter: UInt]) {
            guard let deepest = arguments.keys.map(\.depth).max(), deepest < 16, arguments.count < 64 else {
                return nil
            }
            var types: [UInt] = []
            var environment = [UInt8(deepest + 1), 0, 0, 0]
            for depth in 0...deepest {
                let count = arguments.keys.count { $0.depth == depth }
                for index in 0..<count {
                    guard let type = arguments.first(where: { $0.key.depth == depth && $0.key.index == index })?.value
                    else { return nil }
                    types.append(type)
                }
                environment += [UInt8(types.count), 0]
            }
            self.types = types
            self.environment = environment + [UInt8](repeating: 0x80, count: types.count)
            byParameter = arguments
        }

        subscript(parameter: GenericParameter) -> Metadata? { byParameter[parameter].map { Metadata($0) } }
    }

    /// Distinguishes words that refer to types from all others, before anything is read through them.
    struct TypeCheck {
        // Unsafe: valid while the heap is open. The caller keeps it open.
        let heap: OpaquePointer

        /// Whether this number of bytes can be read.
        func isReadable(_ address: UInt, _ bytes: Int) -> Bool { rxtrace_heap_is_readable(heap, address, bytes) }

        /// Whether an address is in the program or in a library.
        func isInImage(_ address: UInt) -> Bool { rxtrace_heap_segment_at(heap, address) != nil }

        /// Whether the metadata of a type that objects have is at an address.
        func isObjectType(_ address: UInt) -> Bool { rxtrace_heap_is_object_type(heap, address) }

        /// Whether the metadata of a type that values have is at an address.
        func isType(_ address: UInt) -> Bool { rxtrace_heap_is_type(heap, address) }
    }
#endif

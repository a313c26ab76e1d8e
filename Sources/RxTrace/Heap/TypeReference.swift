#if os(Linux)
    import CRxTrace

    /// A type as the compiler writes it into a program, with references to other types in between.
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

        /// The characters at the end; nothing there can be a reference.
        func ends(with suffix: StaticString) -> Bool {
            guard suffix.utf8CodeUnitCount <= length else { return false }
            let start = address + UInt(length - suffix.utf8CodeUnitCount)
            return (0..<suffix.utf8CodeUnitCount).allSatisfy { byte(start + UInt($0)) == suffix.utf8Start[$0] }
        }

        var isWeak: Bool { ends(with: "Xw") }
        var isUnowned: Bool { ends(with: "Xo") }
        var isUnmanaged: Bool { ends(with: "Xu") }
        /// A variable that a closure shares with others.
        var isBox: Bool { ends(with: "Xx") || ends(with: "XX") || ends(with: "Xb") }

        /// The type, whose generic parameters are those of `descriptor` and stand at `arguments`; `nil` if the runtime
        /// does not know it.
        func type(in descriptor: TypeDescriptor?, arguments: UInt) -> Metadata? {
            let isReference = isWeak || isUnowned || isUnmanaged
            let name = UnsafePointer<CChar>(bitPattern: address).unsafelyUnwrapped
            let found = rxtrace_type_by_mangled_name(
                name, isReference ? length - 2 : length, UnsafeRawPointer(bitPattern: descriptor?.address ?? 0),
                UnsafeRawPointer(bitPattern: arguments))
            return found.map { Metadata(UInt(bitPattern: $0)) }
        }

        /// The type, whose generic parameters stand for the given types.
        func type(arguments: GenericArguments) -> Metadata? {
            let found = arguments.environment.withUnsafeBytes { environment in
                arguments.types.withUnsafeBufferPointer { types in
                    rxtrace_type_by_mangled_name_in_environment(
                        UnsafePointer<CChar>(bitPattern: address).unsafelyUnwrapped, length,
                        environment.baseAddress.unsafelyUnwrapped,
                        UnsafeRawPointer(types.baseAddress))
                }
            }
            return found.map { Metadata(UInt(bitPattern: $0)) }
        }

        /// The characters, with references left out.
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

        /// The generic parameter that this is, if it is one.
        var genericParameter: GenericParameter? {
            let text = text
            return text.utf8.count == length ? GenericParameter(mangled: text) : nil
        }

        /// Whether it is a function as a closure keeps it, in two words: `I`, then `e` for one that may outlive its
        /// maker, and so on up to `_`.
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
#endif

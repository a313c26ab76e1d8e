#if os(Linux)
    /// What the compiler has noted about a class, struct or enumeration, for all its generic arguments.
    struct TypeDescriptor: Hashable {
        let address: UInt

        private var flags: UInt32 { half(address) }
        var isClass: Bool { flags & 0x1f == 16 }
        var isGeneric: Bool { flags & 0x80 != 0 }
        private var hasResilientSuperclass: Bool { flags & (1 << 29) != 0 }

        var name: String { String(cString: UnsafePointer<CChar>(bitPattern: relative(address + 8)).unsafelyUnwrapped) }

        /// The enclosing context's descriptor; the lowest bit of the pointer says that another pointer lies between.
        private var parent: UInt {
            let pointer = relative(address + 4)
            return pointer & 1 == 0 ? pointer : word(pointer & ~1)
        }

        var module: String {
            var context = self
            while context.flags & 0x1f != 0, context.parent != 0 { context = TypeDescriptor(address: context.parent) }
            return context.flags & 0x1f == 0 ? context.name : ""
        }

        var qualifiedName: String { module + "." + name }

        // MARK: Fields

        /// The description of the fields; 0 in a program that was built without reflection metadata.
        var fields: UInt { relative(address + 16) }
        /// Cases of an enumeration that carry something.
        var payloadCases: Int { Int(half(address + 20) & 0xff_ffff) }
        var emptyCases: Int { Int(half(address + 24)) }

        var fieldCount: Int { fields == 0 ? 0 : Int(half(fields + 12)) }

        func field(_ index: Int) -> FieldRecord {
            FieldRecord(address: fields + 16 + UInt(index) * UInt(half(fields + 8) >> 16))
        }

        /// How far the vector of field offsets lies behind the metadata's address, in bytes.
        var fieldOffsetVector: Int {
            if !isClass { return Int(half(address + 24)) * 8 }
            let words = Int(half(address + 40)) * 8
            return hasResilientSuperclass ? resilientMembersOffset + words : words
        }

        /// How far a class's own generic arguments and methods lie behind the metadata's address, in bytes.
        var immediateMembersOffset: Int {
            if hasResilientSuperclass { return resilientMembersOffset }
            return (Int(half(address + 28)) - Int(half(address + 32))) * 8
        }

        /// Noted at run time for a class whose superclass comes from a library with a stable binary interface.
        private var resilientMembersOffset: Int { Int(bitPattern: word(relative(address + 24))) }
    }

    /// One field or case.
    struct FieldRecord {
        let address: UInt

        var isIndirectCase: Bool { half(address) & 1 != 0 }
        /// As it is written: that of a lazy property without what the compiler puts before it.
        var name: String {
            let pointer = relative(address + 8)
            let name = pointer == 0 ? "" : String(cString: UnsafePointer<CChar>(bitPattern: pointer).unsafelyUnwrapped)
            return name.hasPrefix("$__lazy_storage_$_") ? String(name.dropFirst("$__lazy_storage_$_".count)) : name
        }
        /// `nil` for a case without payload.
        var typeName: TypeReference? {
            relative(address + 4) == 0 ? nil : TypeReference(address: relative(address + 4))
        }
    }
#endif

#if os(Linux)
    /// A word of memory that is known to be readable.
    @inline(__always)
    func word(_ address: UInt) -> UInt { UnsafePointer<UInt>(bitPattern: address).unsafelyUnwrapped.pointee }

    @inline(__always)
    func half(_ address: UInt) -> UInt32 { UnsafePointer<UInt32>(bitPattern: address).unsafelyUnwrapped.pointee }

    @inline(__always)
    func byte(_ address: UInt) -> UInt8 { UnsafePointer<UInt8>(bitPattern: address).unsafelyUnwrapped.pointee }

    /// The target of the compiler's relative pointer at an address; 0 if there is no target.
    @inline(__always)
    func relative(_ address: UInt) -> UInt {
        let offset = Int32(bitPattern: half(address))
        return offset == 0 ? 0 : UInt(bitPattern: Int(bitPattern: address) + Int(offset))
    }

    /// The metadata of a type of the running program, with the layout of the Swift ABI (docs/ABI/TypeMetadata.rst in
    /// the Swift repository).
    struct Metadata: Hashable {
        let address: UInt

        enum Kind {
            case aClass, aStruct, enumeration, optional, opaque, tuple, function, existential, extendedExistential
            case fixedArray, context, genericBox, error, task, other
        }

        var kind: Kind {
            switch word(address) {
            case 0, 0x800...: .aClass
            case 0x200: .aStruct
            case 0x201: .enumeration
            case 0x202: .optional
            case 0x300: .opaque
            case 0x301: .tuple
            case 0x302: .function
            case 0x303: .existential
            case 0x307: .extendedExistential
            case 0x308: .fixedArray
            case 0x400: .context
            case 0x500: .genericBox
            case 0x501: .error
            case 0x502: .task
            default: .other
            }
        }

        init(_ address: UInt) { self.address = address }
        // The words of a metatype and of a metadata pointer are the same.
        init(_ type: Any.Type) { address = unsafeBitCast(type, to: UInt.self) }

        var type: Any.Type { unsafeBitCast(address, to: Any.Type.self) }
        /// The name of the type as the user writes it, without modules: `Map<Int, String>`. Do not use it for contexts,
        /// boxes and other kinds that only exist on the heap.
        var name: String { _typeName(type, qualified: false) }
        /// The module and the name without generic arguments: `Swift.Array`.
        var descriptorName: String { descriptor.map { $0.qualifiedName } ?? "" }

        var isEmptyTuple: Bool { kind == .tuple && word(address + 8) == 0 }

        /// Whether the type is a block, such as the block in a `DispatchWorkItem`. On this system the runtime gives
        /// such a type no value witnesses: the word before the metadata is not an address.
        var isBlock: Bool { kind == .function && word(address + 8) >> 16 & 0xff == 1 }

        /// A collection that keeps its elements in an object of the standard library or Foundation.
        enum Collection { case array, set, dictionary, string, data }

        /// The collection whose elements an object of this type keeps; `nil` for other types.
        var collection: Collection? {
            switch (descriptor?.module ?? "", descriptor?.name ?? "") {
            case ("Swift", "_ContiguousArrayStorage"): .array
            case ("Swift", "_SetStorage"): .set
            case ("Swift", "_DictionaryStorage"): .dictionary
            case ("Swift", "__StringStorage"): .string
            case ("Foundation", "__DataStorage"), ("FoundationEssentials", "__DataStorage"): .data
            default: nil
            }
        }

        /// The types of the elements of the collection; empty for other types, and for strings and data.
        var elements: [Metadata] {
            switch collection {
            case .array, .set: [genericArgument(0)]
            case .dictionary: [genericArgument(0), genericArgument(1)]
            case .string, .data, nil: []
            }
        }

        /// Whether values are addresses that the program manages itself.
        var isPointer: Bool {
            guard let descriptor, descriptor.module == "Swift" else { return false }
            let names = [
                "UnsafePointer", "UnsafeMutablePointer", "UnsafeRawPointer", "UnsafeMutableRawPointer",
                "UnsafeBufferPointer", "UnsafeMutableBufferPointer", "UnsafeRawBufferPointer",
                "UnsafeMutableRawBufferPointer", "OpaquePointer", "Unmanaged",
            ]
            return names.contains(descriptor.name)
        }

        /// The type of the collection, `Set<UUID>`; `nil` for other types.
        var collectionName: String? {
            let arguments = elements.map(\.name).joined(separator: ", ")
            return switch collection {
            case .array: "Array<\(arguments)>"
            case .set: "Set<\(arguments)>"
            case .dictionary: "Dictionary<\(arguments)>"
            case .string: "String"
            case .data: "Data"
            case nil: nil
            }
        }

        // MARK: Value witnesses

        private var witnesses: UInt { word(address - 8) }
        var size: Int { Int(word(witnesses + 64)) }
        var stride: Int { Int(word(witnesses + 72)) }
        var alignmentMask: Int { Int(half(witnesses + 80) & 0xff) }
        /// Whether values are copied byte for byte, so that they hold no references.
        var isTrivial: Bool { half(witnesses + 80) & 0x1_0000 == 0 }

        // MARK: Nominal types

        var descriptor: TypeDescriptor? {
            switch kind {
            case .aClass: word(address + 40) == 0 ? nil : TypeDescriptor(address: word(address + 40))
            case .aStruct, .enumeration, .optional:
                word(address + 8) == 0 ? nil : TypeDescriptor(address: word(address + 8))
            default: nil
            }
        }

        var superclass: Metadata? { word(address + 8) == 0 ? nil : Metadata(word(address + 8)) }
        /// The size of an instance in bytes, without elements that are allocated after its stored properties.
        var instanceSize: Int { Int(half(address + 24)) }

        /// The address of the type's own generic arguments, which exclude the arguments of its superclass.
        var genericArguments: UInt {
            guard kind == .aClass, let descriptor else { return address + 16 }
            return address + UInt(bitPattern: descriptor.immediateMembersOffset)
        }

        func genericArgument(_ index: Int) -> Metadata { Metadata(word(genericArguments + UInt(index) * 8)) }

        /// The offset in bytes of a field of a class or struct.
        func fieldOffset(_ index: Int, _ descriptor: TypeDescriptor) -> Int {
            if kind == .aClass { return Int(word(address + UInt(descriptor.fieldOffsetVector) + UInt(index) * 8)) }
            return Int(half(address + UInt(descriptor.fieldOffsetVector) + UInt(index) * 4))
        }
    }

    /// The compiler's description of a class, struct or enumeration, for all its generic arguments.
    struct TypeDescriptor: Hashable {
        let address: UInt

        private var flags: UInt32 { half(address) }
        var isClass: Bool { flags & 0x1f == 16 }
        var isGeneric: Bool { flags & 0x80 != 0 }
        private var hasResilientSuperclass: Bool { flags & (1 << 29) != 0 }

        var name: String { String(cString: UnsafePointer<CChar>(bitPattern: relative(address + 8)).unsafelyUnwrapped) }

        /// The address of the descriptor of the enclosing context. The lowest bit of the relative pointer is set if it
        /// is indirect.
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
        /// The number of an enumeration's cases with a payload.
        var payloadCases: Int { Int(half(address + 20) & 0xff_ffff) }

        var fieldCount: Int { fields == 0 ? 0 : Int(half(fields + 12)) }

        func field(_ index: Int) -> FieldRecord {
            FieldRecord(address: fields + 16 + UInt(index) * UInt(half(fields + 8) >> 16))
        }

        /// The distance in bytes from the metadata's address to the vector of field offsets.
        var fieldOffsetVector: Int {
            if !isClass { return Int(half(address + 24)) * 8 }
            let words = Int(half(address + 40)) * 8
            return hasResilientSuperclass ? resilientMembersOffset + words : words
        }

        /// The distance in bytes from the metadata's address to a class's own generic arguments and methods.
        var immediateMembersOffset: Int {
            if hasResilientSuperclass { return resilientMembersOffset }
            return (Int(half(address + 28)) - Int(half(address + 32))) * 8
        }

        /// The same distance for a class whose superclass is from a library with a stable binary interface. The runtime
        /// stores it.
        private var resilientMembersOffset: Int { Int(bitPattern: word(relative(address + 24))) }
    }

    /// One field or case.
    struct FieldRecord {
        let address: UInt

        var isIndirectCase: Bool { half(address) & 1 != 0 }
        /// The name as written in the source, without the compiler's prefix of a lazy property.
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

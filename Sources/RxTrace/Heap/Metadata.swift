#if os(Linux)
    /// A word of memory that is known to be readable.
    @inline(__always)
    func word(_ address: UInt) -> UInt { UnsafePointer<UInt>(bitPattern: address).unsafelyUnwrapped.pointee }

    @inline(__always)
    func half(_ address: UInt) -> UInt32 { UnsafePointer<UInt32>(bitPattern: address).unsafelyUnwrapped.pointee }

    @inline(__always)
    func byte(_ address: UInt) -> UInt8 { UnsafePointer<UInt8>(bitPattern: address).unsafelyUnwrapped.pointee }

    /// What a relative pointer of the compiler's points to; 0 for none.
    @inline(__always)
    func relative(_ address: UInt) -> UInt {
        let offset = Int32(bitPattern: half(address))
        return offset == 0 ? 0 : UInt(bitPattern: Int(bitPattern: address) + Int(offset))
    }

    /// A type of the running program, as the Swift ABI lays its description out (docs/ABI/TypeMetadata.rst in the Swift
    /// repository).
    struct Metadata: Hashable {
        let address: UInt

        enum Kind {
            case aClass, aStruct, enumeration, optional, foreignClass, opaque, tuple, function, existential, metatype,
                existentialMetatype
            case extendedExistential, fixedArray, context, genericBox, error, task, other
        }

        var kind: Kind {
            switch word(address) {
            case 0, 0x800...: .aClass
            case 0x200: .aStruct
            case 0x201: .enumeration
            case 0x202: .optional
            case 0x203: .foreignClass
            case 0x300: .opaque
            case 0x301: .tuple
            case 0x302: .function
            case 0x303: .existential
            case 0x304: .metatype
            case 0x306: .existentialMetatype
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
        /// As the user writes it, without modules: `Map<Int, String>`. Not for contexts, boxes and other heap-only
        /// kinds.
        var name: String { _typeName(type, qualified: false) }
        /// The module and the name without generic arguments: `Swift.Array`.
        var descriptorName: String { descriptor.map { $0.qualifiedName } ?? "" }

        var isEmptyTuple: Bool { kind == .tuple && word(address + 8) == 0 }

        /// A block, such as `DispatchWorkItem` keeps one. On this system the runtime gives its type no value witnesses:
        /// what is in their place is no address.
        var isBlock: Bool { kind == .function && word(address + 8) >> 16 & 0xff == 1 }

        // MARK: Value witnesses

        private var witnesses: UInt { word(address - 8) }
        var size: Int { Int(word(witnesses + 64)) }
        var stride: Int { Int(word(witnesses + 72)) }
        var alignmentMask: Int { Int(half(witnesses + 80) & 0xff) }
        /// Copied byte for byte, so that it holds nothing.
        var isTrivial: Bool { half(witnesses + 80) & 0x1_0000 == 0 }
        /// Kept within the three words of an existential's buffer.
        var isInline: Bool { half(witnesses + 80) & 0x2_0000 == 0 }

        typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
        typealias ProjectPayload = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void

        /// The case of an enumeration's value: the cases with a payload come first.
        func tag(of value: UnsafeRawPointer) -> Int {
            // A value witness has the C calling convention.
            let getTag = unsafeBitCast(word(witnesses + 88), to: GetTag.self)
            return Int(getTag(value, UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped))
        }

        /// Turns an enumeration's value into its payload, in place.
        func projectPayload(of value: UnsafeMutableRawPointer) {
            let project = unsafeBitCast(word(witnesses + 96), to: ProjectPayload.self)
            project(value, UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
        }

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
        /// The bytes of an instance without what is allocated behind it.
        var instanceSize: Int { Int(half(address + 24)) }

        /// Where the generic arguments of the type itself lie, not those of its superclass.
        var genericArguments: UInt {
            guard kind == .aClass, let descriptor else { return address + 16 }
            return address + UInt(bitPattern: descriptor.immediateMembersOffset)
        }

        func genericArgument(_ index: Int) -> Metadata { Metadata(word(genericArguments + UInt(index) * 8)) }

        /// Where each field of a class or struct begins.
        func fieldOffset(_ index: Int, _ descriptor: TypeDescriptor) -> Int {
            if kind == .aClass { return Int(word(address + UInt(descriptor.fieldOffsetVector) + UInt(index) * 8)) }
            return Int(half(address + UInt(descriptor.fieldOffsetVector) + UInt(index) * 4))
        }
    }
#endif

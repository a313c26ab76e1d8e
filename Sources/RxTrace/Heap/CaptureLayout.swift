#if os(Linux)
/// What a closure has captured, as the compiler describes it for reflection.
///
/// A generic closure names its generic parameters; the types that they stand for lie at the beginning of each context.
/// Asking the runtime for a type that depends on them aborts the process, so those are recognised by their shape: a class,
/// a function or a box takes the same room whatever the parameters are.
struct CaptureLayout {
    private let description: UInt
    private let start: Int
    /// Whether captures depend on generic parameters.
    let isGeneric: Bool

    /// `nil` where the compiler has described nothing.
    init?(_ metadata: Metadata, isReadable: (UInt) -> Bool) {
        description = word(metadata.address + 16)
        guard description != 0, isReadable(description) else { return nil }
        let bindings = Int(half(description + 8)), first = Int(half(metadata.address + 8))
        guard bindings < 32, half(description) < 256 else { return nil }
        start = bindings > 0 ? 16 + 8 * bindings : max(first, 16)
        isGeneric = bindings > 0 || half(description + 4) > 0
    }

    private var count: Int { Int(half(description)) }

    private func name(_ index: Int) -> TypeReference { TypeReference(address: relative(description + 12 + UInt(index) * 4)) }

    /// Where the captures lie in a context; `nil` if the type of one is not known, as all behind it are then nowhere.
    func parts(in object: UInt, _ layouts: ValueLayouts) -> [ValueLayout.Part]? {
        var offset = start, parts: [ValueLayout.Part] = []
        for index in 0..<count {
            let label = layouts.label("capture \(index)")
            guard let capture = capture(name(index), layouts) else { return nil }
            offset = (offset + capture.alignmentMask) & ~capture.alignmentMask
            for part in capture.parts { parts.append(.init(offset: offset + part.offset, kind: part.kind, label: label)) }
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
        static let function = Capture(size: 16, alignmentMask: 7, parts: [.init(offset: 0, kind: .function, label: -1)])
    }

    private func capture(_ name: TypeReference, _ layouts: ValueLayouts) -> Capture? {
        if name.isWeak || name.isUnowned || name.isUnmanaged { return .word(nil) }
        if name.ends(with: "Xb") || name.ends(with: "XX") { return .word(.strong) }
        if isGeneric { return shape(of: name) }
        guard let type = name.type(in: nil, arguments: 0) else { return nil }
        return Capture(size: type.size, alignmentMask: type.alignmentMask, parts: layouts.parts(of: type))
    }

    private func shape(of name: TypeReference) -> Capture? {
        // A function type ends in `c`, its optional in `cSg`; a class, bound or not, in `C` or `CG` cannot be told from a struct in `G`.
        if name.ends(with: "c") || name.ends(with: "cSg") { return .function }
        if name.ends(with: "C") || name.ends(with: "CSg") { return .word(.strong) }
        return nil
    }
}
#endif

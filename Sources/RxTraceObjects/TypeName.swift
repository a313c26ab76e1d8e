import Rx

/// Names of types, the same across runs and builds.
enum TypeName {
    /// Names that were asked for: making one takes microseconds, and a detection asks for all of them after each run.
    private static let known = Guarded<[UInt: String]>([:])

    /// The name of what has metadata at an address.
    static func text(of metadata: UInt) -> String {
        if let name = known.withLock({ $0[metadata] }) { return name }
        let name = makeText(of: metadata)
        known.withLock { $0[metadata] = name }
        return name
    }

    private static func makeText(of metadata: UInt) -> String {
        // The metadata of a class begins with 0; that of contexts and boxes with 0x400 and above, and is no type that could be asked
        // (MetadataKind.def of the Swift repository).
        guard let address = UnsafePointer<UInt>(bitPattern: metadata), address.pointee == 0 else { return LiveObjects.closures }
        return text(of: unsafeBitCast(address, to: Any.Type.self))
    }

    /// The full name of a type: `App.ViewModel`.
    ///
    /// A private type's name tells the address of its file's context, which differs between runs: `App.(unknown context at $7f…).Row`.
    static func text(of type: Any.Type) -> String {
        let name = _typeName(type, qualified: true)
        guard name.contains("(unknown context at $") else { return name }
        return name.replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
    }
}

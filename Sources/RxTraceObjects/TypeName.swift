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
        // The metadata of a class is its type; the table holds it as an address.
        isClass(metadata) ? text(of: unsafeBitCast(metadata, to: Any.Type.self)) : LiveObjects.closures
    }

    /// Whether what has metadata at an address is an object of a class, and not a closure's context or a box.
    static func isClass(_ metadata: UInt) -> Bool {
        // The metadata of a class begins with 0; that of contexts and boxes with 0x400 and above, and is no type that
        // could be asked (MetadataKind.def of the Swift repository).
        UnsafePointer<UInt>(bitPattern: metadata)?.pointee == 0
    }

    /// The full name of a type: `App.ViewModel`.
    ///
    /// A private type's name tells the address of its file's context, which differs between runs:
    /// `App.(unknown context at $7f…).Row`.
    static func text(of type: Any.Type) -> String {
        let name = _typeName(type, qualified: true)
        guard name.contains("(unknown context at $") else { return name }
        return name.replacing(/\(unknown context at \$[0-9a-f]+\)\./, with: "")
    }
}

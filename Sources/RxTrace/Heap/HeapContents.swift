#if os(Linux)
/// A heap that has been read: its objects, their references, and what refers to them from outside.
final class HeapContents {
    let reader: HeapReader
    let roots: MappedArray<Root>

    init(_ reader: consuming HeapReader, _ roots: consuming MappedArray<Root>) {
        self.reader = reader
        self.roots = roots
    }
}
#endif

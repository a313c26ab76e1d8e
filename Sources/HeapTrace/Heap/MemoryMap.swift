#if os(Linux)
    import CRxTrace
    import Glibc

    /// The memory that this process has mapped, from `/proc/self/maps`.
    struct MemoryMap: ~Copyable {
        struct Range: BitwiseCopyable {
            var start: UInt
            var end: UInt
            var isReadable: Bool
            var isWritable: Bool
            /// Whether the mapping has no file. This includes mappings such as `[heap]` and `[stack]`.
            var isAnonymous: Bool
        }

        private(set) var ranges = MappedArray<Range>()

        /// Reads the list without touching the heap. O(m) for *m* mappings.
        init() throws(HeapUnavailable) {
            let file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { throw .noMaps }
            defer { close(file) }
            var text = MappedArray<UInt8>()
            var received = 1
            while received > 0 {
                text.append(room: 1 << 16) { target in
                    received = max(0, read(file, target, 1 << 16))
                    return received
                }
            }
            var position = 0
            let bytes = UnsafeBufferPointer(start: text.start, count: text.count)
            while position < bytes.count { ranges.append(Self.line(of: bytes, at: &position)) }
        }

        /// The readable range that contains an address. O(m).
        func range(at address: UInt) -> Range? {
            for index in 0..<ranges.count where ranges[index].start <= address && address < ranges[index].end {
                return ranges[index].isReadable ? ranges[index] : nil
            }
            return nil
        }

        /// `7f12a000-7f12c000 rw-p 00000000 00:00 0   [stack]`
        private static func line(of text: UnsafeBufferPointer<UInt8>, at position: inout Int) -> Range {
            let start = hexadecimal(text, &position)
            let end = hexadecimal(text, &position)
            let readable = text[position] == UInt8(ascii: "r")
            let writable = text[position + 1] == UInt8(ascii: "w")
            var slash = false
            while position < text.count, text[position] != UInt8(ascii: "\n") {
                if text[position] == UInt8(ascii: "/") { slash = true }
                position += 1
            }
            position += 1
            return Range(start: start, end: end, isReadable: readable, isWritable: writable, isAnonymous: !slash)
        }

        private static func hexadecimal(_ text: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> UInt {
            var value: UInt = 0
            while position < text.count {
                let character = text[position]
                position += 1
                switch character {
                case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt(character - UInt8(ascii: "0"))
                case UInt8(ascii: "a")...UInt8(ascii: "f"):
                    value = value << 4 | UInt(character - UInt8(ascii: "a") + 10)
                default: return value
                }
            }
            return value
        }
    }
#endif

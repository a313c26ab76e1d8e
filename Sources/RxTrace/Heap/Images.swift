#if os(Linux)
import CPlatform

/// The program and its libraries in memory.
struct Images: ~Copyable {
    private(set) var segments = MappedArray<rx_segment>()

    init() {
        let expected = rx_segments(withoutRoom, 0) + 16
        segments.append(room: expected) { rx_segments($0, expected) }
    }

    /// The segment that an address lies in. O(s) for *s* segments.
    func segment(at address: UInt) -> rx_segment? {
        let start = segments.start
        for index in 0..<segments.count where address >= start[index].start && address < start[index].end { return start[index] }
        return nil
    }
}

/// Where nothing is written to.
private var withoutRoom: UnsafeMutablePointer<rx_segment> { UnsafeMutablePointer(bitPattern: MemoryLayout<rx_segment>.alignment).unsafelyUnwrapped }
#endif

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A growing array in memory of its own, outside the heap: what is noted about the heap while it is read does not change it.
struct MappedArray<Element: BitwiseCopyable>: ~Copyable {
    private(set) var count = 0
    private var capacity = 0
    // Unsafe: mapped here, never handed out, unmapped in `deinit`.
    private var base: UnsafeMutablePointer<Element>?

    init() {}

    init(repeating element: Element, count: Int) {
        reserve(count)
        for _ in 0..<count { append(element) }
    }

    deinit {
        if let base { munmap(base, capacity * MemoryLayout<Element>.stride) }
    }

    subscript(index: Int) -> Element {
        @inline(__always) get {
            assert(index >= 0 && index < count)
            return base.unsafelyUnwrapped[index]
        }
        @inline(__always) set {
            assert(index >= 0 && index < count)
            base.unsafelyUnwrapped[index] = newValue
        }
    }

    /// O(1) amortised.
    mutating func append(_ element: Element) {
        if count == capacity { reserve(max(1024, capacity * 2)) }
        (base.unsafelyUnwrapped + count).initialize(to: element)
        count += 1
    }

    /// Lets `fill` write up to `room` elements after the last one; it returns how many there are.
    mutating func append(room: Int, fill: (UnsafeMutablePointer<Element>) -> Int) {
        reserve(count + room)
        count += min(room, fill(base.unsafelyUnwrapped + count))
    }

    mutating func removeAll() { count = 0 }

    mutating func removeLast() -> Element {
        count -= 1
        return base.unsafelyUnwrapped[count]
    }

    private mutating func reserve(_ wanted: Int) {
        guard wanted > capacity else { return }
        let bytes = wanted * MemoryLayout<Element>.stride
        guard let mapped = mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), mapped != MAP_FAILED else {
            fatalError("The system has no '\(bytes)' bytes left for a heap snapshot.")
        }
        let larger = mapped.assumingMemoryBound(to: Element.self)
        if let base {
            larger.initialize(from: base, count: count)
            munmap(base, capacity * MemoryLayout<Element>.stride)
        }
        base = larger
        capacity = wanted
    }
}

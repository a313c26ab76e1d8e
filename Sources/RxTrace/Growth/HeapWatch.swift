import CRxTrace
import Foundation
import Rx

/// The bytes that the runs of a detection allocate on their thread and leave on the heap.
///
/// Bytes are those that the allocator counts for the thread while a run has it: what the detection allocates for
/// itself is not in them. Nor is what a run leaves in which other threads worked: threads keep what they free, and
/// what others have made, for as long as they live, so that a round trip without a leak seems to have one. From where
/// the bytes rise, single blocks are followed, to say who allocates them.
struct HeapWatch {
    /// Why nothing is counted; `nil` if it is.
    let obstacle: GrowthReport.Unavailable?
    /// The bytes that the runs have left.
    private(set) var bytes = 0
    private var bytesOfRun = 0
    private var start: Int?
    private var othersBefore = rxtrace_others_now()
    /// The processor time of each other thread when the last run had come to rest.
    private var timesBefore: [Int64: Int64] = [:]
    private var run: UInt32 = 0
    private var runs = 0
    /// The runs in which other threads worked.
    private(set) var spoilt: Set<UInt32> = []
    /// Whether other threads worked after the last run began.
    private var othersCameLate = false

    private let staysOnThread: Bool

    /// - Parameter staysOnThread: whether the runs do.
    init(staysOnThread: Bool) {
        self.staysOnThread = staysOnThread
        obstacle =
            if !staysOnThread {
                .heapBytesAcrossThreads
            } else if HeapBytes.countsThisThread {
                nil
            } else {
                .init(metric: "heap bytes", reason: HeapUnavailable.notJemalloc.reason)
            }
    }

    /// Begins a run, by its number.
    mutating func begin(run: Int) {
        self.run = UInt32(run)
        bytesOfRun = 0
        resume()
    }

    /// Counts what this thread allocates from here on.
    mutating func resume() {
        guard obstacle == nil else { return }
        start = HeapBytes.ofThisThread()
        rxtrace_watch_resume(run)
    }

    /// Leaves out what this thread allocates from here on.
    mutating func pause() {
        rxtrace_watch_pause()
        guard let start, let end = HeapBytes.ofThisThread() else { return }
        bytesOfRun += end - start
        self.start = nil
    }

    /// Whether it is known that no other thread has worked since the run before ended.
    var isQuiet: Bool { isQuiet(rxtrace_others_now()) }

    private func isQuiet(_ others: rxtrace_others) -> Bool {
        // The threads beside this one are others where the run has changed threads.
        guard staysOnThread else { return false }
        // A thread that has worked goes to sleep again, or has used time: 20 µs may be the kernel's own.
        return others.sleeps == othersBefore.sleeps
            && others.least_nanoseconds - othersBefore.most_nanoseconds <= 20_000
    }

    /// Ends a run that has come to rest.
    mutating func end() {
        runs += 1
        // Before the reading that decides of this run: a thread that goes to sleep between the two has spoilt it.
        timesBefore = Self.timesOfOthers()
        // One reading for this run and the next, so that nothing is in neither.
        let others = rxtrace_others_now()
        if isQuiet(others) { bytes += bytesOfRun } else { spoilt.insert(run) }
        othersBefore = others
    }

    /// Looks once more, a while after the last run: on a busy machine other threads come to what the runs gave them
    /// late.
    mutating func confirm() { othersCameLate = spoilt.contains(run) || !isQuiet && !onlyEndedThreadsWorked }

    /// Whether the threads that are still there have used no time since the last run: an idle thread of a queue works
    /// once more as it ends, and not on what the runs gave it.
    private var onlyEndedThreadsWorked: Bool {
        // Not their turns: one that had its turn while the run ended may have gone on with what the runs gave it.
        !timesBefore.isEmpty && Self.timesOfOthers().allSatisfy { timesBefore[$0.key] == $0.value }
    }

    private static func timesOfOthers() -> [Int64: Int64] {
        let threads = [rxtrace_thread_time](unsafeUninitializedCapacity: 1024) { buffer, count in
            count = buffer.baseAddress.map { rxtrace_thread_times_now($0, buffer.count) } ?? 0
        }
        return Dictionary(uniqueKeysWithValues: threads.map { ($0.thread, $0.nanoseconds) })
    }

    /// Follows the blocks that are allocated from here on.
    func followBlocks(withStacks: Bool) { if obstacle == nil { _ = rxtrace_watch_begin(withStacks) } }

    /// Follows no blocks any more.
    func close() { rxtrace_watch_end() }

    /// Why the bytes say nothing of the runs; `nil` if they do. A thread that wakes up now and then is no reason:
    /// such runs are left out.
    var reasonAgainst: GrowthReport.Unavailable? {
        obstacle ?? (othersCameLate || spoilt.count * 4 > runs ? .heapBytesOfOthers : nil)
    }

    /// The blocks that are alive of those that were followed.
    var blocks: [rxtrace_watched_block] {
        var block = rxtrace_watched_block()
        return (0..<rxtrace_watch_places()).compactMap {
            rxtrace_watch_block($0, &block) && !spoilt.contains(block.run) ? block : nil
        }
    }
}

extension GrowthReport.Unavailable {
    static var heapBytesAcrossThreads: Self {
        Self(
            metric: "heap bytes",
            reason: "an asynchronous round trip changes threads, which keep what they free.\(ObjectsHint.sentence)")
    }
    static var heapBytesOfOthers: Self {
        Self(
            metric: "heap bytes",
            reason: "other threads worked during the runs, and threads keep what they free.\(ObjectsHint.sentence)")
    }
}

/// The bytes of this process's heap that are in use, where jemalloc keeps it.
enum HeapBytes {
    private typealias Control =
        @convention(c) (
            UnsafePointer<CChar>, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>?, UnsafeMutableRawPointer?, Int
        ) -> CInt

    // Looked up, not linked: the program decides whether it runs on jemalloc.
    private static let control: Control? = dlsym(nil, "mallctl").map { unsafeBitCast($0, to: Control.self) }

    /// The bytes in use at this moment; `nil` without jemalloc.
    ///
    /// Memory that threads have freed and keep for themselves does not count.
    static func inUse() -> Int? {
        guard let control else { return nil }
        _ = control("thread.tcache.flush", nil, nil, nil, 0)
        // Any value: writing it makes the statistics those of now.
        var epoch: UInt64 = 1
        guard control("epoch", nil, nil, &epoch, MemoryLayout<UInt64>.size) == 0 else { return nil }
        var bytes = 0
        var size = MemoryLayout<Int>.size
        guard control("stats.allocated", &bytes, &size, nil, 0) == 0 else { return nil }
        return bytes - cached(by: control)
    }

    /// Whether the allocator counts what a thread allocates: where a sanitizer stands before it, it counts nothing.
    static let countsThisThread: Bool = {
        guard let before = ofThisThread() else { return false }
        let block = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 8)
        let isCounted = ofThisThread() != before
        block.deallocate()
        return isCounted
    }()

    /// The bytes that this thread has allocated less those it has freed; `nil` without jemalloc. Only differences mean
    /// something. It allocates nothing.
    static func ofThisThread() -> Int? {
        guard let control else { return nil }
        var allocated: UInt64 = 0
        var freed: UInt64 = 0
        var size = MemoryLayout<UInt64>.size
        guard control("thread.allocated", &allocated, &size, nil, 0) == 0,
            control("thread.deallocated", &freed, &size, nil, 0) == 0
        else { return nil }
        return Int(truncatingIfNeeded: allocated &- freed)
    }

    /// The memory that threads keep for their next allocations, which jemalloc counts as in use: a thread that frees
    /// what others allocate seems to leak.
    private static func cached(by control: Control) -> Int {
        var bytes = 0
        var size = MemoryLayout<Int>.size
        // 4096 stands for all arenas (MALLCTL_ARENAS_ALL).
        return control("stats.arenas.4096.tcache_bytes", &bytes, &size, nil, 0) == 0 ? bytes : 0
    }
}

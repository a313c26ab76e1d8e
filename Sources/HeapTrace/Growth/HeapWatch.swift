import CRxTrace

/// The bytes that the runs of a detection leave on the heap.
///
/// If the product that counts the heap is linked, the counts cover all threads, minus the memory that the detection
/// allocates for itself between the runs. Otherwise jemalloc counts for the thread of the runs only. Then runs in which
/// other threads worked are left out, because threads keep memory that they free, and memory that other threads have
/// allocated. When the bytes rise, single blocks are followed, to name the function that allocates them.
struct HeapWatch {
    /// The source of the counts of all threads; `nil` if at most the counts of this thread are available.
    private let source = HeapBytes.source
    private let countsThread: Bool
    /// The reason why the bytes are not counted; `nil` if they are.
    let obstacle: GrowthReport.Unavailable?
    /// The bytes that the detection has allocated for itself, in closed segments.
    private var ownBytes = 0
    /// The bytes of this thread when the current segment of the detection's own work began; `nil` during a run.
    private var segmentStart: Int?
    /// The bytes that the completed runs have left on their thread, without the runs that were left out.
    private var threadBytes = 0
    /// The bytes of the runs in which other threads worked.
    private(set) var bytesLeftOut = 0
    private var bytesOfRun = 0
    private var runStart: Int?
    /// Minus the number of bytes that other threads have freed; 0 if the runs change threads, or if only one thread is
    /// counted.
    private(set) var bytesFreedByOthers = 0
    /// The bytes of other threads at the end of the last run, without the detection's own.
    private var bytesOfOthers = 0
    /// The bytes that the detection's own threads have left: see `leavingOut(_:)`.
    private var bytesOfLooks = 0
    private var othersBefore = rxtrace_others_now()
    private var run: UInt32 = 0
    private var runs = 0
    /// The number of runs that were left out because other threads worked.
    private var spoiltRuns = 0
    /// The processor time of other threads in the runs that were not left out. The work that one run gives them may be
    /// too short to be noticed in that run.
    private var othersNanoseconds: Int64 = 0
    /// Whether this detection has looked at the heap on a separate thread since the last run. The time of that thread
    /// must not count as work of the program's threads.
    private var hasLooked = false
    private let staysOnThread: Bool
    private var followsBlocks = false
    /// The number of blocks that are allocated while no run is under way.
    static let noRun: UInt32 = 0

    /// - Parameter staysOnThread: whether all runs stay on the thread that calls this.
    init(staysOnThread: Bool) {
        self.staysOnThread = staysOnThread
        countsThread = source == nil && staysOnThread && HeapBytes.countsThisThread
        obstacle =
            if source != nil || countsThread {
                nil
            } else if HeapBytes.countsThisThread {
                .heapBytesAcrossThreads
            } else {
                .init(metric: .heapBytes, reason: HeapBytes.missing)
            }
        source?.begin()
        segmentStart = source?.ofThisThread()
        if let source { bytesOfOthers = source.ofAllThreads() - source.ofThisThread() }
    }

    /// The bytes of the process, minus the detection's own bytes. Only differences between two readings have a meaning.
    /// Read it between runs.
    var bytes: Int {
        guard let source, let segmentStart else { return threadBytes }
        return source.ofAllThreads() - ownBytes - (source.ofThisThread() - segmentStart)
    }

    /// Begins the run with this number.
    mutating func begin(run: Int) {
        self.run = UInt32(run)
        bytesOfRun = 0
        if hasLooked {
            // This thread may have freed results of the search.
            HeapBytes.returnMemoryOfThisThread()
            othersBefore = rxtrace_others_now()
        }
        hasLooked = false
        resume()
    }

    /// Begins a time in which no run is under way.
    mutating func beginIdleTime() { run = Self.noRun }

    /// Starts counting the allocations of this thread as allocations of the run.
    mutating func resume() {
        rxtrace_watch_resume(run)
        if countsThread { runStart = HeapBytes.ofThisThread() }
        guard let start = segmentStart, let source else { return }
        ownBytes += source.ofThisThread() - start
        segmentStart = nil
    }

    /// Stops counting the allocations of this thread as allocations of the run.
    mutating func pause() {
        rxtrace_watch_pause()
        if segmentStart == nil { segmentStart = source?.ofThisThread() }
        if let start = runStart, let end = HeapBytes.ofThisThread() { bytesOfRun += end - start }
        runStart = nil
    }

    /// Notes the work of other threads since the last run, before this detection itself works on another thread.
    mutating func beginLook() {
        if !hasLooked { othersNanoseconds += nanoseconds(of: rxtrace_others_now()) }
        hasLooked = true
    }

    /// Runs `body` on a separate thread, between two runs, and does not count allocations until that thread has ended.
    mutating func leavingOut<Result>(_ body: () -> Result) -> Result {
        beginLook()
        let before = (all: source?.ofAllThreads() ?? 0, this: source?.ofThisThread() ?? 0)
        var result: Result?
        withoutActuallyEscaping({ result = body() }) { call in
            withUnsafePointer(to: call) { call in
                let context = UnsafeMutableRawPointer(mutating: call)
                rxtrace_on_thread({ $0!.assumingMemoryBound(to: (() -> Void).self).pointee() }, context)
            }
        }
        let after = (all: source?.ofAllThreads() ?? 0, this: source?.ofThisThread() ?? 0)
        // The allocations of this thread are in its open segment.
        let bytes = after.all - before.all - (after.this - before.this)
        ownBytes += bytes
        bytesOfLooks += bytes
        return result!
    }

    /// Whether other threads have worked in earlier runs, and the bytes that they allocate are not counted.
    var missesWorkOfOthers: Bool { source == nil && spoiltRuns > 0 }

    /// Whether it is certain that no other thread has worked since the previous run ended.
    var isQuiet: Bool { isQuiet(at: rxtrace_others_now()) }

    private func isQuiet(at others: rxtrace_others) -> Bool {
        // If the run has changed threads, the other threads are not the same ones.
        guard staysOnThread else { return false }
        // A thread that has worked has gone to sleep again, or has used time. Up to 20 µs may be the kernel's own work.
        return others.sleeps == othersBefore.sleeps
            && others.least_nanoseconds - othersBefore.most_nanoseconds <= 20_000
    }

    /// Ends a run whose counts have settled.
    mutating func end() {
        runs += 1
        noteFreedByOthers()
        // A single reading ends this run and begins the next one, so that no work falls between two readings.
        let others = rxtrace_others_now()
        if isQuiet(at: others) {
            threadBytes += bytesOfRun
            othersNanoseconds += nanoseconds(of: others)
        } else {
            spoiltRuns += 1
            bytesLeftOut += bytesOfRun
        }
        othersBefore = others
    }

    private mutating func noteFreedByOthers() {
        guard let source, staysOnThread else { return }
        let bytes = source.ofAllThreads() - source.ofThisThread() - bytesOfLooks
        bytesFreedByOthers += min(0, bytes - bytesOfOthers)
        bytesOfOthers = bytes
    }

    /// The processor time of other threads from the end of the last run to a reading.
    private func nanoseconds(of others: rxtrace_others) -> Int64 {
        max(0, others.least_nanoseconds - othersBefore.most_nanoseconds)
    }

    /// Whether other threads worked in more than a quarter of the runs, or for 3 µs per run, including the time after
    /// the last run: the runs have given them this work.
    private var isDisturbed: Bool {
        let late = hasLooked ? 0 : nanoseconds(of: rxtrace_others_now())
        return spoiltRuns * 4 > runs || othersNanoseconds + late > 3_000 * Int64(runs)
    }

    /// The subject of reports to which the counted bytes belong.
    var subject: GrowthReport.Subject { countsThread ? .heapBytesOfThread : .heapBytes }

    /// The reason why the bytes do not describe the runs; `nil` if they do. A thread that wakes up occasionally is not
    /// a reason.
    var reasonAgainst: GrowthReport.Unavailable? {
        obstacle ?? (countsThread && isDisturbed ? .heapBytesOfOthers : nil)
    }

    /// Starts following allocated blocks, unless another detection follows them.
    mutating func followBlocks(withStacks: Bool) {
        if let source {
            followsBlocks = rxtrace_watch_begin_called(withStacks)
            if followsBlocks { source.watch(rxtrace_watch_allocated, rxtrace_watch_freed) }
        } else if countsThread {
            followsBlocks = rxtrace_watch_begin(withStacks)
        }
    }

    /// Keeps the followed blocks as they are. What is freed after this is not removed.
    func holdBlocks() { if followsBlocks { source?.watch(nil, nil) } }

    /// Stops following blocks.
    mutating func close() {
        guard followsBlocks else { return }
        holdBlocks()
        rxtrace_watch_end()
        followsBlocks = false
    }

    /// The followed blocks that have not been freed.
    var blocks: [rxtrace_watched_block] {
        var block = rxtrace_watched_block()
        return places.compactMap { rxtrace_watch_block($0, &block) ? block : nil }
    }

    private var places: Range<Int> { 0..<(followsBlocks ? rxtrace_watch_places() : 0) }

    /// Whether blocks that the runs allocated are still alive, and amount to more than a quarter of the bytes that were
    /// left after the last run. A quarter is enough, because blocks may be followed only in the second half of the
    /// runs.
    ///
    /// `false` if frees on other threads are not seen. Allocates nothing.
    func hasKept(_ bytes: Int?) -> Bool {
        guard source != nil, let bytes else { return false }
        var block = rxtrace_watched_block()
        var kept = 0
        for place in places where rxtrace_watch_block(place, &block) && block.run != Self.noRun {
            kept += block.size
        }
        return kept > bytes / 4
    }
}

extension GrowthReport.Unavailable {
    static let heapBytesAcrossThreads = Self(
        metric: .heapBytes,
        reason: """
            an asynchronous round trip changes threads, and jemalloc counts for each thread alone. \(remedy)
            """)
    static let heapBytesOfOthers = Self(
        metric: .heapBytes,
        reason: """
            other threads worked during the runs, and jemalloc counts for each thread alone. \(remedy)
            """)
    private static let remedy = "Link 'RxTraceObjects' and set 'HeapTrace.followsObjects = true' to count all threads."
}

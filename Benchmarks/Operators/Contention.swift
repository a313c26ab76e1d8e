import Dispatch
import Rx
import RxBench
import Synchronization

/// Joints that several threads use at once. Throughput must not collapse if there are more threads than processors.
///
/// All threads share the processors: without a collapse, an operation takes the same time with 64 threads as with 8.
/// The system schedules the threads, and one process may take twice the time of the next.
let contention: [Benchmark] = [2, 8, 64].flatMap { threads in
    Contended.all.map { benchmark(of: $0, threads: threads) }
}

/// The number of operations that the threads of one iteration share.
private let operations = 4_096

/// A joint, and the operation that each thread performs on it.
private struct Contended: Sendable {
    let name: String
    let operation: String
    /// Makes a joint for the given number of threads.
    let make: @Sendable (Int) -> Joint

    static let all = [
        Contended(name: "subject", operation: "subscribing beside a sender", make: subjectJoint),
        Contended(name: "merge", operation: "sending an element", make: mergeJoint),
        Contended(name: "share", operation: "subscribing to what is shared", make: shareJoint),
        Contended(name: "bag", operation: "putting a subscription into a bag", make: bagJoint),
        Contended(name: "serial", operation: "scheduling a piece of work", make: serialJoint),
    ]
}

/// A joint that a benchmark uses.
private struct Joint {
    /// Performs the operation `times` times on one thread.
    let work: @Sendable (_ thread: Int, _ times: Int) -> Void
    /// Called on the main thread after all threads have finished. Returns whether every operation was performed.
    var check: () throws -> Bool
    var tearDown: () -> Void = {}
}

/// The time of an operation measures the throughput. The latencies are the times in which each thread performed its
/// share. All shares have the same size, so the difference between p99 and p50 measures the unfairness.
private func benchmark(of contended: Contended, threads: Int) -> Benchmark {
    Benchmark(
        "operator/contention/\(contended.name)?threads=\(threads)",
        decides: """
            Whether \(contended.operation) holds its pace when \(threads) threads do it at once, and whether one of \
            them waits longer than the others.
            """,
        tags: ["contention", "unsteady"], operations: operations
    ) {
        let joint = contended.make(threads)
        let crew = Crew(threads, work: joint.work)
        var isDone = false
        return .latencies(
            check: { isDone },
            tearDown: {
                crew.dismiss()
                joint.tearDown()
            }
        ) { recorder in
            for nanoseconds in try crew.work(times: operations / threads) { recorder.record(nanoseconds: nanoseconds) }
            isDone = try joint.check()
        }
    }
}

// MARK: The joints

/// The first thread sends; the other threads subscribe and dispose.
@Sendable
private func subjectJoint(_ threads: Int) -> Joint {
    let subject = PublishSubject<Int>()
    let delivered = Counter()
    let lasting = subject.subscribe(onNext: { _ in _ = delivered.add() })
    return Joint(
        work: { thread, times in
            if thread == 0 {
                for value in 0..<times { subject.onNext(value) }
            } else {
                for _ in 0..<times { subject.subscribe(onNext: { _ in }).dispose() }
            }
        },
        check: { try confirm(delivered.take(), is: operations / threads) }, tearDown: lasting.dispose)
}

/// Each thread sends to a separate source.
@Sendable
private func mergeJoint(_ threads: Int) -> Joint {
    let sources = (0..<threads).map { _ in PublishSubject<Int>() }
    let sum = Counter()
    let merged = hidden(Observable.merge(sources.map { $0.asObservable() }))
    let subscription = merged.subscribe(onNext: { _ in _ = sum.add() })
    return Joint(
        work: { thread, times in
            let source = sources[thread]
            for value in 0..<times { source.onNext(value) }
        },
        check: { try confirm(sum.take(), is: operations) }, tearDown: subscription.dispose)
}

/// Each thread subscribes and disposes, so that the threads connect and disconnect the source together.
@Sendable
private func shareJoint(_ threads: Int) -> Joint {
    let subject = PublishSubject<Int>()
    let shared = hidden(subject.share(replay: 1))
    return Joint(
        work: { _, times in for _ in 0..<times { shared.subscribe(onNext: { _ in }).dispose() } },
        check: { !subject.hasObservers })
}

/// All threads insert into one bag, which is replaced between the iterations.
@Sendable
private func bagJoint(_ threads: Int) -> Joint {
    let bag = Mutex(DisposeBag())
    let disposed = Counter()
    return Joint(
        work: { _, times in
            let bag = bag.withLock { $0 }
            for _ in 0..<times { Disposables.create { _ = disposed.add() }.disposed(by: bag) }
        },
        check: {
            bag.withLock { $0 = DisposeBag() }
            return try confirm(disposed.take(), is: operations)
        })
}

/// All threads schedule on one queue and wait for it.
@Sendable
private func serialJoint(_ threads: Int) -> Joint {
    let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated)
    let done = Counter()
    let finished = DispatchSemaphore(value: 0)
    return Joint(
        work: { _, times in
            for _ in 0..<times {
                _ = scheduler.schedule(done) { done in
                    if done.add() == operations { finished.signal() }
                    return Disposables.create()
                }
            }
        },
        check: {
            if finished.wait(timeout: .now() + 10) == .timedOut { throw Stalled() }
            return try confirm(done.take(), is: operations)
        })
}

import Foundation
import Synchronization

/// Carries a value into a closure that runs on another thread. The test orders the accesses.
struct Sent<Value>: @unchecked Sendable {
    // @unchecked: see above.
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// A variable that tests change from a closure.
final class Box<Value>: @unchecked Sendable {
    // @unchecked: a test writes on one thread at a time, and reads when that thread has ended.
    var value: Value

    init(_ value: Value) { self.value = value }
}

/// Runs `body` on this many threads, which begin together. Returns when all have ended and released it.
func onThreads(_ count: Int, _ body: @escaping @Sendable (_ index: Int) -> Void) {
    let startLine = StartLine(count)
    let threads = (0..<count).map { index in
        JoinedThread {
            startLine.arrive()
            body(index)
        }
    }
    for thread in threads { thread.join() }
}

/// A thread that can be joined. After its end nothing holds its work, so resources can be counted.
struct JoinedThread {
    private let handle: pthread_t

    private final class Work: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    init(_ body: @escaping @Sendable () -> Void) {
        let argument = Unmanaged.passRetained(Work(body)).toOpaque()
        #if canImport(Darwin)
            var handle: pthread_t?
            pthread_create(
                &handle, nil,
                { argument in
                    Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
                    return nil
                }, argument)
            self.handle = handle!
        #else
            var handle = pthread_t()
            pthread_create(
                &handle, nil,
                { argument in
                    Unmanaged<Work>.fromOpaque(argument!).takeRetainedValue().body()
                    return nil
                }, argument)
            self.handle = handle
        #endif
    }

    func join() { pthread_join(handle, nil) }
}

/// Holds threads until all have arrived, and then releases them at the same moment.
private final class StartLine: Sendable {
    private let missing: Atomic<Int>

    init(_ count: Int) { missing = Atomic(count) }

    func arrive() {
        missing.wrappingSubtract(1, ordering: .acquiringAndReleasing)
        while missing.load(ordering: .acquiring) > 0 { sched_yield() }
    }
}

/// A counter that many threads may advance.
final class Tally: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .acquiring) }

    func add() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }
}

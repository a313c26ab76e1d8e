import Foundation
import Rx
import XCTest

/// An error without content, made by the test itself.
struct TestError: Error, Equatable {}

/// An object whose deallocation a test can observe.
final class LifetimeProbe: Sendable {}

/// Runs the bodies at the same time, each on a separate thread, waits for all, and releases them.
func concurrently(_ bodies: @Sendable () -> Void...) {
    let group = DispatchGroup()
    let start = DispatchSemaphore(value: 0)
    for body in bodies {
        group.enter()
        let work = Work(body)
        Thread {
            start.wait()
            work.run()
            group.leave()
        }.start()
    }
    for _ in bodies { start.signal() }
    group.wait()
}

/// A closure that is released after it has run, because a `Thread` keeps its block for a while.
private final class Work: @unchecked Sendable {
    // @unchecked: one thread sets it before the other thread is started.
    private var body: (@Sendable () -> Void)?
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func run() {
        body?()
        body = nil
    }
}

/// Keeps a subscription until the first of several threads takes it.
final class DropBox: @unchecked Sendable {
    // @unchecked: guarded by `lock`.
    private let lock = NSLock()
    private var content: (any Disposable)?
    init(_ content: any Disposable) { self.content = content }
    func take() -> (any Disposable)? {
        lock.withLock {
            defer { content = nil }
            return content
        }
    }
}

extension XCTestCase {
    /// For tests in which threads intentionally send to one observer at the same time: nothing is reported until the
    /// end of the test. Call it in `setUp`.
    func allowOverlappingEvents() {
        let before = Hooks.grammarChecks
        Hooks.grammarChecks = .silent
        addTeardownBlock { Hooks.grammarChecks = before }
    }
}

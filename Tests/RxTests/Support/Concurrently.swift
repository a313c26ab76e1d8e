import Foundation
import Rx
import XCTest

/// An error without content, made by the test itself.
struct TestError: Error, Equatable {}

/// An object whose end a test can see.
final class LifetimeProbe: Sendable {}

/// Runs the bodies at the same time, each on a separate thread, waits for all, and keeps none.
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
    // @unchecked: one thread sets it, the other is started after that.
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
    /// For tests in which threads send to one observer at the same time, on purpose: nothing is reported until the test
    /// is over. Call it in `setUp`.
    func allowOverlappingEvents() {
        let before = Hooks.grammarChecks
        Hooks.grammarChecks = .silent
        addTeardownBlock { Hooks.grammarChecks = before }
    }
}

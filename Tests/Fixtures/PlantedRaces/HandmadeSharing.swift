import Rx

/// A handwritten `share`.
final class ShareByHand: @unchecked Sendable {
    // @unchecked: the mutable state is guarded by `lock`, except where a fault is requested.
    enum Fault {
        /// Finds that the last observer has left and takes the connection in two separate steps.
        case disconnectsLate
        /// Checks whether an observer is the first and adds it in two separate steps.
        case connectsTwice
        /// Calls observers while it holds the lock.
        case sendsUnderLock
    }

    private let source: Observable<Int>
    private let fault: Fault?
    private let pause: Pause
    private let lock = Bolt()
    private var observers: [Int: AnyObserver<Int>] = [:]
    private var nextKey = 0
    private var connection: SerialDisposable?

    init(_ source: Observable<Int>, _ fault: Fault?, _ pause: Pause) {
        self.source = source
        self.fault = fault
        self.pause = pause
    }

    var sequence: Observable<Int> { .create { self.join($0) } }

    private func join(_ observer: AnyObserver<Int>) -> any Disposable {
        var isFirst = lock.withLock { observers.isEmpty }
        if fault == .connectsTwice { pause.step() }
        let (key, place) = lock.withLock {
            if fault != .connectsTwice { isFirst = observers.isEmpty }
            nextKey += 1
            observers[nextKey] = observer
            let place = isFirst ? SerialDisposable() : nil
            if let place { connection = place }
            return (nextKey, place)
        }
        place?.disposable = source.subscribe(onNext: { self.send($0) })
        return Disposables.create { self.leave(key) }
    }

    private func leave(_ key: Int) {
        var released = lock.withLock { () -> SerialDisposable? in
            observers[key] = nil
            return observers.isEmpty ? takeConnection(unless: .disconnectsLate) : nil
        }
        if fault == .disconnectsLate, lock.withLock({ observers.isEmpty }) {
            pause.step()
            released = lock.withLock { takeConnection() }
        }
        released?.dispose()
    }

    private func takeConnection(unless late: Fault? = nil) -> SerialDisposable? {
        if late != nil, fault == late { return nil }
        defer { connection = nil }
        return connection
    }

    private func send(_ element: Int) {
        if fault == .sendsUnderLock {
            lock.withLock {
                pause.step()
                for observer in observers.values { observer.onNext(element) }
            }
        } else {
            let all = lock.withLock { Array(observers.values) }
            pause.step()
            for observer in all { observer.onNext(element) }
        }
    }
}

/// A handwritten `merge`.
///
/// - Parameter disposesUnderLock: whether disposal takes the lock, and so waits until a delivery has returned.
func mergeByHand(
    _ first: Observable<Int>, _ second: Observable<Int>, disposesUnderLock: Bool
) -> Observable<Int> {
    .create { observer in
        let lock = Bolt()
        let sources = [first, second].map { source in
            source.subscribe(onNext: { element in
                lock.withLock { observer.onNext(element) }
            })
        }
        let disposal = Disposables.create(sources)
        return Disposables.create {
            if disposesUnderLock { lock.withLock { disposal.dispose() } } else { disposal.dispose() }
        }
    }
}

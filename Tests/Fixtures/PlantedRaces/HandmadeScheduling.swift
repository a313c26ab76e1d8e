import DisposeRaceBenchmarks
import Rx

/// A handwritten `observe(on:)` that handles elements only.
final class ObserveOnByHand: Disposable, @unchecked Sendable {
    // @unchecked: the mutable state is guarded by `lock`, except where a fault is requested.
    enum Fault {
        /// Checks for disposal and stores the scheduled turn in two separate steps.
        case keepsLate
        /// Finds the queue empty and marks it inactive in two separate steps.
        case restsLate
    }

    private let observer: AnyObserver<Int>
    private let scheduler: any SchedulerType
    private let fault: Fault?
    private let pause: Pause
    private let lock = Bolt()
    private var waiting: [Int] = []
    private var isActive = false
    private var isDisposed = false
    private var turn: (any Disposable)?

    private init(_ observer: AnyObserver<Int>, _ scheduler: any SchedulerType, _ fault: Fault?, _ pause: Pause) {
        self.observer = observer
        self.scheduler = scheduler
        self.fault = fault
        self.pause = pause
    }

    static func sequence(
        _ source: Observable<Int>, on scheduler: any SchedulerType, _ fault: Fault?, _ pause: Pause
    ) -> Observable<Int> {
        .create { observer in
            let queue = ObserveOnByHand(observer, scheduler, fault, pause)
            return Disposables.create(source.subscribe(onNext: queue.enqueue), queue)
        }
    }

    private func enqueue(_ element: Int) {
        let starts = lock.withLock {
            waiting.append(element)
            defer { isActive = true }
            return !isActive
        }
        if starts { schedule() }
    }

    private func schedule() {
        let scheduled = scheduler.schedule(()) { [self] in
            deliver()
            return Disposables.create()
        }
        let isLate: Bool
        if fault == .keepsLate {
            isLate = lock.withLock { isDisposed }
            pause.step()
            lock.withLock { turn = scheduled }
        } else {
            pause.step()
            isLate = lock.withLock {
                if !isDisposed { turn = scheduled }
                return isDisposed
            }
        }
        if isLate { scheduled.dispose() }
    }

    private func deliver() {
        while let element = nextElement() { observer.onNext(element) }
        if fault == .restsLate {
            pause.step()
            lock.withLock { isActive = false }
        }
    }

    private func nextElement() -> Int? {
        lock.withLock {
            if !waiting.isEmpty { return waiting.removeFirst() }
            if fault != .restsLate { isActive = false }
            return nil
        }
    }

    func dispose() {
        let turn = lock.withLock {
            isDisposed = true
            return self.turn
        }
        turn?.dispose()
    }
}

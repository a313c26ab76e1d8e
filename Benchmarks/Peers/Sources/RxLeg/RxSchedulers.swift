import PeersWork

#if PEER_RXSWIFT
    import RxSwift
#else
    import Rx
#endif

func schedulerRound(_ family: Family, _ n: Int) -> Round? {
    let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated)
    let gate = Gate(after: n)
    switch family {
    case .schedule:
        return {
            for _ in 0..<n {
                _ = scheduler.schedule(gate) { gate in
                    gate.pass(1)
                    return Disposables.create()
                }
            }
            return try gate.wait()
        }
    case .observeOn:
        return {
            let subject = PublishSubject<Int>()
            let subscription = subject.observe(on: scheduler).subscribe(onNext: { gate.pass($0) })
            for value in 0..<n { subject.onNext(value) }
            defer { subscription.dispose() }
            return try gate.wait()
        }
    case .subscribeOn:
        let sequence = hidden(Observable.just(1).subscribe(on: scheduler))
        return {
            for _ in 0..<n { _ = sequence.subscribe(onNext: { gate.pass($0) }) }
            return try gate.wait()
        }
    default:
        let total = Total()
        let cell = total.cell
        return {
            _ = CurrentThreadScheduler.instance.scheduleRecursive(n) { left, recurse in
                cell.pointee &+= 1
                if left > 1 { recurse(left - 1) }
            }
            return total.take()
        }
    }
}

func clockRound(_ family: Family, _ n: Int) -> Round? {
    let queue = SerialDispatchQueueScheduler(qos: .userInitiated)
    switch family {
    case .virtualTime:
        let total = Total()
        let cell = total.cell
        return {
            let scheduler = HistoricalScheduler()
            // A prime step visits the times in an order that is neither ascending nor descending.
            for item in 0..<n {
                _ = scheduler.scheduleRelative((), dueTime: .milliseconds(1 + item * 7_919 % n)) {
                    cell.pointee &+= 1
                    return Disposables.create()
                }
            }
            scheduler.start()
            return total.take()
        }
    case .debounce:
        let gate = Gate(after: 1)
        return {
            let subject = PublishSubject<Int>()
            let last = n - 1
            // If this thread pauses, an earlier element may pass.
            let subscription = subject.debounce(.milliseconds(1), scheduler: queue)
                .subscribe(onNext: { if $0 == last { gate.pass($0) } })
            for value in 0..<n { subject.onNext(value) }
            defer { subscription.dispose() }
            return try gate.wait()
        }
    default:
        let gate = Gate(after: n)
        let sequence = hidden(Observable.just(1).delay(.milliseconds(1), scheduler: queue))
        return {
            for _ in 0..<n { _ = sequence.subscribe(onNext: { gate.pass($0) }) }
            return try gate.wait()
        }
    }
}

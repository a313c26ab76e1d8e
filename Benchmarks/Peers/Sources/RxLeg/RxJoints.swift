import PeersWork

#if PEER_RXSWIFT
    import RxSwift
#else
    import Rx
#endif

func jointRound(_ family: Family, _ n: Int) -> Round? {
    switch family {
    case .merge: alternating(n) { Observable.merge($0, $1) }
    case .combineLatest: alternating(n) { Observable.combineLatest($0, $1) { $0 &+ $1 } }
    case .zip: alternating(n) { Observable.zip($0, $1) { $0 &+ $1 } }
    case .share: shared(n) { $0.share() }
    case .shareReplay: shared(n) { $0.share(replay: 1) }
    default: withLatestRound(n)
    }
}

/// Sends `n` integers alternately to two subjects. The result is the number of received elements, and their sum.
private func alternating(
    _ n: Int, _ assemble: @escaping (Observable<Int>, Observable<Int>) -> Observable<Int>
) -> Round {
    let total = Total()
    let (cell, count) = (total.cell, total.count)
    return {
        let (first, second) = (PublishSubject<Int>(), PublishSubject<Int>())
        let subscription = hidden(assemble(first.asObservable(), second.asObservable())).subscribe(onNext: {
            count.pointee &+= 1
            cell.pointee &+= $0
        })
        for value in 0..<n {
            if value & 1 == 0 { first.onNext(value) } else { second.onNext(value) }
        }
        subscription.dispose()
        return total.takeCounted()
    }
}

private func withLatestRound(_ n: Int) -> Round {
    let total = Total()
    let cell = total.cell
    return {
        let (source, other) = (PublishSubject<Int>(), PublishSubject<Int>())
        let subscription = hidden(source.withLatestFrom(other) { $0 &+ $1 }).subscribe(onNext: { cell.pointee &+= $0 })
        other.onNext(7)
        for value in 0..<n { source.onNext(value) }
        subscription.dispose()
        return total.take()
    }
}

private func shared(_ n: Int, _ share: @escaping (Observable<Int>) -> Observable<Int>) -> Round {
    let total = Total()
    let cell = total.cell
    return {
        let subject = PublishSubject<Int>()
        let sequence = hidden(share(subject.asObservable()))
        let first = sequence.subscribe(onNext: { cell.pointee &+= $0 })
        let second = sequence.subscribe(onNext: { cell.pointee &+= $0 })
        for value in 0..<n { subject.onNext(value) }
        first.dispose()
        second.dispose()
        return total.take()
    }
}

func innerRound(_ family: Family, _ n: Int) -> Round? {
    switch family {
    case .flatMapJust: return pushed(n) { $0.flatMap { Observable.just($0) } }
    case .flatMapRange: return pushed(n) { $0.flatMap { Observable.range(start: $0, count: 10) } }
    default:
        let total = Total()
        let cell = total.cell
        return {
            let subject = PublishSubject<Int>()
            // Inner sequences stay open, so that each one is disposed when the next one arrives.
            let subscription = hidden(subject.flatMapLatest { BehaviorSubject(value: $0) })
                .subscribe(onNext: { cell.pointee = $0 })
            for value in 0..<n { subject.onNext(value) }
            subscription.dispose()
            return total.take()
        }
    }
}

func subscriptionRound(_ family: Family, _ n: Int) -> Round? {
    let total = Total()
    let cell = total.cell
    switch family {
    case .single:
        return {
            for value in 0..<n {
                _ = Single.just(value).map { $0 &+ 1 }.flatMap { .just($0 &* 2) }
                    .subscribe(onSuccess: { cell.pointee &+= $0 })
            }
            return total.take()
        }
    case .subscribe:
        let subject = PublishSubject<Int>()
        let sequence = hidden(subject.map { $0 &+ 1 }.filter { $0 > 0 })
        return {
            for _ in 1..<n { sequence.subscribe(onNext: { cell.pointee &+= $0 }).dispose() }
            let last = sequence.subscribe(onNext: { cell.pointee &+= $0 })
            subject.onNext(1)
            last.dispose()
            return total.take()
        }
    case .subjectOnce:
        return {
            for _ in 0..<n {
                let subject = PublishSubject<Int>()
                _ = subject.subscribe(onNext: { cell.pointee &+= $0 })
                subject.onNext(1)
            }
            return total.take()
        }
    case .twelve:
        let subject = PublishSubject<Int>()
        return {
            for _ in 0..<n {
                let subscription = twelve(subject.asObservable()).subscribe(onNext: { cell.pointee &+= $0 })
                subject.onNext(1)
                subscription.dispose()
            }
            return total.take()
        }
    default:
        return {
            let subject = PublishSubject<Int>()
            let bag = DisposeBag()
            for _ in 0..<n { subject.subscribe(onNext: { cell.pointee &+= $0 }).disposed(by: bag) }
            subject.onNext(1)
            return withExtendedLifetime(bag) { total.take() }
        }
    }
}

import PeersWork

#if PEER_RXSWIFT
    import RxSwift
#else
    import Rx
#endif

// Also compiled as the leg of RxSwift: this file uses only the API that both libraries have.

/// The rounds of Rx, or of RxSwift.
public func makeRound(_ family: Family, _ n: Int) -> Round? {
    switch family {
    case .create, .just, .range: sourceRound(family, n)
    case .map, .filter, .mapFilter, .text, .scan, .buffer, .groupBy: chainRound(family, n)
    case .publish, .publishToMany, .behavior: subjectRound(family, n)
    case .merge, .withLatestFrom, .combineLatest, .zip, .share, .shareReplay: jointRound(family, n)
    case .flatMapJust, .flatMapRange, .flatMapLatest: innerRound(family, n)
    case .single, .subscribe, .subjectOnce, .twelve, .manyObservers: subscriptionRound(family, n)
    case .schedule, .observeOn, .subscribeOn, .recursion: schedulerRound(family, n)
    case .virtualTime, .debounce, .delay: clockRound(family, n)
    }
}

/// Subscribes to the result of `assemble` for a subject, sends `n` integers and disposes.
func pushed(_ n: Int, _ assemble: @escaping (Observable<Int>) -> Observable<Int>) -> Round {
    let total = Total()
    let cell = total.cell
    return {
        let subject = PublishSubject<Int>()
        let subscription = hidden(assemble(subject.asObservable())).subscribe(onNext: { cell.pointee &+= $0 })
        for value in 0..<n { subject.onNext(value) }
        subscription.dispose()
        return total.take()
    }
}

/// Hides a sequence's origin from the optimiser, as a library boundary would.
@inline(never)
func hidden<Element>(_ sequence: Observable<Element>) -> Observable<Element> { sequence }

private func sourceRound(_ family: Family, _ n: Int) -> Round? {
    let total = Total()
    let cell = total.cell
    if family == .just {
        let sequence = hidden(Observable.just(1))
        return {
            for _ in 0..<n { _ = sequence.subscribe(onNext: { cell.pointee &+= $0 }) }
            return total.take()
        }
    }
    let sequence = hidden(
        family == .range
            ? .range(start: 0, count: n)
            : .create { observer in
                for value in 0..<n { observer.onNext(value) }
                observer.onCompleted()
                return Disposables.create()
            })
    return {
        _ = sequence.subscribe(onNext: { cell.pointee &+= $0 })
        return total.take()
    }
}

private func chainRound(_ family: Family, _ n: Int) -> Round? {
    switch family {
    case .map: pushed(n) { $0.map { $0 &+ 1 } }
    case .filter: pushed(n) { $0.filter { $0 & 1 == 0 } }
    case .mapFilter: pushed(n, twelve)
    case .scan: pushed(n) { $0.scan(0) { $0 &+ $1 } }
    case .groupBy:
        pushed(n) { $0.groupBy { $0 % 10 }.flatMap { group in group.map { [key = group.key] in $0 &+ key } } }
    case .buffer: bufferRound(n)
    default: textRound(n)
    }
}

/// Six maps and six filters with distinct bodies: the compiler would merge equal closures into one function.
func twelve(_ source: Observable<Int>) -> Observable<Int> {
    source.map { $0 &+ 1 }.filter { $0 >= 0 }.map { $0 ^ 5 }.filter { $0 != -7 }.map { $0 &* 3 }
        .filter { $0 < 1 << 60 }.map { $0 >> 1 }.filter { ($0 | 7) > 0 }.map { $0 | 64 }
        .filter { ($0 & 0xffff_ffff_ffff) >= 0 }.map { $0 &- 9 }.filter { ($0 ^ 3) != 1 << 50 }
}

/// The buffer's clock never advances, so only full buffers are sent.
private func bufferRound(_ n: Int) -> Round {
    let total = Total()
    let (cell, count) = (total.cell, total.count)
    return {
        let subject = PublishSubject<Int>()
        let buffered = hidden(subject.buffer(timeSpan: .seconds(3_600), count: 10, scheduler: HistoricalScheduler()))
        let subscription = buffered.subscribe(onNext: { elements in
            count.pointee &+= 1
            for element in elements { cell.pointee &+= element }
        })
        for value in 0..<n { subject.onNext(value) }
        subscription.dispose()
        return total.takeCounted()
    }
}

private func textRound(_ n: Int) -> Round {
    let total = Total()
    let cell = total.cell
    let text = Family.sample
    return {
        let subject = PublishSubject<String>()
        let subscription = hidden(subject.map { $0.isEmpty ? "" : $0 }).subscribe(onNext: {
            cell.pointee &+= $0.utf8.count
        })
        for _ in 0..<n { subject.onNext(text) }
        subscription.dispose()
        return total.take()
    }
}

private func subjectRound(_ family: Family, _ n: Int) -> Round? {
    let total = Total()
    let cell = total.cell
    guard family == .behavior else {
        let observers = family == .publish ? 1 : 100
        return {
            let subject = PublishSubject<Int>()
            let subscriptions = (0..<observers).map { _ in subject.subscribe(onNext: { cell.pointee &+= $0 }) }
            for value in 0..<n { subject.onNext(value) }
            for subscription in subscriptions { subscription.dispose() }
            return total.take()
        }
    }
    return {
        let subject = BehaviorSubject(value: 0)
        let subscription = subject.subscribe(onNext: { cell.pointee &+= $0 })
        for value in 0..<n { subject.onNext(value) }
        subscription.dispose()
        return total.take()
    }
}

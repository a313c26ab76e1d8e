import OpenCombine
import OpenCombineDispatch
import PeersWork

/// The rounds of OpenCombine. Publishers keep their types, which is the faster form.
public func makeRound(_ family: Family, _ n: Int) -> Round? {
    switch family {
    // There is no publisher that sends from a closure; no 'groupBy', 'merge', 'withLatestFrom', 'combineLatest' or
    // replaying 'share'; no scheduler that recurses with a flat stack, and no virtual-time scheduler.
    case .create, .groupBy, .merge, .withLatestFrom, .combineLatest, .shareReplay, .recursion, .virtualTime: return nil
    case .just, .range: return sourceRound(family, n)
    case .map: return pushed(n) { $0.map { $0 &+ 1 } }
    case .filter: return pushed(n) { $0.filter { $0 & 1 == 0 } }
    case .mapFilter: return pushed(n, twelve)
    case .scan: return pushed(n) { $0.scan(0) { $0 &+ $1 } }
    case .text: return textRound(n)
    case .buffer: return bufferRound(n)
    case .publish, .publishToMany, .behavior: return subjectRound(family, n)
    case .zip: return alternating(n) { $0.zip($1) { $0 &+ $1 } }
    case .share: return shareRound(n)
    case .flatMapJust: return pushed(n) { $0.flatMap { Just($0) } }
    case .flatMapRange: return pushed(n) { $0.flatMap { ($0..<$0 + 10).publisher } }
    case .flatMapLatest: return switchRound(n)
    case .single, .subscribe, .subjectOnce, .twelve, .manyObservers: return subscriptionRound(family, n)
    case .schedule, .observeOn, .subscribeOn: return schedulerRound(family, n)
    case .debounce, .delay: return clockRound(family, n)
    }
}

typealias Subject = PassthroughSubject<Int, Never>

/// Subscribes to the result of `assemble` for a subject, sends `n` integers and cancels.
private func pushed(
    _ n: Int, _ assemble: @escaping (Subject) -> some Publisher<Int, Never>
) -> Round {
    let total = Total()
    let cell = total.cell
    return {
        let subject = Subject()
        let subscription = assemble(subject).sink { cell.pointee &+= $0 }
        for value in 0..<n { subject.send(value) }
        subscription.cancel()
        return total.take()
    }
}

private func sourceRound(_ family: Family, _ n: Int) -> Round {
    let total = Total()
    let cell = total.cell
    if family == .just {
        let publisher = Just(1)
        return {
            for _ in 0..<n { _ = publisher.sink { cell.pointee &+= $0 } }
            return total.take()
        }
    }
    let publisher = (0..<n).publisher
    return {
        _ = publisher.sink { cell.pointee &+= $0 }
        return total.take()
    }
}

func twelve(_ source: Subject) -> some Publisher<Int, Never> {
    // In two parts, because the type checker cannot check all twelve operators in one expression.
    let half = source.map { $0 &+ 1 }.filter { $0 >= 0 }.map { $0 ^ 5 }.filter { $0 != -7 }.map { $0 &* 3 }
        .filter { $0 < 1 << 60 }
    return half.map { $0 >> 1 }.filter { ($0 | 7) > 0 }.map { $0 | 64 }
        .filter { ($0 & 0xffff_ffff_ffff) >= 0 }.map { $0 &- 9 }.filter { ($0 ^ 3) != 1 << 50 }
}

private func textRound(_ n: Int) -> Round {
    let total = Total()
    let cell = total.cell
    let text = Family.sample
    return {
        let subject = PassthroughSubject<String, Never>()
        let subscription = subject.map { $0.isEmpty ? "" : $0 }.sink { cell.pointee &+= $0.utf8.count }
        for _ in 0..<n { subject.send(text) }
        subscription.cancel()
        return total.take()
    }
}

private func bufferRound(_ n: Int) -> Round {
    let total = Total()
    let (cell, count) = (total.cell, total.count)
    return {
        let subject = Subject()
        let subscription = subject.collect(10).sink { elements in
            count.pointee &+= 1
            for element in elements { cell.pointee &+= element }
        }
        for value in 0..<n { subject.send(value) }
        subscription.cancel()
        return total.takeCounted()
    }
}

private func subjectRound(_ family: Family, _ n: Int) -> Round {
    let total = Total()
    let cell = total.cell
    guard family == .behavior else {
        let observers = family == .publish ? 1 : 100
        return {
            let subject = Subject()
            let subscriptions = (0..<observers).map { _ in subject.sink { cell.pointee &+= $0 } }
            for value in 0..<n { subject.send(value) }
            for subscription in subscriptions { subscription.cancel() }
            return total.take()
        }
    }
    return {
        let subject = CurrentValueSubject<Int, Never>(0)
        let subscription = subject.sink { cell.pointee &+= $0 }
        for value in 0..<n { subject.send(value) }
        subscription.cancel()
        return total.take()
    }
}

private func alternating(
    _ n: Int, _ assemble: @escaping (Subject, Subject) -> some Publisher<Int, Never>
) -> Round {
    let total = Total()
    let (cell, count) = (total.cell, total.count)
    return {
        let (first, second) = (Subject(), Subject())
        let subscription = assemble(first, second).sink {
            count.pointee &+= 1
            cell.pointee &+= $0
        }
        for value in 0..<n {
            if value & 1 == 0 { first.send(value) } else { second.send(value) }
        }
        subscription.cancel()
        return total.takeCounted()
    }
}

private func shareRound(_ n: Int) -> Round {
    let total = Total()
    let cell = total.cell
    return {
        let subject = Subject()
        let shared = subject.share()
        let subscriptions = [
            shared.sink { cell.pointee &+= $0 }, shared.sink { cell.pointee &+= $0 },
        ]
        for value in 0..<n { subject.send(value) }
        for subscription in subscriptions { subscription.cancel() }
        return total.take()
    }
}

private func switchRound(_ n: Int) -> Round {
    let total = Total()
    let cell = total.cell
    return {
        let subject = Subject()
        let subscription = subject.map { CurrentValueSubject<Int, Never>($0) }.switchToLatest()
            .sink { cell.pointee = $0 }
        for value in 0..<n { subject.send(value) }
        subscription.cancel()
        return total.take()
    }
}

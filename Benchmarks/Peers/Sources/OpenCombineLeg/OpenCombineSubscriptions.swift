import Dispatch
import OpenCombine
import OpenCombineDispatch
import PeersWork

func subscriptionRound(_ family: Family, _ n: Int) -> Round {
    let total = Total()
    let cell = total.cell
    switch family {
    case .single:
        return {
            for value in 0..<n {
                _ = Just(value).map { $0 &+ 1 }.flatMap { Just($0 &* 2) }.sink { cell.pointee &+= $0 }
            }
            return total.take()
        }
    case .subscribe:
        let subject = Subject()
        let publisher = subject.map { $0 &+ 1 }.filter { $0 > 0 }
        return {
            for _ in 1..<n { publisher.sink { cell.pointee &+= $0 }.cancel() }
            let last = publisher.sink { cell.pointee &+= $0 }
            subject.send(1)
            last.cancel()
            return total.take()
        }
    case .subjectOnce:
        return {
            for _ in 0..<n {
                let subject = Subject()
                let subscription = subject.sink { cell.pointee &+= $0 }
                subject.send(1)
                subscription.cancel()
            }
            return total.take()
        }
    case .twelve:
        let subject = Subject()
        return {
            for _ in 0..<n {
                let subscription = twelve(subject).sink { cell.pointee &+= $0 }
                subject.send(1)
                subscription.cancel()
            }
            return total.take()
        }
    default:
        return {
            let subject = Subject()
            var bag = Set<AnyCancellable>()
            for _ in 0..<n { subject.sink { cell.pointee &+= $0 }.store(in: &bag) }
            subject.send(1)
            return withExtendedLifetime(bag) { total.take() }
        }
    }
}

private func serialQueue() -> DispatchQueue { DispatchQueue(label: "peers", qos: .userInitiated) }

func schedulerRound(_ family: Family, _ n: Int) -> Round {
    let scheduler = DispatchQueue.OCombine(serialQueue())
    let gate = Gate(after: n)
    switch family {
    case .schedule:
        return {
            for _ in 0..<n { scheduler.schedule { gate.pass(1) } }
            return try gate.wait()
        }
    case .observeOn:
        return {
            let subject = Subject()
            let subscription = subject.receive(on: scheduler).sink { gate.pass($0) }
            for value in 0..<n { subject.send(value) }
            defer { subscription.cancel() }
            return try gate.wait()
        }
    default:
        let publisher = Just(1).subscribe(on: scheduler)
        return { try subscribed(n, publisher, gate) }
    }
}

/// Subscribes `n` times and waits for `n` elements. Keeps the subscriptions, because dropping one cancels it.
private func subscribed(_ n: Int, _ publisher: some Publisher<Int, Never>, _ gate: Gate) throws -> Int {
    var kept: [AnyCancellable] = []
    kept.reserveCapacity(n)
    for _ in 0..<n { kept.append(publisher.sink { gate.pass($0) }) }
    defer { withExtendedLifetime(kept) {} }
    return try gate.wait()
}

func clockRound(_ family: Family, _ n: Int) -> Round {
    let scheduler = DispatchQueue.OCombine(serialQueue())
    guard family == .debounce else {
        let gate = Gate(after: n)
        let publisher = Just(1).delay(for: .milliseconds(1), scheduler: scheduler)
        return { try subscribed(n, publisher, gate) }
    }
    let gate = Gate(after: 1)
    return {
        let subject = Subject()
        let last = n - 1
        let subscription = subject.debounce(for: .milliseconds(1), scheduler: scheduler)
            .sink { if $0 == last { gate.pass($0) } }
        for value in 0..<n { subject.send(value) }
        defer { subscription.cancel() }
        return try gate.wait()
    }
}

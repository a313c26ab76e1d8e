import Dispatch
import PeersWork
import RxBench
import Synchronization

// The twelve closures of the chain, in one function: twelve parameters would not be easier to read.
func twelve(_ receive: @escaping Receive) -> Receive {
    let steps = opaque(Steps())
    return { value in
        var x = steps.maps.0(value)
        guard steps.filters.0(x) else { return }
        x = steps.maps.1(x)
        guard steps.filters.1(x) else { return }
        x = steps.maps.2(x)
        guard steps.filters.2(x) else { return }
        x = steps.maps.3(x)
        guard steps.filters.3(x) else { return }
        x = steps.maps.4(x)
        guard steps.filters.4(x) else { return }
        x = steps.maps.5(x)
        guard steps.filters.5(x) else { return }
        receive(x)
    }
}

private struct Steps {
    let maps: (Map, Map, Map, Map, Map, Map) = (
        { $0 &+ 1 }, { $0 ^ 5 }, { $0 &* 3 }, { $0 >> 1 }, { $0 | 64 }, { $0 &- 9 }
    )
    let filters: (Filter, Filter, Filter, Filter, Filter, Filter) = (
        { $0 >= 0 }, { $0 != -7 }, { $0 < 1 << 60 }, { ($0 | 7) > 0 }, { ($0 & 0xffff_ffff_ffff) >= 0 },
        { ($0 ^ 3) != 1 << 50 }
    )
}

func twelveRound(_ n: Int, _ total: Total, _ receive: @escaping Receive) -> Round {
    let step = twelve(receive)
    return {
        for value in 0..<n { step(value) }
        return total.take()
    }
}

/// A hand-written subject that stores its observers by number.
private final class Observers {
    private var observers: [Int: Receive] = [:]
    private var next = 0

    func add(_ observer: @escaping Receive) -> Int {
        next += 1
        observers[next] = observer
        return next
    }

    func remove(_ number: Int) { observers[number] = nil }
    func send(_ value: Int) { for observer in observers.values { observer(value) } }
}

func subscriptionRound(_ family: Family, _ n: Int, _ total: Total) -> Round {
    let cell = total.cell
    let receive = opaque({ cell.pointee &+= $0 } as Receive)
    switch family {
    case .subscribe:
        let observers = Observers()
        let (map, isIncluded) = opaque(({ $0 &+ 1 } as Map, { $0 > 0 } as Filter))
        let observer: Receive = { value in
            let mapped = map(value)
            if isIncluded(mapped) { receive(mapped) }
        }
        return {
            for _ in 1..<n { observers.remove(observers.add(observer)) }
            let last = observers.add(observer)
            observers.send(1)
            observers.remove(last)
            return total.take()
        }
    case .subjectOnce:
        return {
            for _ in 0..<n {
                let observers = Observers()
                _ = observers.add(receive)
                observers.send(1)
            }
            return total.take()
        }
    case .twelve:
        let observers = Observers()
        return {
            for _ in 0..<n {
                let number = observers.add(twelve(receive))
                observers.send(1)
                observers.remove(number)
            }
            return total.take()
        }
    default:
        return {
            let observers = Observers()
            for _ in 0..<n { _ = observers.add(receive) }
            observers.send(1)
            return total.take()
        }
    }
}

func queueRound(_ family: Family, _ n: Int) -> Round {
    let queue = DispatchQueue(label: "peers", qos: .userInitiated)
    switch family {
    case .schedule, .subscribeOn:
        let gate = Gate(after: n)
        return {
            for _ in 0..<n { queue.async { gate.pass(1) } }
            return try gate.wait()
        }
    case .observeOn:
        let gate = Gate(after: n)
        return {
            for value in 0..<n { queue.async { gate.pass(value) } }
            return try gate.wait()
        }
    case .delay:
        let gate = Gate(after: n)
        return {
            for _ in 0..<n { queue.asyncAfter(deadline: .now() + .milliseconds(1)) { gate.pass(1) } }
            return try gate.wait()
        }
    default: return debounceRound(n, queue)
    }
}

/// One timer that each element rearms.
private func debounceRound(_ n: Int, _ queue: DispatchQueue) -> Round {
    let gate = Gate(after: 1)
    return {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        let latest = Latest()
        let last = n - 1
        timer.setEventHandler {
            let value = latest.value.load(ordering: .relaxed)
            if value == last, !latest.hasPassed.exchange(true, ordering: .relaxed) { gate.pass(value) }
        }
        timer.activate()
        for value in 0..<n {
            latest.value.store(value, ordering: .relaxed)
            timer.schedule(deadline: .now() + .milliseconds(1))
        }
        defer { timer.cancel() }
        return try gate.wait()
    }
}

private final class Latest: Sendable {
    let value = Atomic(-1)
    let hasPassed = Atomic(false)
}

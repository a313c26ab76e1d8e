import Dispatch
import PeersWork
import RxBench

/// The rounds of hand-written code: loops over closures that the compiler cannot inline, as with an observer's closure;
/// variables and arrays for the state of operators; queues and timers of Dispatch.
public func makeRound(_ family: Family, _ n: Int) -> Round? {
    let total = Total()
    let (cell, count) = (total.cell, total.count)
    let receive = opaque({ cell.pointee &+= $0 } as Receive)
    switch family {
    case .create, .range, .publish:
        return looped(n, total) { receive($0) }
    case .just:
        return looped(n, total) { _ in receive(1) }
    case .map:
        let map = opaque({ $0 &+ 1 } as Map)
        return looped(n, total) { receive(map($0)) }
    case .filter:
        let isIncluded = opaque({ $0 & 1 == 0 } as Filter)
        return looped(n, total) { if isIncluded($0) { receive($0) } }
    case .mapFilter: return twelveRound(n, total, receive)
    case .text: return textRound(n, total)
    case .scan:
        let add = opaque({ $0 &+ $1 } as (Int, Int) -> Int)
        return {
            var state = 0
            for value in 0..<n {
                state = add(state, value)
                receive(state)
            }
            return total.take()
        }
    case .buffer:
        let receiveAll = opaque(
            {
                count.pointee &+= 1
                for element in $0 { cell.pointee &+= element }
            } as ([Int]) -> Void)
        return {
            var buffer: [Int] = []
            for value in 0..<n {
                buffer.append(value)
                guard buffer.count == 10 else { continue }
                receiveAll(buffer)
                buffer = []
            }
            return total.takeCounted()
        }
    case .groupBy:
        let key = opaque({ $0 % 10 } as Map)
        return {
            var groups: [Int: Receive] = [:]
            for value in 0..<n {
                let key = key(value)
                let group = groups[key] ?? { receive($0 &+ key) }
                groups[key] = group
                group(value)
            }
            return total.take()
        }
    case .publishToMany, .share:
        let observers = Array(repeating: receive, count: family == .share ? 2 : 100)
        return looped(n, total) { for observer in observers { observer($0) } }
    case .behavior, .shareReplay:
        let latest = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        let observers = Array(repeating: receive, count: family == .shareReplay ? 2 : 1)
        return looped(n, total) {
            latest.pointee = $0
            for observer in observers { observer($0) }
        }
    case .merge, .withLatestFrom, .combineLatest, .zip: return jointRound(family, n, total)
    case .flatMapJust:
        let inner = opaque({ CollectionOfOne($0) } as (Int) -> CollectionOfOne<Int>)
        return looped(n, total) { for value in inner($0) { receive(value) } }
    case .flatMapRange:
        let inner = opaque({ $0..<$0 + 10 } as (Int) -> Range<Int>)
        return looped(n, total) { for value in inner($0) { receive(value) } }
    case .flatMapLatest:
        let keep = opaque({ cell.pointee = $0 } as Receive)
        return looped(n, total) { keep($0) }
    case .single:
        let (map, inner) = opaque(({ $0 &+ 1 } as Map, { $0 &* 2 } as Map))
        return looped(n, total) { receive(inner(map($0))) }
    case .subscribe, .subjectOnce, .twelve, .manyObservers: return subscriptionRound(family, n, total)
    case .schedule, .observeOn, .subscribeOn, .debounce, .delay: return queueRound(family, n)
    // A loop or a sorted array does different work from a shared scheduler.
    case .recursion, .virtualTime: return nil
    }
}

typealias Receive = (Int) -> Void
typealias Map = (Int) -> Int
typealias Filter = (Int) -> Bool

private func looped(_ n: Int, _ total: Total, _ step: @escaping (Int) -> Void) -> Round {
    let step = opaque(step)
    return {
        for value in 0..<n { step(value) }
        return total.take()
    }
}

private func textRound(_ n: Int, _ total: Total) -> Round {
    let cell = total.cell
    let text = Family.sample
    let map = opaque({ $0.isEmpty ? "" : $0 } as (String) -> String)
    let receive = opaque({ cell.pointee &+= $0.utf8.count } as (String) -> Void)
    return {
        for _ in 0..<n { receive(map(text)) }
        return total.take()
    }
}

private func jointRound(_ family: Family, _ n: Int, _ total: Total) -> Round {
    let (cell, count) = (total.cell, total.count)
    let combine = opaque({ $0 &+ $1 } as (Int, Int) -> Int)
    let add = opaque(
        {
            count.pointee &+= 1
            cell.pointee &+= $0
        } as Receive)
    switch family {
    case .merge:
        return {
            for value in 0..<n { add(value) }
            return total.takeCounted()
        }
    case .withLatestFrom:
        let latest = opaque(7)
        return {
            for value in 0..<n { cell.pointee &+= combine(value, latest) }
            return total.take()
        }
    case .zip:
        return {
            var waiting: [Int] = []
            for value in 0..<n {
                if value & 1 == 0 { waiting.append(value) } else { add(combine(waiting.removeFirst(), value)) }
            }
            return total.takeCounted()
        }
    default:
        return {
            var latest: (first: Int?, second: Int?)
            for value in 0..<n {
                if value & 1 == 0 { latest.first = value } else { latest.second = value }
                if let first = latest.first, let second = latest.second { add(combine(first, second)) }
            }
            return total.takeCounted()
        }
    }
}

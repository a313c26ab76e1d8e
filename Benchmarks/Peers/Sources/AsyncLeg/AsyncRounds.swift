import AsyncAlgorithms
import PeersWork

/// The rounds of asynchronous sequences. They use the standard library and swift-async-algorithms, with AsyncStream
/// instead of a subject.
public func makeRound(_ family: Family, _ n: Int) -> Round? {
    switch family {
    // There is no grouping by key, no value that is kept for later subscribers, no 'withLatestFrom', no replaying
    // 'share', no virtual time and no delay of elements. A task is not a piece of work on a serial queue.
    // 'combineLatest' skips pairs if both sources have a waiting element, and 'flatMapLatest' skips waiting elements.
    // Both would do different work.
    case .groupBy, .behavior, .withLatestFrom, .combineLatest, .shareReplay, .flatMapLatest, .schedule, .recursion,
        .virtualTime,
        .delay:
        return nil
    case .create: return round { await sum(AsyncStream { send(n, to: $0) }) }
    case .just:
        return round {
            var total = 0
            for _ in 0..<n { total &+= await sum([1].async) }
            return total
        }
    case .range: return round { await sum((0..<n).async) }
    case .map: return streamed(n) { await sum($0.map { $0 &+ 1 }) }
    case .filter: return streamed(n) { await sum($0.filter { $0 & 1 == 0 }) }
    case .mapFilter: return streamed(n) { await sum(twelve($0)) }
    case .text: return textRound(n)
    case .scan: return streamed(n) { await sum($0.reductions(0) { $0 &+ $1 }) }
    case .buffer:
        return streamed(n) { stream in
            var (count, total) = (0, 0)
            for await elements in stream.chunks(ofCount: 10) {
                count &+= 1
                for element in elements { total &+= element }
            }
            return Family.counted(count, total)
        }
    case .publish: return streamed(n) { await sum($0) }
    case .publishToMany: return shared(n, observers: 100)
    case .share: return shared(n, observers: 2)
    case .merge, .zip: return jointRound(family, n)
    case .flatMapJust: return streamed(n) { await sum($0.flatMap { [$0].async }) }
    case .flatMapRange: return streamed(n) { await sum($0.flatMap { ($0..<$0 + 10).async }) }
    case .single, .subscribe, .subjectOnce, .twelve, .manyObservers: return subscriptionRound(family, n)
    case .observeOn, .subscribeOn, .debounce: return threadedRound(family, n)
    }
}

/// A round that runs on the thread that waits for its result.
func round(_ work: @escaping @Sendable () async -> Int) -> Round {
    let thread = CallersThread()
    return { try thread.run(work) }
}

func sum(_ sequence: some AsyncSequence<Int, Never>) async -> Int {
    var total = 0
    for await value in sequence { total &+= value }
    return total
}

/// Sends the numbers below `n` and ends the stream.
func send(_ n: Int, to continuation: AsyncStream<Int>.Continuation) {
    for value in 0..<n { continuation.yield(value) }
    continuation.finish()
}

/// Sends `n` integers into a stream, then makes `consume` read them. In this order no read suspends.
private func streamed(_ n: Int, _ consume: @escaping @Sendable (AsyncStream<Int>) async -> Int) -> Round {
    round {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        send(n, to: continuation)
        return await consume(stream)
    }
}

func twelve(_ source: some AsyncSequence<Int, Never> & Sendable) -> some AsyncSequence<Int, Never> & SendableMetatype {
    // In two parts, because the type checker cannot check all twelve operators in one expression.
    let half = source.map { $0 &+ 1 }.filter { $0 >= 0 }.map { $0 ^ 5 }.filter { $0 != -7 }.map { $0 &* 3 }
        .filter { $0 < 1 << 60 }
    return half.map { $0 >> 1 }.filter { ($0 | 7) > 0 }.map { $0 | 64 }
        .filter { ($0 & 0xffff_ffff_ffff) >= 0 }.map { $0 &- 9 }.filter { ($0 ^ 3) != 1 << 50 }
}

private func textRound(_ n: Int) -> Round {
    let text = Family.sample
    return round {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        for _ in 0..<n { continuation.yield(text) }
        continuation.finish()
        var total = 0
        for await value in stream.map({ $0.isEmpty ? "" : $0 }) { total &+= value.utf8.count }
        return total
    }
}

/// All observers create an iterator before the first element is sent: a later iterator would miss that element.
private func shared(_ n: Int, observers: Int) -> Round {
    round {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let shared = stream.share(bufferingPolicy: .unbounded)
        return await withTaskGroup(of: Int.self) { group in
            for _ in 0..<observers {
                // Unsafe: it is passed to the only task that iterates.
                nonisolated(unsafe) var iterator = shared.makeAsyncIterator()
                group.addTask {
                    var total = 0
                    while let value = await iterator.next(isolation: nil) { total &+= value }
                    return total
                }
            }
            send(n, to: continuation)
            return await group.reduce(0, &+)
        }
    }
}

private func jointRound(_ family: Family, _ n: Int) -> Round {
    round {
        let (first, firstContinuation) = AsyncStream.makeStream(of: Int.self)
        let (second, secondContinuation) = AsyncStream.makeStream(of: Int.self)
        for value in 0..<n {
            if value & 1 == 0 { firstContinuation.yield(value) } else { secondContinuation.yield(value) }
        }
        firstContinuation.finish()
        secondContinuation.finish()
        var (count, total) = (0, 0)
        switch family {
        case .merge:
            for await value in merge(first, second) {
                count &+= 1
                total &+= value
            }
        default:
            for await (a, b) in zip(first, second) {
                count &+= 1
                total &+= a &+ b
            }
        }
        return Family.counted(count, total)
    }
}

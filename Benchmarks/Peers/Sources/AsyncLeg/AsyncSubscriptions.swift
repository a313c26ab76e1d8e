import AsyncAlgorithms
import PeersWork

/// The rounds of subscriptions. A subscription is a task that iterates over a stream.
func subscriptionRound(_ family: Family, _ n: Int) -> Round? {
    switch family {
    case .single:
        round {
            var total = 0
            for value in 0..<n {
                total &+= await sum([value].async.map { $0 &+ 1 }.flatMap { [$0 &* 2].async })
            }
            return total
        }
    case .subscribe:
        // A stream has one consumer and ends with it, so each subscription needs a new stream.
        round {
            for _ in 1..<n {
                let (stream, _) = AsyncStream.makeStream(of: Int.self)
                let task = Task { await sum(stream.map { $0 &+ 1 }.filter { $0 > 0 }) }
                task.cancel()
                _ = await task.value
            }
            return await once { $0.map { $0 &+ 1 }.filter { $0 > 0 } }
        }
    case .subjectOnce:
        round {
            var total = 0
            for _ in 0..<n { total &+= await once { $0 } }
            return total
        }
    case .twelve:
        round {
            var total = 0
            for _ in 0..<n { total &+= await once { twelve($0) } }
            return total
        }
    default:
        round {
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            let shared = stream.share(bufferingPolicy: .unbounded)
            return await withTaskGroup(of: Int.self) { group in
                for _ in 0..<n {
                    // Unsafe: it is passed to the only task that iterates.
                    nonisolated(unsafe) var iterator = shared.makeAsyncIterator()
                    group.addTask {
                        var total = 0
                        while let value = await iterator.next(isolation: nil) { total &+= value }
                        return total
                    }
                }
                continuation.yield(1)
                continuation.finish()
                return await group.reduce(0, &+)
            }
        }
    }
}

/// Makes a stream, starts a task that iterates over `assemble`'s result, sends a 1 and ends the stream.
private func once<Sequence: AsyncSequence<Int, Never> & SendableMetatype>(
    _ assemble: @escaping @Sendable (AsyncStream<Int>) -> Sequence
) async -> Int {
    let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
    let task = Task { await sum(assemble(stream)) }
    continuation.yield(1)
    continuation.finish()
    return await task.value
}

/// The rounds that switch threads. They use tasks of the global pool instead of a queue's thread.
func threadedRound(_ family: Family, _ n: Int) -> Round {
    switch family {
    case .observeOn:
        let gate = Gate(after: n)
        return {
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            Task.detached(priority: .userInitiated) { for await value in stream { gate.pass(value) } }
            send(n, to: continuation)
            return try gate.wait()
        }
    case .subscribeOn:
        let gate = Gate(after: n)
        return {
            for _ in 0..<n {
                Task.detached(priority: .userInitiated) { for await value in [1].async { gate.pass(value) } }
            }
            return try gate.wait()
        }
    default:
        let gate = Gate(after: 1)
        return {
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            let last = n - 1
            let task = Task.detached(priority: .userInitiated) {
                for await value in stream.debounce(for: .milliseconds(1)) where value == last { gate.pass(value) }
            }
            for value in 0..<n { continuation.yield(value) }
            defer { task.cancel() }
            return try gate.wait()
        }
    }
}

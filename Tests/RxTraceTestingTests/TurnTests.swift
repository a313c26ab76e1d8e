import Dispatch
import Synchronization
import Testing

@testable import RxTraceTesting

@Suite struct TurnTests {
    @Test func `a blocking search interrupts an asynchronous one`() async {
        let turn = Turn(graceSeconds: 600)
        let ticket = await turn.taken()
        #expect(!turn.isInterrupted(ticket))
        async let isAlone = withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: turn.take()) }
        }
        while !turn.isInterrupted(ticket) { await Task.yield() }
        #expect(turn.isHeld(by: ticket))
        turn.pass(ticket)
        #expect(await isAlone)
        turn.pass()
    }

    @Test func `a blocking search takes the turn from an asynchronous one that does not end`() async {
        let turn = Turn(graceSeconds: 0.01)
        let ticket = await turn.taken()
        let isAlone = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: turn.take()) }
        }
        #expect(!isAlone)
        #expect(turn.isInterrupted(ticket) && !turn.isHeld(by: ticket))
        turn.pass(ticket)
        turn.pass()
        #expect(turn.take())
        turn.pass()
    }

    @Test func `a blocking search that waits goes before an asynchronous one`() async {
        let turn = Turn()
        #expect(turn.take())
        let order = Order()
        let asynchronous = Task {
            let ticket = await turn.taken()
            order.add("asynchronous")
            turn.pass(ticket)
        }
        while turn.waiting != 1 { await Task.yield() }
        let blocking = Task {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                DispatchQueue.global().async {
                    if turn.take() { order.add("blocking") }
                    turn.pass()
                    continuation.resume()
                }
            }
        }
        while turn.waiting != 2 { await Task.yield() }
        turn.pass()
        await asynchronous.value
        await blocking.value
        #expect(order.names == ["blocking", "asynchronous"])
    }
}

private final class Order: Sendable {
    private let state = Mutex<[String]>([])
    func add(_ name: String) { state.withLock { $0.append(name) } }
    var names: [String] { state.withLock { $0 } }
}

import RequestsWork
import Testing

@Suite("Requests") struct RequestsTests {
    private let faults = Faults(failing: 10, silent: 70)

    @Test func `each request is answered once, and those that fail or stay unanswered are sent again`() throws {
        let requests = try Requests(count: 150, faults: faults)
        defer { requests.stop() }
        let served = try requests.perform()
        let journal = requests.server.takeJournal()
        #expect(Requests.problems(served, journal, faults: faults) == [])
        #expect((0..<150).filter { faults.spoil($0) }.count == 14)
    }

    @Test func `the same client and server serve one round after the other`() throws {
        let requests = try Requests(count: 50, faults: .none)
        defer { requests.stop() }
        for perform in [requests.perform, requests.performByHand] {
            let served = try perform()
            #expect(Requests.problems(served, requests.server.takeJournal(), faults: .none) == [])
        }
    }

    @Test func `a request that nobody sent again is named, and so is one answered twice`() throws {
        let served = [0, 1, 2, 2].map { Requests.Served(id: $0, nanoseconds: 1) }
        var journal = try emptyJournal(requests: 4)
        journal.attempts = [1, 1, 1, 1]
        journal.tokens = 2
        #expect(
            Requests.problems(served, journal, faults: Faults(failing: 3, silent: .max)) == [
                "Request 2 was answered 2 times.", "Request 3 was answered 0 times.",
                "Request 3 arrived 1 times, not 2.", "The token was asked for 2 times.",
            ])
    }

    private func emptyJournal(requests count: Int) throws -> Server.Journal {
        let server = try Server(requests: count, faults: .none)
        defer { server.stop() }
        return server.takeJournal()
    }
}

import Rx
import RxTest
import Testing

@Suite struct RecordedTests {
    private enum Failure: Error { case one, two }

    @Test func recordedEventsAreEqualIfTimeAndEventAre() {
        #expect(Recorded.next(1, "a") == Recorded.next(1, "a"))
        #expect(Recorded.next(1, "a") != Recorded.next(2, "a"))
        #expect(Recorded.next(1, "a") != Recorded.next(1, "b"))
        #expect(Recorded.next(1, "a") != Recorded.completed(1))
        #expect(Recorded.completed(1, Int.self) == Recorded.completed(1))
    }

    @Test func errorsAreEqualIfTheirDescriptionsAre() {
        #expect(Event<Int>.error(Failure.one) == .error(Failure.one))
        #expect(Event<Int>.error(Failure.one) != .error(Failure.two))
        #expect(Event<Int>.error(Failure.one) != .completed)
    }

    @Test func eventsOfTraits_areEqualIfCaseAndValueAre() {
        #expect(
            [MaybeEvent.success(1), .completed, .error(Failure.one)] == [.success(1), .completed, .error(Failure.one)])
        #expect(MaybeEvent<Int>.error(Failure.one) != .error(Failure.two))
        #expect(MaybeEvent.success(1) != .success(2))
        #expect(MaybeEvent.success(1) != .completed)
        #expect([CompletableEvent.completed, .error(Failure.one)] == [.completed, .error(Failure.one)])
        #expect(CompletableEvent.error(Failure.one) != .error(Failure.two))
        #expect(CompletableEvent.completed != .error(Failure.two))
        let singles: [SingleEvent<Int>] = [.success(1), .failure(Failure.one)]
        #expect(singles == [.success(1), .failure(Failure.one)])
        #expect(singles != [.success(1), .failure(Failure.two)])
        #expect(singles != [.success(1)])
        #expect(singles[0] == .success(1))
        #expect(singles[0] != .success(2))
    }

    @Test func textsNameValueAndTime() {
        #expect("\(Recorded.next(210, 1))" == "next(1) @ 210")
        #expect("\(Recorded.completed(250, Int.self))" == "completed @ 250")
        #expect("\(Recorded.error(250, Failure.one, Int.self))" == "error(one) @ 250")
        #expect("\([Subscription(200, 300), Subscription(200)])" == "[(200: 300), (200: Infinity)]")
    }

    @Test func eventsMakesAListOfOneType() {
        let list = Recorded.events(.next(1, 5), .completed(2))
        #expect(list == [.next(1, 5), .completed(2)])
        #expect(Recorded.events(list) == list)
    }

    @Test func subscriptionsAreHashable() {
        #expect(Set([Subscription(1, 2), Subscription(1, 2), Subscription(1)]).count == 2)
    }
}

import Rx
import Synchronization
import XCTest

final class SubjectObserversTests: XCTestCase {
    override func setUp() { allowOverlappingEvents() }

    // MARK: Comparison with a plain list

    func testPublish_underRandomSteps_deliversAsAPlainListWould() {
        for seed in UInt64(1)...60 {
            let subject = PublishSubject<Int>()
            ObserverModel(seed: seed, of: subject, send: subject.onNext).run(steps: 200)
        }
    }

    func testPublish_underRandomSteps_withManyObservers_deliversAsAPlainListWould() {
        for seed in UInt64(1)...4 {
            let subject = PublishSubject<Int>()
            ObserverModel(seed: seed, of: subject, most: 100, send: subject.onNext).run(steps: 800)
        }
    }

    func testBehavior_underRandomSteps_deliversAsAPlainListWould() {
        for seed in UInt64(1)...60 {
            let subject = BehaviorSubject<Int>(value: 0)
            ObserverModel(seed: seed, of: subject, latest: 0, send: subject.onNext).run(steps: 200)
        }
    }

    func testShare_underRandomSteps_deliversAsAPlainListWould() {
        for seed in UInt64(1)...30 {
            let subject = PublishSubject<Int>()
            let shared = subject.share()
            let steady = shared.subscribe()
            ObserverModel(seed: seed, of: shared, send: subject.onNext).run(steps: 200)
            steady.dispose()
        }
    }

    func testDispose_inEveryOrder_leavesTheOthersInOrder() {
        for order in ["as subscribed", "reversed", "every second"] {
            let subject = PublishSubject<Int>()
            var seen: [Int] = []
            let subscriptions = (0..<1_000).map { number in subject.subscribe(onNext: { _ in seen.append(number) }) }
            var left = Array(0..<1_000)
            let going =
                switch order {
                case "as subscribed": Array(0..<990)
                case "reversed": Array((10..<1_000).reversed())
                default: Array(stride(from: 0, to: 1_000, by: 2))
                }
            for number in going {
                subscriptions[number].dispose()
                left.removeAll { $0 == number }
                if number % 50 == 0 {
                    seen = []
                    subject.onNext(0)
                    XCTAssertEqual(seen, left, order)
                }
            }
            // Free places are used again, and come after the others.
            let last = subject.subscribe(onNext: { _ in seen.append(1_000) })
            seen = []
            subject.onNext(0)
            XCTAssertEqual(seen, left + [1_000], order)
            last.dispose()
        }
    }

    func testSubscribe_inThePlaceOfOneDisposedInsideTheEvent_doesNotGetThatEvent() {
        let subject = PublishSubject<Int>()
        var seen: [String] = []
        var second: (any Disposable)?
        var third: (any Disposable)?
        let first = subject.subscribe(onNext: { value in
            guard value == 1 else { return }
            second?.dispose()
            third = subject.subscribe(onNext: { seen.append("third \($0)") })
        })
        second = subject.subscribe(onNext: { seen.append("second \($0)") })
        subject.onNext(1)
        XCTAssertEqual(seen, [])
        subject.onNext(2)
        XCTAssertEqual(seen, ["third 2"])
        first.dispose()
        third?.dispose()
        XCTAssertFalse(subject.hasObservers)
    }

    func testDisposeOfTheSubject_fromInsideAnEvent_leavesThatEventToEveryone() {
        for count in [2, 3, 40] {
            let subject = PublishSubject<Int>()
            var seen: [Int] = []
            for number in 0..<count {
                _ = subject.subscribe(onNext: { _ in
                    seen.append(number)
                    subject.dispose()
                })
            }
            subject.onNext(1)
            XCTAssertEqual(seen, Array(0..<count))
        }
    }

    // MARK: Threads

    func testSubscribeAndDispose_onManyThreadsDuringEvents_deliversToSteadyObserversInOrder() {
        let before = Resources.total
        let subject = PublishSubject<Int>()
        let first = Seen()
        let last = Seen()
        let subscriptions = [subject.subscribe(onNext: first.take)]
        let crowd = (0..<40).map { _ in subject.subscribe() }
        let steady = subject.subscribe(onNext: last.take)
        let isDone = Atomic<Bool>(false)
        let come: @Sendable (UInt64) -> Void = { seed in
            var random = SplitMix(seed: seed)
            var own: [any Disposable] = []
            while !isDone.load(ordering: .relaxed) {
                if own.count < 60, Bool.random(using: &random) {
                    own.append(subject.map { $0 + 1 }.subscribe())
                } else if let index = own.indices.randomElement(using: &random) {
                    own.remove(at: index).dispose()
                }
            }
            own.forEach { $0.dispose() }
        }
        concurrently(
            {
                for value in 0..<2_000 { subject.onNext(value) }
                isDone.store(true, ordering: .relaxed)
            }, { come(1) }, { come(2) }, { crowd.forEach { $0.dispose() } })
        XCTAssertEqual(first.values, Array(0..<2_000))
        XCTAssertEqual(last.values, Array(0..<2_000))
        subscriptions.forEach { $0.dispose() }
        steady.dispose()
        XCTAssertFalse(subject.hasObservers)
        withExtendedLifetime(subject) {}
        XCTAssertGreaterThan(Resources.total, before)
    }

    func testDispose_whileTheSubjectGoes_doesNotMeetIt() {
        for _ in 0..<500 {
            let box = Mutex<PublishSubject<Int>?>(PublishSubject())
            let subscriptions = box.withLock { subject in (0..<5).map { _ in DropBox(subject!.subscribe()) } }
            concurrently(
                { _ = box.withLock { $0.take() } },
                { for subscription in subscriptions { subscription.take()?.dispose() } })
        }
    }

    func testEnd_againstSubscribeAndDispose_releasesEverything() {
        let before = Resources.total
        for round in 0..<200 {
            let subject = PublishSubject<Int>()
            let come: @Sendable () -> Void = {
                var own: [any Disposable] = []
                for _ in 0..<20 { own.append(subject.subscribe(onError: { _ in })) }
                own.forEach { $0.dispose() }
            }
            concurrently(
                come, come, { for value in 0..<20 { subject.onNext(value) } },
                { round % 2 == 0 ? subject.onCompleted() : subject.dispose() })
            XCTAssertFalse(subject.hasObservers)
        }
        assertResourcesBack(to: before)
    }
}

/// The events of one thread that an observer has received.
private final class Seen: @unchecked Sendable {
    // @unchecked: one thread sends.
    private(set) var values: [Int] = []

    func take(_ value: Int) { values.append(value) }
}

/// Subscribes, disposes and sends at random, also inside events. Compares every delivery with a plain list.
private final class ObserverModel {
    /// An event in progress: the observers that were subscribed when it began, and its position.
    private struct Delivery {
        let value: Int
        let observers: [Int]
        var next = 0
    }

    private let seed: UInt64
    private var random: SplitMix
    private let source: Observable<Int>
    private let send: (Int) -> Void
    private let most: Int
    /// The elements that a new observer receives first.
    private var latest: Int?
    private var live: [Int] = []
    /// The elements of `live`, for lookup.
    private var members: Set<Int> = []
    private var subscriptions: [Int: any Disposable] = [:]
    private var underWay: [Delivery] = []
    private var subscribing: Int?
    private var made = 0
    private var sent = 0
    /// The number of further steps inside this event and its nested events.
    private var reactions = 0

    init(seed: UInt64, of source: Observable<Int>, most: Int = 12, latest: Int? = nil, send: @escaping (Int) -> Void) {
        self.seed = seed
        self.source = source
        self.send = send
        self.most = most
        self.latest = latest
        random = SplitMix(seed: seed)
    }

    func run(steps: Int) {
        for _ in 0..<steps { step() }
        for number in live.shuffled(using: &random) { dispose(number) }
        deliver()
    }

    private func step() {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: live.count < most ? subscribe() : disposeOne()
        case 5..<8: disposeOne()
        default: deliver()
        }
    }

    private func disposeOne() {
        if let number = live.randomElement(using: &random) { dispose(number) }
    }

    private func dispose(_ number: Int) {
        live.removeAll { $0 == number }
        members.remove(number)
        subscriptions.removeValue(forKey: number)?.dispose()
    }

    private func subscribe() {
        let number = made
        made += 1
        let before = subscribing
        subscribing = latest == nil ? nil : number
        let subscription = source.subscribe(onNext: { [unowned self] in receive(number, $0) })
        XCTAssertTrue(latest == nil || subscribing == nil, "seed \(seed): \(number) got no value to begin with")
        subscribing = before
        live.append(number)
        members.insert(number)
        subscriptions[number] = subscription
    }

    private func deliver() {
        guard underWay.count < 3 else { return }
        if underWay.isEmpty { reactions = 8 }
        sent += 1
        if latest != nil { latest = sent }
        underWay.append(Delivery(value: sent, observers: live))
        send(sent)
        let delivery = underWay.removeLast()
        let missed = delivery.observers.dropFirst(delivery.next).filter(members.contains)
        XCTAssertEqual(missed, [], "seed \(seed): missed event \(delivery.value)")
    }

    private func receive(_ number: Int, _ value: Int) {
        if subscribing == number {
            subscribing = nil
            return XCTAssertEqual(value, latest, "seed \(seed): \(number) began with another value")
        }
        guard let top = underWay.indices.last else { return XCTFail("seed \(seed): \(value) comes from nowhere") }
        // Observers that were disposed of in the meantime are skipped.
        while underWay[top].next < underWay[top].observers.count,
            !members.contains(underWay[top].observers[underWay[top].next])
        {
            underWay[top].next += 1
        }
        let rest = underWay[top].observers.dropFirst(underWay[top].next)
        XCTAssertEqual(number, rest.first, "seed \(seed): event \(value) reached another observer")
        XCTAssertEqual(value, underWay[top].value, "seed \(seed)")
        underWay[top].next += 1
        while reactions > 0, Int.random(in: 0..<4, using: &random) == 0 {
            reactions -= 1
            step()
        }
    }
}

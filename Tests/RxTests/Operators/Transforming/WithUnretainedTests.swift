import Rx
import RxTest
import XCTest

final class WithUnretainedTests: XCTestCase {
    private final class Owner { let name = "owner" }

    func testWithUnretained_whileTheObjectLives_pairsItWithEachElement() {
        let owner = Owner()
        XCTAssertEqual(
            Observable.of(1, 2).withUnretained(owner).map { "\($0.name) \($1)" }.synchronousEvents,
            ["next(owner 1)", "next(owner 2)", "completed"])
        XCTAssertEqual(
            Observable.of(1, 2).withUnretained(owner, resultSelector: { $0.name + "\($1)" }).synchronousEvents,
            ["next(owner1)", "next(owner2)", "completed"])
    }

    func testWithUnretained_onceTheObjectIsGone_completesAtTheNextElementAndEndsTheSource() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(230, 3)])
        var owner: Owner? = Owner()
        scheduler.scheduleAt(215) { owner = nil }
        let result = scheduler.start { source.withUnretained(owner!, resultSelector: { $0.name + "\($1)" }) }
        XCTAssertEqual(result.events, [.next(210, "owner1"), .completed(220)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 220)])
    }

    func testWithUnretained_passesAnErrorOn() {
        let owner = Owner()
        XCTAssertEqual(Observable<Int>.error(Planted.fault).withUnretained(owner).synchronousEvents, ["error(fault)"])
    }

    func testWithUnretained_doesNotKeepTheObject() {
        var owner: Owner? = Owner()
        weak let weakOwner = owner
        let subject = PublishSubject<Int>()
        let subscription = subject.withUnretained(owner!).subscribe()
        subject.onNext(1)
        owner = nil
        XCTAssertNil(weakOwner)
        subscription.dispose()
    }

    func testWithUnretained_ofElementSentFromInside_deliversIt() {
        let owner = Owner()
        let subject = PublishSubject<Int>()
        var seen: [Int] = []
        let subscription = subject.withUnretained(owner).subscribe(onNext: { _, value in
            seen.append(value)
            if value < 3 { subject.onNext(value + 1) }
        })
        subject.onNext(1)
        XCTAssertEqual(seen, [1, 2, 3])
        subscription.dispose()
    }

    #if TRACE_RESOURCES
        func testWithUnretained_atEveryEnd_releasesEverything() {
            let before = Resources.total
            let owner = Owner()
            runToEveryEnd { $0.withUnretained(owner) }
            runToEveryEnd { $0.withUnretained(Owner()) { $1 } }
            assertResourcesBack(to: before)
        }
    #endif
}

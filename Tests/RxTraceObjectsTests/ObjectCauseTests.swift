import Rx
import RxTrace
import RxTraceObjects
import XCTest

/// A screen that its own subscription keeps.
private final class MapScreen {
    let query = PublishSubject<String>()
    let bag = DisposeBag()
    let pins = [MapPin(), MapPin()]
    var title = ""

    func open(leaking: Bool) {
        if leaking {
            query.map { $0.uppercased() }.subscribe(onNext: { self.title = $0 }).disposed(by: bag)
        } else {
            query.map { $0.uppercased() }.subscribe(onNext: { [weak self] in self?.title = $0 }).disposed(by: bag)
        }
    }
}

private final class MapPin { var text = "Pin" }

/// A screen that a relay keeps for the life of the program.
private final class LoginScreen {
    let form = LoginForm()
    var name = ""

    func open() -> any Disposable { userName.subscribe(onNext: { self.name = $0 }) }
}

private final class LoginForm {
    let bag = DisposeBag()
    var fields = ["name"]
}

private let userName = BehaviorRelay(value: "")

private final class Draft { var text = "Draft" }
private final class Note { let draft = Draft() }

nonisolated(unsafe) private var notes: [Note] = []
nonisolated(unsafe) private var sketches: [Draft] = []

/// One mistake is one group, even if it keeps several objects. Two mistakes are two groups. Counts are per process:
/// XCTest runs these tests one after the other.
final class ObjectCauseTests: XCTestCase {
    override func setUpWithError() throws {
        try XCTSkipUnless(Resources.isTracing)
        do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        RxTrace.followsObjects = true
    }

    override func tearDown() {
        RxTrace.followsObjects = false
        notes = []
        sketches = []
    }

    private func growing(_ body: () -> Void) -> [GrowthGroup] {
        RxTrace.detectGrowth(named: "planted", maximumRuns: 40, body).groups.filter(\.verdict.isGrowing)
    }

    private func names(_ groups: [GrowthGroup]) -> [String] {
        groups.map { "\($0.metric)".replacing("RxTraceObjectsTests.", with: "") }.sorted()
    }

    func testClassAndSubscription_thatHoldEachOther_areOneGroup() throws {
        let groups = growing { MapScreen().open(leaking: true) }
        XCTAssertEqual(names(groups), ["objects of MapScreen"], groups.map(\.details).joined(separator: "\n"))
        let group = try XCTUnwrap(groups.first)
        let companions = group.companions.map(\.description)
        XCTAssertTrue(companions.contains("objects of RxTraceObjectsTests.MapPin: 2 a run"), "\(companions)")
        XCTAssertTrue(companions.contains("DisposeBag (disposable): 1 a run"), "\(companions)")
        XCTAssertFalse(companions.contains { $0.contains("objects of Rx.") }, "\(companions)")
        XCTAssertEqual(group.retention?.grade, .proven)
        XCTAssertEqual(group.retention?.advice, "capture 'self' weakly in the closure at ObjectCauseTests.swift:15")
        XCTAssertEqual(
            group.retention?.headline,
            """
            MapScreen, held by a cycle over 'MapScreen.bag': capture 'self' weakly in the closure at \
            ObjectCauseTests.swift:15
            """
        )
        // The place where each object was made is not recorded. The place of a resource that was made with the objects
        // is, and it contains no call of the test runner.
        let frames = try XCTUnwrap(group.creationStack).framesOfYours
        XCTAssertFalse(frames.isEmpty)
        XCTAssertEqual(frames.map(\.description).filter { !$0.contains("ObjectCauseTests") }, [])
        let tree = LeakTree().text(of: GrowthReport(name: "map", runs: 43, groups: groups))
        XCTAssertTrue(tree.contains("made at"), tree)
        XCTAssertEqual(growing { MapScreen().open(leaking: true) }.map(\.signature), [group.signature])
    }

    func testClassAndSubscription_whenTheyAreLetGo_areNoGroup() {
        XCTAssertEqual(names(growing { MapScreen().open(leaking: false) }), [])
    }

    func testWhatOneSubscriptionToAGlobalKeeps_isOneGroup() throws {
        var subscriptions: [any Disposable] = []
        let groups = growing { subscriptions.append(LoginScreen().open()) }
        subscriptions.forEach { $0.dispose() }
        XCTAssertEqual(names(groups), ["objects of LoginScreen"], groups.map(\.details).joined(separator: "\n"))
        let advice = try XCTUnwrap(groups.first?.retention?.advice)
        XCTAssertEqual(
            advice,
            """
            dispose the subscription made at ObjectCauseTests.swift:29, which 'userName' holds, for example in a \
            bag that goes with its owner
            """
        )
    }

    func testObjectsThatOtherObjectsKeep_areOneGroup() {
        let groups = growing { notes.append(Note()) }
        XCTAssertEqual(names(groups), ["objects of Note"], groups.map(\.details).joined(separator: "\n"))
        XCTAssertEqual(groups.first?.companions.map(\.description), ["objects of RxTraceObjectsTests.Draft: 1 a run"])
        XCTAssertEqual(
            groups.first?.retention?.advice, "remove what is no longer needed from 'notes', or give it a bound")
    }

    func testTwoCauses_areTwoGroups() {
        let groups = growing {
            MapScreen().open(leaking: true)
            notes.append(Note())
        }
        XCTAssertEqual(
            names(groups), ["objects of MapScreen", "objects of Note"], groups.map(\.details).joined(separator: "\n"))
        XCTAssertEqual(Set(groups.map(\.signature)).count, 2)
    }

    func testTwoSubscriptionsOfOneKind_areTwoGroups() {
        let scheduler = SerialDispatchQueueScheduler(qos: .utility)
        let ticks = Observable<Int>.interval(.seconds(3_600), scheduler: scheduler)
        var subscriptions: [any Disposable] = []
        let line = #line + 2
        let groups = growing {
            subscriptions.append(ticks.subscribe(onNext: { _ in }))
            subscriptions.append(ticks.map { $0 + 1 }.subscribe(onNext: { _ in }))
        }
        subscriptions.forEach { $0.dispose() }
        let advice = Set(groups.compactMap(\.retention?.advice).map { $0.prefix { $0 != "," } })
        XCTAssertEqual(groups.count, 2, groups.map(\.details).joined(separator: "\n"))
        XCTAssertEqual(
            advice,
            [
                "dispose the subscription made at ObjectCauseTests.swift:\(line)",
                "dispose the subscription made at ObjectCauseTests.swift:\(line + 1)",
            ])
    }
}

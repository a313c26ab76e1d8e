#if TRACE_RESOURCES
    import Rx
    import RxTrace
    import XCTest

    /// The names of resources in reports.
    final class ResourceTypesTests: XCTestCase {
        private func types(of body: () -> Any) -> [String] {
            let earlier = ResourceSnapshot()
            let held = body()
            let types = ResourceSnapshot().difference(from: earlier).types.map { "\($0.type) \($0.change)" }
            withExtendedLifetime(held) {}
            return types.sorted()
        }

        func testOperators_areCalledByTheirNamesAndElements() {
            XCTAssertEqual(
                types { Observable.just(1).map { "\($0)" } },
                ["just<Int> (observable) 1", "map<Int, String> (observable) 1"])
            XCTAssertEqual(
                types { Observable<Int>.never().filter { $0 > 1 }.scan("") { $0 + "\($1)" } },
                [
                    "filter<Int> (observable) 1", "never<Int> (observable) 1", "scan<Int, String> (observable) 1",
                ])
            XCTAssertEqual(
                types { Observable.merge(Observable<Int>.never()).take(while: { $0 > 3 }) },
                [
                    "merge<Int> (observable) 1", "never<Int> (observable) 1", "take(while:)<Int> (observable) 1",
                ])
            XCTAssertEqual(
                types { Observable.zip(Observable<Int>.never(), Observable<Bool>.never()) { $0 + ($1 ? 1 : 0) } },
                [
                    "never<Bool> (observable) 1", "never<Int> (observable) 1", "zip<Int> (observable) 1",
                ])
            XCTAssertEqual(
                types { Observable.of(1, 2).share(replay: 1) }, ["of<Int> (observable) 1", "share<Int> (observable) 1"])
        }

        func testClasses_areCalledByTheirNames() {
            XCTAssertEqual(
                types { (PublishSubject<Int>(), BehaviorRelay(value: "")) },
                ["BehaviorRelay<String> (subject) 1", "PublishSubject<Int> (subject) 1"])
            XCTAssertEqual(
                types { (DisposeBag(), SerialDisposable()) },
                ["DisposeBag (disposable) 1", "SerialDisposable (disposable) 1"])
        }

        func testSubscriptions_areCalledByTheirOperators() {
            let numbers = PublishSubject<Int>()
            let sequence = numbers.map { "\($0)" }.scan(0) { $0 + $1.count }.flatMap {
                Observable.just($0).concat(Observable.never())
            }.share()
            let named = types {
                let subscription = sequence.subscribe(onNext: { _ in })
                numbers.onNext(1)
                return subscription
            }
            XCTAssertEqual(
                named.filter { $0.contains("sink") || $0.contains("connection") },
                [
                    "concat<Int> (sink) 2", "flatMap<Int> (sink) 2", "map<Int, String> (sink) 1",
                    "scan<String, Int> (sink) 1", "share (connection) 1",
                    "subscribe (sink) 1",
                ])
        }

        func testRunOfOperators_isCalledByItsLast() {
            let number = Int.random(in: 1...2)
            let numbers = PublishSubject<Int>()
            let sequence = numbers.map { $0 + number }.filter { $0 > number }.map { $0 - number }.map { $0 > number }
            XCTAssertEqual(
                types { sequence.subscribe() }.filter { $0.contains("sink") },
                ["map<Int, Bool> (sink) 1", "subscribe (sink) 1"])
        }

        func testDifference_isSortedByGrowth() {
            let before = ResourceSnapshot()
            let held = (Observable<Int>.never(), DisposeBag(), DisposeBag())
            let difference = ResourceSnapshot().difference(from: before)
            XCTAssertEqual(
                difference.details(frames: 0),
                """
                total +3: observable +1, disposable +2
                  +2 DisposeBag (disposable)
                  +1 never<Int> (observable)
                """)
            XCTAssertEqual(
                before.difference(from: ResourceSnapshot()).details(frames: 0),
                """
                total -3: observable -1, disposable -2
                  -1 never<Int> (observable)
                  -2 DisposeBag (disposable)
                """)
            withExtendedLifetime(held) {}
        }

        func testTotal_isTheSumOfTypes() {
            let snapshot = ResourceSnapshot()
            XCTAssertEqual(snapshot.types.values.reduce(0, +), snapshot.total)
            XCTAssertEqual(
                snapshot.types.filter { $0.key.kind == .sink }.values.reduce(0, +), snapshot.count(of: .sink))
        }
    }
#endif

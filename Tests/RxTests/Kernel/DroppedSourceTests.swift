#if TRACE_RESOURCES
    import Rx
    import XCTest

    /// Sources that are released without an end, while the subscription has not been disposed.
    final class DroppedSourceTests: XCTestCase {
        typealias Operator = (Observable<Int>) -> Observable<Int>

        private let segments: [(String, Operator)] = [
            ("map", { $0.map { $0 } }), ("scan", { $0.scan(0, accumulator: +) }), ("take", { $0.take(5) }),
            ("distinctUntilChanged", { $0.distinctUntilChanged() }),
            (
                "fused operators",
                { [k = Int(CommandLine.argc)] in $0.map { $0 + k }.filter { $0 != -k }.map { $0 * k } }
            ),
        ]

        private let coordinators: [(String, Operator)] = [
            ("merge", { Observable.merge($0, $0) }), ("flatMap", { source in source.flatMap { _ in source } }),
            ("zip", { Observable.zip($0, $0) { $0 + $1 } }),
            ("combineLatest", { Observable.combineLatest($0, $0) { $0 + $1 } }),
            ("switch", { source in source.flatMapLatest { _ in source } }),
            ("concat", { $0.concat(Observable.just(1)) }), ("retry", { $0.retry() }), ("share", { $0.share() }),
            ("share replay", { $0.share(replay: 1) }),
            ("take until", { $0.take(until: Observable<Int>.never()) }),
        ]

        /// Applies the operator to a subject, subscribes to the result, and drops the subject.
        private func subscribe(_ apply: Operator, _ captured: LifetimeProbe) -> any Disposable {
            let subject = PublishSubject<Int>()
            let subscription = apply(subject).subscribe(onNext: { _ in _ = captured })
            subject.onNext(1)
            return subscription
        }

        func testSegment_whoseSubjectIsDropped_goesWithItThoughNobodyDisposes() {
            for (name, apply) in segments {
                let before = Resources.total
                weak var probe: LifetimeProbe?
                do {
                    let captured = LifetimeProbe()
                    probe = captured
                    _ = subscribe(apply, captured)
                }
                XCTAssertNil(probe, name)
                assertResourcesBack(to: before, name)
            }
        }

        func testCoordinator_whoseSubjectIsDropped_staysUntilItIsDisposed() {
            for (name, apply) in coordinators {
                let before = Resources.total
                weak var probe: LifetimeProbe?
                do {
                    let captured = LifetimeProbe()
                    probe = captured
                    let subscription = subscribe(apply, captured)
                    XCTAssertGreaterThan(Resources.total, before, name)
                    subscription.dispose()
                }
                XCTAssertNil(probe, name)
                assertResourcesBack(to: before, name)
            }
        }
    }
#endif

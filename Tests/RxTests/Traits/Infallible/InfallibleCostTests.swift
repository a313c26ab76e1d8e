import Rx
import XCTest

/// The wrapper takes no more resources than the observable.
final class InfallibleCostTests: XCTestCase {
    private func resources<Held>(takenBy make: () -> Held) -> Int32 {
        let before = Resources.total
        let held = make()
        defer { withExtendedLifetime(held) {} }
        return Resources.total - before
    }

    func testChain_takesTheResourcesOfTheObservables() {
        let source = PublishSubject<Int>()
        let observable = resources {
            source.catchAndReturn(0).map { $0 + 1 }.filter { $0 > 1 }.scan(0, accumulator: +).take(3)
                .distinctUntilChanged().subscribe(onNext: { _ in })
        }
        let infallible = resources {
            source.asInfallible(onErrorJustReturn: 0).map { $0 + 1 }.filter { $0 > 1 }.scan(0, accumulator: +).take(3)
                .distinctUntilChanged()
                .subscribe(onNext: { _ in })
        }
        XCTAssertEqual(infallible, observable)
        XCTAssertGreaterThan(infallible, Resources.isTracing ? 0 : -1)
    }

    func testJust_inFlatMap_isNotSubscribedTo() {
        let source = PublishSubject<Int>()
        var live: Int32 = 0
        let subscription = source.asInfallible(onErrorJustReturn: 0).flatMap { Infallible.just($0) }.subscribe(onNext: {
            _ in live = Resources.total
        })
        let before = Resources.total
        source.onNext(1)
        XCTAssertEqual(live - before, 0, "No sink, and by then the sequence of one element is gone.")
        subscription.dispose()
    }
}

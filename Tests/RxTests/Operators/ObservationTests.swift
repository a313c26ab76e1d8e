import Rx
import XCTest

/// The release tests rest on `runToEveryEnd`: it has to notice an operator that leaks.
final class ObservationTests: XCTestCase {
    /// Keeps each subscription in a cycle until `break()` is called.
    private final class Keeper: DisposeBase, @unchecked Sendable {
        // @unchecked: of one thread.
        var kept: [Keeper] = []
        var subscription: (any Disposable)?
    }

    func testRunToEveryEnd_ofLeakingOperator_leavesResources() {
        let before = Resources.total
        var keepers: [() -> Void] = []
        runToEveryEnd { source in
            Observable<Int>.create { observer in
                let keeper = Keeper()
                keeper.kept = [keeper]
                keeper.subscription = source.subscribe(observer)
                keepers.append { [weak keeper] in
                    keeper?.subscription?.dispose()
                    keeper?.kept = []
                }
                return Disposables.create()
            }
        }
        XCTAssertEqual(keepers.count, 3)
        // A keeper and the subscription that it keeps, three times.
        XCTAssertGreaterThanOrEqual(Resources.total, before + 6)
        keepers.forEach { $0() }
        assertResourcesBack(to: before)
    }
}

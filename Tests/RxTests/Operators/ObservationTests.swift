import Rx
import XCTest

/// The release tests depend on `runToEveryEnd`: it has to detect an operator that leaks.
final class ObservationTests: XCTestCase {
    /// Keeps each subscription in a cycle until `break()` is called.
    private final class Keeper: DisposeBase, @unchecked Sendable {
        // @unchecked: used on one thread.
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
        // Three times: a keeper and the subscription that it keeps.
        XCTAssertGreaterThanOrEqual(Resources.total, before + 6)
        keepers.forEach { $0() }
        assertResourcesBack(to: before)
    }
}

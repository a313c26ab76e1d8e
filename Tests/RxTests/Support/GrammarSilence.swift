import Rx
import XCTest

extension XCTestCase {
    /// For tests in which threads send to one observer at the same time, on purpose: nothing is reported until the test
    /// is over. Call it in `setUp`.
    func allowOverlappingEvents() {
        let before = Hooks.grammarChecks
        Hooks.grammarChecks = .silent
        addTeardownBlock { Hooks.grammarChecks = before }
    }
}

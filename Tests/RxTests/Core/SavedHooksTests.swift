import Foundation
import XCTest

@testable import Rx

/// Programs set a hook temporarily, and then restore the previous one. However often they do this, calling the hook
/// takes the same number of calls as before.
final class SavedHooksTests: XCTestCase {
    /// Returns the number of calls that lead to a hook, before and after many rounds of saving and restoring it.
    private func depths(call: () -> Void, saveAndPutBack: () -> Void) -> (before: Int, after: Int) {
        call()
        let before = depth
        for _ in 0..<100 { saveAndPutBack() }
        call()
        return (before, depth)
    }

    private var depth = 0

    private func measure() { depth = Thread.callStackReturnAddresses.count }

    func testErrorHandler() {
        let handler = Hooks.defaultErrorHandler
        defer { Hooks.defaultErrorHandler = handler }
        Hooks.defaultErrorHandler = { _, _ in self.measure() }
        let depths = depths {
            Hooks.defaultErrorHandler([], TestError())
        } saveAndPutBack: {
            Hooks.defaultErrorHandler = Hooks.defaultErrorHandler
        }
        XCTAssertEqual(depths.after, depths.before)
    }

    func testCapture() {
        let capture = Hooks.customCaptureSubscriptionCallstack
        defer { Hooks.customCaptureSubscriptionCallstack = capture }
        Hooks.customCaptureSubscriptionCallstack = {
            self.measure()
            return []
        }
        let depths = depths {
            _ = Hooks.customCaptureSubscriptionCallstack()
        } saveAndPutBack: {
            Hooks.customCaptureSubscriptionCallstack = Hooks.customCaptureSubscriptionCallstack
        }
        XCTAssertEqual(depths.after, depths.before)
    }

    func testCapture_thatIsTheFirstOne_namesItsCallers() throws {
        try XCTSkipUnless(_isDebugAssertConfiguration())
        for _ in 0..<100 { Hooks.customCaptureSubscriptionCallstack = Hooks.customCaptureSubscriptionCallstack }
        let names = Hooks.customCaptureSubscriptionCallstack()
        XCTAssertTrue(names.contains { $0.contains("SavedHooksTests") || $0.contains("xctest") }, "\(names)")
        XCTAssertLessThan(names.count, 100)
    }

    func testGrammarViolationHandler() throws {
        try XCTSkipUnless(_isDebugAssertConfiguration())
        let handler = Hooks.grammarViolationHandler
        defer { Hooks.grammarViolationHandler = handler }
        Hooks.grammarViolationHandler = { _ in self.measure() }
        let violation = GrammarViolation(observer: "", firstCallStack: [], secondCallStack: [])
        let depths = depths {
            Hooks.grammarViolationHandler(violation)
        } saveAndPutBack: {
            Hooks.grammarViolationHandler = Hooks.grammarViolationHandler
        }
        XCTAssertEqual(depths.after, depths.before)
    }

    func testSharingScheduler() {
        SharingScheduler.mock(makeScheduler: {
            self.measure()
            return MainScheduler()
        }) {
            let depths = depths {
                _ = SharingScheduler.make()
            } saveAndPutBack: {
                SharingScheduler.mock(makeScheduler: SharingScheduler.make) {}
            }
            XCTAssertEqual(depths.after, depths.before)
        }
    }
}

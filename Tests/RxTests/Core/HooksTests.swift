import Rx
import XCTest

/// The hook for errors that no subscriber handles. The hooks are process-wide: each test restores them.
final class HooksTests: XCTestCase {
    private var handled: [(stack: [String], error: any Error)] = []
    private var before:
        (handler: Hooks.DefaultErrorHandler, capture: Hooks.CustomCaptureSubscriptionCallstack, records: Bool)?

    override func setUp() {
        before = (Hooks.defaultErrorHandler, Hooks.customCaptureSubscriptionCallstack, Hooks.recordCallStackOnError)
        Hooks.defaultErrorHandler = { [unowned self] stack, error in handled.append((stack, error)) }
    }

    override func tearDown() {
        guard let before else { return }
        Hooks.defaultErrorHandler = before.handler
        Hooks.customCaptureSubscriptionCallstack = before.capture
        Hooks.recordCallStackOnError = before.records
    }

    func testError_withoutOnError_reachesTheDefaultHandlerWithoutAStack() {
        _ = Observable<Int>.error(TestError()).subscribe(onNext: { _ in })
        XCTAssertEqual(handled.count, 1)
        XCTAssertTrue(handled.first?.error is TestError)
        XCTAssertEqual(handled.first?.stack, [])
    }

    func testError_withOnError_reachesThatAlone() {
        var seen: (any Error)?
        _ = Observable<Int>.error(TestError()).subscribe(onError: { seen = $0 })
        XCTAssertTrue(seen is TestError)
        XCTAssertTrue(handled.isEmpty)
    }

    func testError_whileStacksAreRecorded_bringsTheStackOfTheSubscription() {
        Hooks.recordCallStackOnError = true
        Hooks.customCaptureSubscriptionCallstack = { ["subscribed here"] }
        let subject = PublishSubject<Int>()
        _ = subject.subscribe(onNext: { _ in })
        Hooks.customCaptureSubscriptionCallstack = { ["too late"] }
        subject.onError(TestError())
        XCTAssertEqual(handled.map(\.stack), [["subscribed here"]])
    }

    func testError_ofASingleWithoutOnFailure_reachesTheDefaultHandler() {
        _ = Single<Int>.error(TestError()).subscribe(onSuccess: { _ in })
        XCTAssertEqual(handled.count, 1)
    }

    func testCapturing_byDefault_namesTheCallersInDebugBuildsOnly() {
        XCTAssertEqual(Hooks.customCaptureSubscriptionCallstack().isEmpty, !_isDebugAssertConfiguration())
    }
}

import Rx
import RxBlocking
import XCTest

/// Calls every public name of debugging in the form that users write.
final class DebuggingFormsTests: XCTestCase {
    func testDebug() throws {
        let source = Observable<Int>.empty()
        XCTAssertEqual(try source.debug().toBlocking().toArray(), [])
        XCTAssertEqual(try source.debug("empty").toBlocking().toArray(), [])
        XCTAssertEqual(try source.debug("empty", trimOutput: true).toBlocking().toArray(), [])
        XCTAssertEqual(
            try source.debug(trimOutput: true, file: #file, line: #line, function: #function).toBlocking().toArray(), []
        )
    }

    func testCheckpoint() throws {
        XCTAssertEqual(try Observable.of(1, 2).checkpoint("here").toBlocking().toArray(), [1, 2])
        XCTAssertEqual(
            try Observable.of(1, 2).checkpoint("here", fileID: #fileID, line: #line).toBlocking().toArray(), [1, 2])
        XCTAssertEqual(try Single.just(1).checkpoint("here").toBlocking().first(), 1)
        let origin: ErrorOrigin? = Hooks.origin(of: Planted.fault)
        XCTAssertNil(origin)
    }

    func testHooks() {
        let (record, handler, capture) = (
            Hooks.recordCallStackOnError, Hooks.defaultErrorHandler, Hooks.customCaptureSubscriptionCallstack
        )
        defer {
            Hooks.recordCallStackOnError = record
            Hooks.defaultErrorHandler = handler
            Hooks.customCaptureSubscriptionCallstack = capture
        }
        XCTAssertFalse(record)
        let notes = Notes()
        let handling: Hooks.DefaultErrorHandler = { callStack, error in notes.add("\(callStack) \(error)") }
        let capturing: Hooks.CustomCaptureSubscriptionCallstack = { ["here"] }
        Hooks.defaultErrorHandler = handling
        Hooks.customCaptureSubscriptionCallstack = capturing
        _ = Observable<Int>.error(Planted.fault).subscribe()
        Hooks.recordCallStackOnError = true
        _ = Observable<Int>.error(Planted.fault).subscribe(onNext: { _ in })
        XCTAssertEqual(notes.lines, ["[] fault", #"["here"] fault"#])
    }

    #if TRACE_RESOURCES
        func testResources() {
            let before: Int32 = Resources.total
            XCTAssertEqual(Resources.incrementTotal(), before + 1)
            XCTAssertEqual(Resources.decrementTotal(), before)
            let serial: Int32 = Resources.numberOfSerialDispatchQueueObservables
            do {
                let observed = Observable<Int>.never().observe(on: MainScheduler.asyncInstance)
                XCTAssertEqual(Resources.numberOfSerialDispatchQueueObservables, serial + 1)
                observed.subscribe().dispose()
            }
            XCTAssertEqual(Resources.numberOfSerialDispatchQueueObservables, serial)
            maxTailRecursiveSinkStackSize = 0
            _ = Observable.concat([Observable.of(1)]).subscribe()
            XCTAssertEqual(maxTailRecursiveSinkStackSize, 1)
        }
    #endif
}

import Foundation
import Rx
import RxBlocking
import XCTest

/// An error whose lifetime can be observed.
private final class Fault: Error {
    let number: Int

    init(_ number: Int = 0) { self.number = number }
}

private struct TypedFault: Error {}

// Differs in shape, because the optimiser would otherwise merge the two functions.
@inline(never) private func throwHere() throws { throw Fault(1) }
@inline(never) private func throwThere() throws {
    if ProcessInfo.processInfo.processorCount > 0 { throw Fault(2) }
}
@inline(never) private func throwTyped() throws(TypedFault) { throw TypedFault() }

private func failing(_ body: @escaping () throws -> Void) -> Observable<Int> {
    Observable.just(1).map { value in
        try body()
        return value
    }
}

/// Origins of errors. The hooks are process-wide: each test restores them.
final class ErrorOriginTests: XCTestCase {
    private static let file = "\(#fileID)"

    private var before: (handler: Hooks.DefaultErrorHandler, records: Bool)?

    override func setUp() {
        before = (Hooks.defaultErrorHandler, Hooks.recordCallStackOnError)
        Hooks.recordCallStackOnError = true
    }

    override func tearDown() {
        guard let before else { return }
        Hooks.defaultErrorHandler = before.handler
        Hooks.recordCallStackOnError = before.records
    }

    /// The origin that an `onError` receives.
    private func origin(of source: Observable<Int>) -> ErrorOrigin? {
        var found: ErrorOrigin?
        _ = source.subscribe(onError: { found = Hooks.origin(of: $0) })
        return found
    }

    // MARK: Thrown

    func testThrow_inAnOperatorsClosure_isKnownByItsPlace() throws {
        let first = try XCTUnwrap(origin(of: failing(throwHere)))
        let second = try XCTUnwrap(origin(of: failing(throwHere)))
        let other = try XCTUnwrap(origin(of: failing(throwThere)))
        XCTAssertTrue(first.isThrowCertain)
        XCTAssertGreaterThan(first.thrown.count, 3)
        XCTAssertEqual(first.thrown.first, second.thrown.first)
        XCTAssertNotEqual(first.thrown.first, other.thrown.first)
    }

    func testThrow_rethrownOnTheWay_isKnownByItsFirstPlace() throws {
        let direct = try XCTUnwrap(origin(of: failing(throwHere)))
        let rethrown = try XCTUnwrap(origin(of: failing { do { try throwHere() } catch { throw error } }))
        XCTAssertEqual(rethrown.thrown.first, direct.thrown.first)
    }

    func testTypedThrow_isKnownAsTheLastOfItsTypeOnTheThread() throws {
        let found = try XCTUnwrap(origin(of: failing(throwTyped)))
        XCTAssertFalse(found.isThrowCertain)
        XCTAssertGreaterThan(found.thrown.count, 3)
        XCTAssertTrue("\(found)".hasPrefix("------ Thrown, as the last of its type on this thread, at:\n"), "\(found)")
    }

    func testError_thatNobodyThrew_isSaidToBeSo() throws {
        // Errors that were thrown before, and whose memory is free again.
        for _ in 0..<100 { try? throwHere() }
        let found = try XCTUnwrap(origin(of: .error(Fault())))
        XCTAssertEqual(found.thrown, [])
        XCTAssertTrue("\(found)".hasPrefix("------ Not seen to be thrown."), "\(found)")
    }

    func testThrow_onAnotherThread_isKnown() throws {
        let queue = ConcurrentDispatchQueueScheduler(qos: .default)
        let source = Observable.just(1, scheduler: queue).map { value in
            try throwHere()
            return value
        }.observe(on: SerialDispatchQueueScheduler(qos: .default))
        let here = try XCTUnwrap(origin(of: failing(throwHere)))
        XCTAssertThrowsError(try source.toBlocking().toArray()) {
            XCTAssertEqual(Hooks.origin(of: $0)?.thrown.first, here.thrown.first)
            XCTAssertEqual(Hooks.origin(of: $0)?.isThrowCertain, true)
        }
    }

    func testThrows_onEightThreads_areNeverTakenForAnothers() {
        let outcomes = Outcomes()
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            for turn in 0..<200 {
                let isHere = (index + turn).isMultiple(of: 2)
                do { try isHere ? throwHere() : throwThere() } catch {
                    // The origin is forgotten if the other threads have thrown 64 times since.
                    if let place = Hooks.origin(of: error)?.thrown.first { outcomes.add(isHere: isHere, place) }
                }
            }
        }
        XCTAssertEqual(outcomes.places(isHere: true).intersection(outcomes.places(isHere: false)), [])
        XCTAssertFalse(outcomes.places(isHere: true).isEmpty)
        XCTAssertEqual(outcomes.places(isHere: true), [place(of: throwHere)])
    }

    private func place(of body: () throws -> Void) -> UInt {
        do { try body() } catch { return Hooks.origin(of: error)?.thrown.first ?? 0 }
        return 0
    }

    // MARK: Arrivals

    func testError_atTheDefaultHandler_hasItsOriginByThen() throws {
        var found: ErrorOrigin?
        Hooks.defaultErrorHandler = { _, error in found = Hooks.origin(of: error) }
        _ = failing(throwHere).checkpoint("first").map { $0 }.checkpoint("second").subscribe(onNext: { _ in })
        XCTAssertEqual(found?.checkpoints.map(\.name), ["first", "second"])
        XCTAssertEqual(found?.thrown.isEmpty, false)
        XCTAssertEqual(found?.subscribed.isEmpty, !_isDebugAssertConfiguration())
    }

    func testError_ofAFailedToBlocking_hasItsOrigin() {
        XCTAssertThrowsError(try failing(throwHere).checkpoint("search results").toBlocking().first()) { error in
            let found = Hooks.origin(of: error)
            XCTAssertEqual(found?.checkpoints.map(\.name), ["search results"])
            XCTAssertEqual(found?.thrown.isEmpty, false)
            XCTAssertEqual(found?.subscribed.isEmpty, !_isDebugAssertConfiguration())
        }
    }

    func testError_atDebug_isWrittenWithItsOrigin() throws {
        let notes = Notes()
        let log = EventLog(identifier: "rows", trimsOutput: false, now: { .init() }, write: { notes.add($0) })
        _ = failing(throwHere).checkpoint("search results").debug(log).subscribe { _ in }
        let line = try XCTUnwrap(notes.lines.first { $0.contains("Event error") })
        XCTAssertTrue(line.contains("\n------ Thrown at:\n"), line)
        XCTAssertTrue(line.contains("\n------ Checkpoints passed:\n\"search results\" at \(Self.file):"), line)
        XCTAssertEqual(line.contains("\n------ Subscribed at:\n"), _isDebugAssertConfiguration())
    }

    func testError_ofASingle_hasItsOrigin() throws {
        var found: ErrorOrigin?
        _ = failing(throwHere).asSingle().checkpoint("user").subscribe(onFailure: { found = Hooks.origin(of: $0) })
        XCTAssertEqual(found?.checkpoints.map(\.name), ["user"])
        XCTAssertEqual(found?.thrown.isEmpty, false)
    }

    func testSubscription_isToldByTheCaptureOfTheProgram_fromWhenItWasMade() throws {
        let capture = Hooks.customCaptureSubscriptionCallstack
        defer { Hooks.customCaptureSubscriptionCallstack = capture }
        Hooks.customCaptureSubscriptionCallstack = { ["subscribed here"] }
        let subject = PublishSubject<Int>()
        var found: ErrorOrigin?
        _ = subject.subscribe(onError: { found = Hooks.origin(of: $0) })
        Hooks.customCaptureSubscriptionCallstack = { ["too late"] }
        subject.onError(Fault())
        XCTAssertEqual(found?.subscribed, ["subscribed here"])
        XCTAssertEqual(found.map { "\($0)".contains("------ Subscribed at:\nsubscribed here") }, true)
    }

    // MARK: Checkpoints

    func testCheckpoint_withinAnInnerSequence_isPassedFirst() {
        let line: UInt = #line + 2
        let found = origin(
            of: Observable.just(1).flatMap { _ in failing(throwHere).checkpoint("inner") }.checkpoint("outer"))
        XCTAssertEqual(
            found?.checkpoints.map(\.description),
            [
                "\"inner\" at \(Self.file):\(line)", "\"outer\" at \(Self.file):\(line)",
            ])
    }

    func testCheckpoint_beyondWhatHasFailed_isNotPassed() {
        let found = origin(of: Observable.just(1).checkpoint("before").concat(failing(throwHere)).checkpoint("after"))
        XCTAssertEqual(found?.checkpoints.map(\.name), ["after"])
    }

    // MARK: Off

    func testRecording_turnedOff_forgetsAndReleases() throws {
        weak var kept: Fault?
        do { try throwHere() } catch {
            kept = error as? Fault
            XCTAssertNotNil(Hooks.origin(of: error))
        }
        XCTAssertNotNil(kept, "kept, so that no other error takes its place in memory")
        Hooks.recordCallStackOnError = false
        XCTAssertNil(kept)
        do { try throwHere() } catch {
            kept = error as? Fault
            XCTAssertNil(Hooks.origin(of: error))
        }
        XCTAssertNil(kept)
    }

    func testErrors_moreThanAreRemembered_forgetTheOldest() throws {
        weak var oldest: Fault?
        do { try throwHere() } catch {
            oldest = error as? Fault
            _ = Hooks.origin(of: error)
        }
        for _ in 0..<63 { do { try throwHere() } catch { _ = Hooks.origin(of: error) } }
        XCTAssertNotNil(oldest)
        do { try throwHere() } catch { _ = Hooks.origin(of: error) }
        XCTAssertNil(oldest)
    }
}

/// The places that were reported for errors of each kind.
// @unchecked: guarded by the lock.
private final class Outcomes: @unchecked Sendable {
    private let lock = NSLock()
    private var found: [Bool: Set<UInt>] = [:]

    func add(isHere: Bool, _ place: UInt) { _ = lock.withLock { found[isHere, default: []].insert(place) } }

    func places(isHere: Bool) -> Set<UInt> { lock.withLock { found[isHere] ?? [] } }
}

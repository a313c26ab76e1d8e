import Foundation
import Rx
import XCTest

@testable import HeapTrace
@testable import RxTrace

/// Reports that signals request. Each test waits at a gate that the report opens.
final class ReportSignalTests: XCTestCase {
    private let reports = Reports()

    private func raise(_ signal: Int32) { kill(getpid(), signal) }

    func testSignal_whileTheProcessRuns_bringsAReportOfWhatIsAlive() throws {
        let installed = try RxTrace.installReportSignal(.usr1, to: reports.destination)
        defer { installed.dispose() }
        let held = (0..<5).map { _ in PublishSubject<Int>() }
        raise(SIGUSR1)
        let report = try XCTUnwrap(reports.next())
        XCTAssertEqual(report.processIdentifier, getpid())
        XCTAssertEqual(
            report.resources.count(of: .subject), Resources.isTracing ? ResourceSnapshot().count(of: .subject) : nil)
        withExtendedLifetime(held) {}
    }

    func testSignals_oneAfterTheOther_areNumbered() throws {
        let installed = try RxTrace.installReportSignal(.usr1, to: reports.destination)
        defer { installed.dispose() }
        raise(SIGUSR1)
        let first = try XCTUnwrap(reports.next())
        raise(SIGUSR1)
        let second = try XCTUnwrap(reports.next())
        XCTAssertEqual(second.number, first.number + 1)
    }

    func testTwoSignals_haveDestinationsOfTheirOwn() throws {
        let others = Reports()
        let one = try RxTrace.installReportSignal(.usr1, to: reports.destination)
        let two = try RxTrace.installReportSignal(.usr2, to: others.destination)
        defer {
            one.dispose()
            two.dispose()
        }
        raise(SIGUSR2)
        XCTAssertNotNil(others.next())
        raise(SIGUSR1)
        XCTAssertNotNil(reports.next())
        XCTAssertEqual(others.count + reports.count, 0, "nobody got the other's")
    }

    func testSecondInstallation_ofOneSignal_takesTheFirstOnesPlace() throws {
        let replaced = Reports()
        let first = try RxTrace.installReportSignal(.usr1, to: replaced.destination)
        let second = try RxTrace.installReportSignal(.usr1, to: reports.destination)
        // The handler is no longer its own to remove.
        first.dispose()
        raise(SIGUSR1)
        XCTAssertNotNil(reports.next())
        XCTAssertEqual(replaced.count, 0)
        second.dispose()
    }

    func testHandler_thatWasThereBefore_isCalledToo_andIsThereAgainAfterwards() throws {
        var original = sigaction()
        signal(SIGUSR1) { _ in earlierCalls.open() }
        defer { signal(SIGUSR1, SIG_DFL) }
        sigaction(SIGUSR1, nil, &original)
        let installed = try RxTrace.installReportSignal(.usr1, to: reports.destination)
        raise(SIGUSR1)
        XCTAssertNotNil(reports.next())
        XCTAssertTrue(earlierCalls.wait())
        installed.dispose()
        raise(SIGUSR1)
        XCTAssertTrue(earlierCalls.wait(), "the handler from before answers alone")
        XCTAssertEqual(reports.count, 0)
    }

    func testHandler_thatCameLater_keepsItsPlace() throws {
        let installed = try RxTrace.installReportSignal(.usr2, to: reports.destination)
        var ours = sigaction()
        sigaction(SIGUSR2, nil, &ours)
        signal(SIGUSR2) { _ in earlierCalls.open() }
        installed.dispose()
        raise(SIGUSR2)
        XCTAssertTrue(earlierCalls.wait())
        // Restores its own handler, as a program may do.
        sigaction(SIGUSR2, &ours, nil)
        raise(SIGUSR2)
        XCTAssertEqual(reports.count, 0)
        let again = try RxTrace.installReportSignal(.usr2, to: reports.destination)
        raise(SIGUSR2)
        XCTAssertNotNil(reports.next())
        again.dispose()
    }

    func testSignal_duringABlockingRead_doesNotInterruptIt() throws {
        let installed = try RxTrace.installReportSignal(.usr1, to: reports.destination)
        defer { installed.dispose() }
        var ends: [Int32] = [0, 0]
        XCTAssertEqual(pipe(&ends), 0)
        let (reading, writing) = (ends[0], ends[1])
        let (begins, result) = (DispatchSemaphore(value: 0), Slot())
        let thread = Thread {
            var byte: UInt8 = 0
            begins.signal()
            result.set(read(reading, &byte, 1))
        }
        thread.start()
        begins.wait()
        raise(SIGUSR1)
        XCTAssertNotNil(reports.next())
        write(writing, [7], 1)
        XCTAssertEqual(result.get(), 1)
        close(reading)
        close(writing)
    }

    func testSignals_thatEndAProcess_areRefused() {
        for number in [SIGKILL, SIGSEGV] {
            XCTAssertThrowsError(
                try RxTrace.installReportSignal(ReportSignal(rawValue: number), to: reports.destination)
            ) {
                XCTAssertEqual(
                    "\($0)",
                    "Signal '\(number)' cannot ask for reports: it ends or stops the process. Use '.usr1' or '.usr2'.")
            }
        }
        XCTAssertThrowsError(try RxTrace.installReportSignal(ReportSignal(rawValue: 99), to: reports.destination)) {
            XCTAssertEqual("\($0)", "Signal '99' was refused: Invalid argument. Use '.usr1' or '.usr2'.")
        }
    }
}

/// Opened by handlers of the tests. A handler may call only a few functions, and `write` is one of them.
private let earlierCalls = HandlerGate()

private final class HandlerGate: Sendable {
    private let reading: Int32
    private let writing: Int32

    init() {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0)
        (reading, writing) = (ends[0], ends[1])
    }

    func open() { _ = write(writing, "!", 1) }

    /// Returns whether the gate was opened within 20 s. Each wait needs a separate opening.
    func wait() -> Bool {
        var waited = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        return poll(&waited, 1, 20_000) == 1 && read(reading, &byte, 1) == 1
    }
}

/// The received values, in order.
// @unchecked: guarded by the lock.
final class Reports: @unchecked Sendable {
    private let lock = NSLock()
    private let arrivals = DispatchSemaphore(value: 0)
    private var waiting: [ProcessReport] = []

    var destination: ReportDestination {
        .function { [self] report in
            lock.withLock { waiting.append(report) }
            arrivals.signal()
        }
    }

    var count: Int { lock.withLock { waiting.count } }

    /// Returns the next report, or `nil` if no report arrives within 20 s.
    func next() -> ProcessReport? {
        guard arrivals.wait(timeout: .now() + 20) == .success else { return nil }
        return lock.withLock { waiting.removeFirst() }
    }
}

// @unchecked: set before the gate opens, read after.
private final class Slot: @unchecked Sendable {
    private let gate = DispatchSemaphore(value: 0)
    private var value = 0

    func set(_ value: Int) {
        self.value = value
        gate.signal()
    }

    func get() -> Int? { gate.wait(timeout: .now() + 20) == .success ? value : nil }
}

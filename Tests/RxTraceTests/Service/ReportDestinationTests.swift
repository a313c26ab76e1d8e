import Foundation
import Rx
import XCTest

@testable import HeapTrace
@testable import RxTrace

final class ReportDestinationTests: XCTestCase {
    private var folder = ""

    override func setUpWithError() throws {
        folder = NSTemporaryDirectory() + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws { try FileManager.default.removeItem(atPath: folder) }

    private let report = ProcessReport(
        number: 7, date: Date(timeIntervalSince1970: 1_767_225_600), processIdentifier: 42, level: .counts,
        resources: ResourceSnapshot(counts: [1, 0, 2, 0, 0, 0]), pending: PendingWork(pieces: 2, timers: 0),
        heapBytes: .success(4_096),
        others: [
            ("objects", .counts([.objects("App.Row"): 3, .objects("App.Screen"): 3, .objects("App.Cell"): 40])),
            ("sockets", .unavailable("nobody counts them. Count them.")),
        ])

    func testReport_asText_hasAParagraphForEachSubject() {
        XCTAssertEqual(
            "\(report)",
            """
            Report 7 of process 42, 2026-01-01T00:00:00Z
            level: counts
            resources: total 3: observable 1, sink 2
            pending: 2 pieces of work
            heap: 4096 bytes in use
            objects: 46
              40  App.Cell
              3  App.Row
              3  App.Screen
            sockets: unavailable, because nobody counts them. Count them.
            """)
    }

    func testReport_withPlaces_tellsThemBehindTheTypes() {
        let places = [
            ResourcePlace(metric: .type("map<Int>", .sink), count: 2, maker: "Screen.open() at Screen.swift:4"),
            ResourcePlace(
                metric: .type("DisposeBag", .disposable), count: 1, maker: nil, retention: Self.retention),
        ]
        let report = ProcessReport(
            number: 7, date: Date(timeIntervalSince1970: 1_767_225_600), processIdentifier: 42, level: .stacks,
            resources: ResourceSnapshot(counts: [0, 0, 2, 1, 0, 0]), places: places, pending: nil,
            heapBytes: .success(4_096), others: [])
        XCTAssertEqual(
            "\(report)",
            """
            Report 7 of process 42, 2026-01-01T00:00:00Z
            level: stacks
            resources: total 3: sink 2, disposable 1
            made at, as far as stacks were recorded: 3
              2  map<Int> (sink), made by Screen.open() at Screen.swift:4
              1  DisposeBag (disposable), made by calls of which none is yours
                Screen, held by a cycle over 'Screen.bag': capture 'self' weakly in the closure at Screen.swift:42
            heap: 4096 bytes in use
            """)
    }

    private static let retention = Retention(
        target: "Screen",
        steps: [
            RetentionStep(holder: "Screen", through: .init(property: "bag"), isTyped: true),
            RetentionStep(holder: "DisposeBag", through: .init(property: "", position: "0"), isTyped: true),
        ],
        cycleLength: 2, grade: .likely(because: "one reference was not found"),
        advice: "capture 'self' weakly in the closure at Screen.swift:42")

    private final class Chatty { let subject = PublishSubject<Chatty>() }

    @inline(never) private func firstPlace() -> Chatty { Chatty() }
    @inline(never) private func secondPlace() -> PublishSubject<Chatty> { PublishSubject() }

    func testReport_atTheLevelStacks_groupsByPlace() throws {
        try XCTSkipUnless(Resources.isTracing)
        let before = RxTrace.level
        RxTrace.level = .counts
        XCTAssertTrue(ProcessReport(number: 1).places.isEmpty)
        RxTrace.level = .stacks
        defer { RxTrace.level = before }
        let held: [Any] = (0..<700).map { _ in firstPlace() } + (0..<500).map { _ in secondPlace() }
        let places = ProcessReport(number: 1).places.filter { "\($0.metric)" == "PublishSubject<Chatty> (subject)" }
        XCTAssertEqual(places.map(\.count), [700, 500])
        XCTAssertTrue(
            places.allSatisfy { $0.maker?.contains("ReportDestinationTests.swift:") == true && $0.retention == nil },
            "\(places)")
        withExtendedLifetime(held) {}
    }

    func testReport_atTheLevelParanoid_saysWhoHolds() throws {
        try XCTSkipUnless(Resources.isTracing)
        do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        let before = RxTrace.level
        RxTrace.level = .paranoid
        defer { RxTrace.level = before }
        kept = (0..<900).map { _ in firstPlace() }
        defer { kept = [] }
        let place = try XCTUnwrap(
            ProcessReport(number: 1).places.first { "\($0.metric)" == "PublishSubject<Chatty> (subject)" })
        XCTAssertEqual(place.count, 900)
        XCTAssertTrue(place.retention?.headline.contains("held by global kept") ?? false, "\(place)")
    }

    func testReport_ofThisMoment_namesTypes() throws {
        try XCTSkipUnless(Resources.isTracing)
        let held = (0..<500).map { _ in PublishSubject<ReportDestinationTests>() }
        let text = "\(ProcessReport(number: 1))"
        XCTAssertTrue(text.contains("\n  500  PublishSubject<ReportDestinationTests> (subject)\n"), text)
        withExtendedLifetime(held) {}
    }

    func testFile_ofAPattern_isWrittenAsAWhole() throws {
        let (place, result) = (folder + "/rx-%p-%n-%t-100%%.txt", Results())
        try ReportDestination.file(place, onWritten: result.add).deliver(report)
        let path = folder + "/rx-42-7-20260101T000000Z-100%.txt"
        XCTAssertEqual(result.all, [.success(path)])
        XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "\(report)\n")
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder).count, 1, "no partial file is left")
    }

    func testFile_askedForByASignal_isThereWhenItIsSaid() throws {
        let (isWritten, result) = (DispatchSemaphore(value: 0), Results())
        let destination = try ReportDestination.file(folder + "/report.txt") {
            result.add($0)
            isWritten.signal()
        }
        let installed = try RxTrace.installReportSignal(.usr2, to: destination)
        defer { installed.dispose() }
        kill(getpid(), SIGUSR2)
        XCTAssertEqual(isWritten.wait(timeout: .now() + 20), .success)
        XCTAssertEqual(result.all, [.success(folder + "/report.txt")])
        XCTAssertTrue(try String(contentsOfFile: folder + "/report.txt", encoding: .utf8).hasPrefix("Report "))
    }

    func testFile_thatCannotBeWritten_saysWhy() throws {
        let result = Results()
        let destination = try ReportDestination.file(folder + "/%n/report.txt", onWritten: result.add)
        destination.deliver(report)
        guard case .failure(let error) = result.all.first else { return XCTFail("it was written") }
        XCTAssertEqual(
            "\(error)",
            """
            The report '\(folder)/7/report.txt' was not written: No such file or directory. See to it that the folder \
            is there and can be written to.
            """)
    }

    func testPath_thatCannotBe_isRefusedAtOnce() {
        let cases = [
            "report-%x.txt": "The path 'report-%x.txt' has '%x'. Use '%p', '%n', '%t', or '%%' for a '%'.",
            "report%": "The path 'report%' has '%'. Use '%p', '%n', '%t', or '%%' for a '%'.",
            folder + "/": "The path '\(folder)/' names no file. Add a name, such as 'report-%n.txt'.",
            "": "The path '' names no file. Add a name, such as 'report-%n.txt'.",
            folder + "/none/a.txt": "There is no folder '\(folder)/none'. Make it, or name another.",
        ]
        for (path, text) in cases {
            XCTAssertThrowsError(try ReportDestination.file(path)) { XCTAssertEqual("\($0)", text) }
        }
    }
}

/// The objects that a program keeps.
nonisolated(unsafe) private var kept: [AnyObject] = []

// @unchecked: guarded by the lock.
private final class Results: @unchecked Sendable {
    private let lock = NSLock()
    private var results: [Result<String, ReportSignalError>] = []

    var all: [Result<String, ReportSignalError>] { lock.withLock { results } }

    var add: @Sendable (Result<String, ReportSignalError>) -> Void {
        { [self] result in lock.withLock { results.append(result) } }
    }
}

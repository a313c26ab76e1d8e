import Rx
import RxBlocking
import RxTrace
import XCTest

private struct Fault: Error {}

@inline(never) private func load(_ text: String) throws -> Int {
    guard let number = Int(text) else { throw Fault() }
    return number
}

/// The text of error origins. The setting is process-wide: each test restores it.
final class ErrorOriginNamesTests: XCTestCase {
    override func setUp() { RxTrace.recordsErrorOrigins = true }

    override func tearDown() { RxTrace.recordsErrorOrigins = false }

    private static let file = "ErrorOriginNamesTests.swift"
    /// An optimised build may move and inline code, so lines are exact in debug builds only.
    private let isDebug = _isDebugAssertConfiguration()

    private func origin(of source: Observable<Int>) throws -> ErrorOrigin {
        var found: ErrorOrigin?
        _ = source.subscribe(onError: { found = Hooks.origin(of: $0) })
        return try XCTUnwrap(found)
    }

    func testThrow_isNamedByFunctionFileAndLine() throws {
        let origin = try origin(of: Observable.just("no number").map { try load($0) })
        let frame = try XCTUnwrap(origin.thrownStack.framesOfYours.first)
        XCTAssertTrue(frame.function.hasPrefix("load("), frame.function)
        if isDebug { XCTAssertEqual(frame.place, Self.file + ":9") }
        let lines = "\(origin)".split(separator: "\n").map(String.init)
        XCTAssertEqual(lines.first, "------ Thrown at:")
        XCTAssertTrue(lines[1].hasPrefix("load("), lines[1])
        // The closure that called it is the next frame, without a frame of the library in between. The optimiser
        // inlines the closure into its caller.
        XCTAssertTrue(lines[2].contains(isDebug ? "closure #1" : Self.file), lines[2])
    }

    func testSubscription_isNamedByFunctionFileAndLine() throws {
        let source = Observable.just("no number").map { try load($0) }
        var found: ErrorOrigin?
        let line = #line + 1
        _ = source.subscribe(onError: { found = Hooks.origin(of: $0) })
        let subscribed = try XCTUnwrap(found?.subscribed.first)
        XCTAssertTrue(subscribed.contains("testSubscription_isNamedByFunctionFileAndLine"), subscribed)
        if isDebug { XCTAssertTrue(subscribed.hasSuffix("\(Self.file):\(line)"), subscribed) }
    }

    func testAssembly_isNamedByOperatorsAndTheirLines() throws {
        try XCTSkipUnless(Resources.isTracing)
        let line = #line + 1
        let numbers = Observable.of("1", "no number")
            .map { try load($0) }
            .filter { $0 > 0 }
            .scan(0, accumulator: +)
        let origin = try origin(of: numbers)
        XCTAssertEqual(
            origin.assembled.map(\.name), ["scan(_:accumulator:)", "filter(_:)", "map(_:)", "of(_:)"])
        XCTAssertEqual(origin.assembled.map(\.depth), [0, 1, 2, 3])
        guard isDebug else { return }
        let assembled = "\(origin)".components(separatedBy: "------ Assembled of:\n").last
        XCTAssertEqual(
            assembled,
            """
            scan(_:accumulator:) at \(Self.file):\(line + 3)
              filter(_:) at \(Self.file):\(line + 2)
                map(_:) at \(Self.file):\(line + 1)
                  of(_:) at \(Self.file):\(line)
            """)
    }

    func testAssembly_ofSeveralSources_namesEach() throws {
        try XCTSkipUnless(Resources.isTracing)
        let subject = PublishSubject<Int>()
        let joined = Observable.combineLatest(subject.map { $0 + 1 }, Observable.just("no number").map { try load($0) })
        { $0 + $1 }
        XCTAssertEqual(
            try tree(of: joined), ["combineLatest", "  map", "    PublishSubject<Int>", "  map", "    just"])
    }

    /// Returns the base names of the operators that a sequence was assembled from.
    private func tree(of source: Observable<Int>) throws -> [String] {
        try origin(of: source).assembled.map { String(repeating: "  ", count: $0.depth) + $0.name.prefix { $0 != "(" } }
    }

    func testAssembly_throughEveryKindOfOperator_isComplete() throws {
        try XCTSkipUnless(Resources.isTracing)
        let scheduler = HistoricalScheduler()
        let failing = Observable.just("no number").map { try load($0) }
        let base = ["map", "just"]
        let chains: [(Observable<Int>, [String])] = [
            (failing.do(onSubscribe: {}), ["do"]), (failing.debug("rows"), ["debug"]), (failing.retry(1), ["retry"]),
            (failing.concat(Observable.just(1)), ["concat"]), (Observable.merge(failing), ["merge"]),
            (Observable.zip(failing, Observable.just(1)) { $0 + $1 }, ["zip"]),
            (failing.amb(Observable.never()), ["amb"]),
            (failing.timeout(.seconds(1), scheduler: scheduler), ["timeout"]), (failing.share(), ["share"]),
            (failing.flatMap { Observable.just($0) }, ["flatMap"]), (failing.take(1), ["take"]),
            (failing.take(until: Observable<Int>.never()), ["take"]),
            (
                failing.retry { (errors: Observable<any Error>) in errors.flatMap { Observable<Int>.error($0) } },
                ["retry"]
            ),
        ]
        for (chain, last) in chains {
            let names = try origin(of: chain).assembled.map { String($0.name.prefix { $0 != "(" }) }
            XCTAssertEqual(Array(names.prefix(3)), last + base, "\(names)")
        }
    }

    func testError_ofAFailedToBlocking_hasThreeStacks() throws {
        try XCTSkipUnless(Resources.isTracing)
        let source = Observable.just("no number").map { try load($0) }.checkpoint("search results")
        XCTAssertThrowsError(try source.toBlocking().toArray()) { error in
            let text = Hooks.origin(of: error).map { "\($0)" } ?? ""
            let headings = text.split(separator: "\n").filter { $0.hasPrefix("------") }
            XCTAssertEqual(
                headings,
                ["------ Thrown at:", "------ Subscribed at:", "------ Assembled of:", "------ Checkpoints passed:"],
                text)
            XCTAssertTrue(text.contains("------ Subscribed at:\n"), text)
        }
    }

    func testError_atTheDefaultHandler_hasThreeStacks() throws {
        try XCTSkipUnless(Resources.isTracing)
        let handler = Hooks.defaultErrorHandler
        defer { Hooks.defaultErrorHandler = handler }
        var text = ""
        var stack: [String] = []
        Hooks.defaultErrorHandler = { subscribed, error in
            stack = subscribed
            text = Hooks.origin(of: error).map { "\($0)" } ?? ""
        }
        _ = Observable.just("no number").map { try load($0) }.subscribe(onNext: { _ in })
        checkThreeStacks(in: text)
        // The handler receives the second of the three stacks.
        XCTAssertEqual(stack.isEmpty, false)
        XCTAssertTrue(text.contains("------ Subscribed at:\n" + stack.joined(separator: "\n")), text)
    }

    func testError_atDebug_isWrittenWithThreeStacks() throws {
        try XCTSkipUnless(Resources.isTracing)
        nonisolated(unsafe) var lines: [String] = []
        let log = EventLog(identifier: "rows", trimsOutput: false, now: { .init() }, write: { lines.append($0) })
        _ = Observable.just("no number").map { try load($0) }.debug(log).subscribe { _ in }
        checkThreeStacks(in: lines.first { $0.contains("Event error") } ?? "")
    }

    func testError_ofEachBlockingMethod_hasThreeStacks() throws {
        try XCTSkipUnless(Resources.isTracing)
        let source = Observable.just("no number").map { try load($0) }
        let methods: [(BlockingObservable<Int>) throws -> Void] = [
            { _ = try $0.first() }, { _ = try $0.last() }, { _ = try $0.single() }, { _ = try $0.toArray() },
            { if case .failed(_, let error) = $0.materialize() { throw error } },
        ]
        for method in methods {
            XCTAssertThrowsError(try method(source.toBlocking())) {
                checkThreeStacks(in: Hooks.origin(of: $0).map { "\($0)" } ?? "")
            }
        }
    }

    /// Checks that the first stack begins at the throw, and that the last stack contains the operators of the chain.
    private func checkThreeStacks(in text: String, line: UInt = #line) {
        let parts = text.components(separatedBy: "------ ")
        func part(_ heading: String) -> String { parts.first { $0.hasPrefix(heading) } ?? "" }
        XCTAssertTrue(part("Thrown at:\n").dropFirst("Thrown at:\n".count).hasPrefix("load("), text, line: line)
        XCTAssertTrue(part("Subscribed at:\n").contains("ErrorOriginNamesTests"), text, line: line)
        XCTAssertTrue(part("Assembled of:\n").contains("map(_:) at \(Self.file)"), text, line: line)
        XCTAssertTrue(part("Assembled of:\n").contains("just at \(Self.file)"), text, line: line)
    }

    func testCapture_ofTheProgram_isHonoured() throws {
        let capture = Hooks.customCaptureSubscriptionCallstack
        defer { Hooks.customCaptureSubscriptionCallstack = capture }
        Hooks.customCaptureSubscriptionCallstack = { ["my own"] }
        XCTAssertEqual(try origin(of: .error(Fault())).subscribed, ["my own"])
        XCTAssertThrowsError(try Observable<Int>.error(Fault()).toBlocking().first()) {
            XCTAssertEqual(Hooks.origin(of: $0)?.subscribed, ["my own"])
        }
        let handler = Hooks.defaultErrorHandler
        defer { Hooks.defaultErrorHandler = handler }
        var given: [String] = []
        Hooks.defaultErrorHandler = { stack, _ in given = stack }
        _ = Observable<Int>.error(Fault()).subscribe(onNext: { _ in })
        XCTAssertEqual(given, ["my own"])
    }

    func testRecording_turnedOff_putsEverythingBack() throws {
        RxTrace.recordsErrorOrigins = false
        let level = RxTrace.level
        RxTrace.recordsErrorOrigins = true
        XCTAssertTrue(Hooks.recordCallStackOnError)
        if Resources.isTracing { XCTAssertEqual(RxTrace.level, .stacks) }
        // Another call changes nothing.
        RxTrace.recordsErrorOrigins = true
        RxTrace.recordsErrorOrigins = false
        XCTAssertEqual(RxTrace.level, level)
        XCTAssertFalse(Hooks.recordCallStackOnError)
        XCTAssertFalse(RxTrace.recordsErrorOrigins)
        XCTAssertNil(Hooks.origin(of: Fault()))
    }
}

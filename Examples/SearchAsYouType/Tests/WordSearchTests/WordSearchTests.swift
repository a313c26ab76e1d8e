import Foundation
import Rx
import RxFoundation
import RxTest
import RxTraceTesting
import WordSearch
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

final class WordSearchTests: XCTestCase {
    private struct Offline: Error {}

    /// Returns the screens for the given keys. Each answer takes 300 ms of virtual time.
    private func screens(
        _ keys: [Recorded<Event<Character>>], find: @escaping (String) throws -> [String] = { ["\($0)…"] }
    ) -> [Recorded<Event<Screen>>] {
        let scheduler = TestScheduler(initialClock: 0, resolution: 0.001, simulateProcessingDelay: false)
        let typing = scheduler.createColdObservable(keys)
        let observer = scheduler.createObserver(Screen.self)
        let screens = WordSearch.screens(typing: typing.asObservable(), scheduler: scheduler) { text in
            Observable.just(text).delay(.milliseconds(300), scheduler: scheduler).map(find)
        }
        let subscription = screens.subscribe(observer)
        scheduler.advanceTo(10_000)
        subscription.dispose()
        return observer.events
    }

    func testKeys_areThrottled_andAnswersOutOfDateAreDropped() {
        XCTAssertEqual(
            screens([.next(0, "s"), .next(50, "u"), .next(100, "b"), .completed(1_000)]),
            [
                .next(0, .searching("s")), .next(200, .searching("sub")), .next(500, .found("sub", ["sub…"])),
                .completed(1_000),
            ])
    }

    func testBackspace_takesALetterBack() {
        XCTAssertEqual(
            screens([.next(0, "s"), .next(500, WordSearch.backspace), .completed(1_000)]),
            [.next(0, .searching("s")), .next(300, .found("s", ["s…"])), .next(500, .empty), .completed(1_000)])
    }

    func testErrors_areScreens_andTheNextKeySearchesAgain() {
        let events = screens([.next(0, "s"), .next(1_000, "u"), .completed(2_000)]) { text in
            guard text != "s" else { throw Offline() }
            return [text]
        }
        XCTAssertEqual(
            events.map(\.value),
            [
                .next(.searching("s")), .next(.failed("s")), .next(.searching("su")), .next(.found("su", ["su"])),
                .completed,
            ])
    }

    /// Feeds the program through a pipe: each key is typed when the answer to the previous key is shown.
    func testProgram_showsALineForEachScreen_andEndsWithReturn() throws {
        let bundle = (Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main).bundleURL
        let folder = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
        let program = Process()
        let (keys, screens) = (Pipe(), Pipe())
        program.executableURL = folder.appending(path: "SearchAsYouType")
        (program.standardInput, program.standardOutput) = (keys, screens)
        try program.run()
        // Terminates a program that shows nothing more, so that it does not block the tests.
        let end = DispatchWorkItem { program.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: end)
        defer { end.cancel() }
        var rest = ""
        func nextLine() -> String? {
            while !rest.contains("\n") {
                let data = screens.fileHandleForReading.availableData
                guard !data.isEmpty else { return nil }
                rest += String(decoding: data, as: UTF8.self)
            }
            let line = String(rest.prefix { $0 != "\n" })
            rest.removeFirst(line.count + 1)
            return line
        }
        func words(_ start: String) -> String {
            WordServer.words.filter { $0.hasPrefix(start) }.joined(separator: ", ")
        }
        let typed: [(key: String, screens: [String])] = [
            ("s", ["s …", "s: \(words("s"))"]),
            ("u", ["su …", "su: \(words("su"))"]),
            // The server's third request fails.
            ("b", ["sub …", "sub: the server failed, type on"]),
            (String(WordSearch.backspace), ["su …", "su: \(words("su"))"]),
        ]
        for (key, expected) in typed {
            keys.fileHandleForWriting.write(Data(key.utf8))
            for screen in expected { XCTAssertEqual(nextLine(), screen) }
        }
        keys.fileHandleForWriting.write(Data("\n".utf8))
        XCTAssertNil(nextLine())
        program.waitUntilExit()
        XCTAssertEqual(program.terminationStatus, 0)
    }

    /// Performs one search over the network. Every third request to the server fails.
    private static func search(_ server: WordServer, _ session: URLSession) async throws -> [Screen] {
        let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated)
        let screens = WordSearch.screens(typing: .just("s"), scheduler: scheduler) { server.find($0, in: session) }
        var seen: [Screen] = []
        for try await screen in screens.values { seen.append(screen) }
        return seen
    }

    func testSearching_aHundredTimes_survivesErrors_andLeavesNothingBehind() async throws {
        try XCTSkipUnless(Resources.isTracing)
        let shouldLog = URLSession.rx.shouldLogRequest
        URLSession.rx.shouldLogRequest = { _ in false }
        defer { URLSession.rx.shouldLogRequest = shouldLog }
        let server = try await WordServer(failing: 3)
        let session = URLSession(configuration: .ephemeral)
        let found = Screen.found("s", WordServer.words.filter { $0.hasPrefix("s") })
        // Counted instead of stored: stored screens would grow with the runs.
        var (failures, answers) = (0, 0)
        let report = try await expectNoLeaks(runs: 100) {
            let screens = try await Self.search(server, session)
            XCTAssertEqual(screens.first, .searching("s"))
            for screen in screens.dropFirst() {
                XCTAssertTrue(screen == .failed("s") || screen == found)
                if screen == .failed("s") { failures += 1 } else { answers += 1 }
            }
        }
        XCTAssertGreaterThanOrEqual(report.runs, 100)
        XCTAssertEqual(failures, (failures + answers) / 3)
        session.invalidateAndCancel()
        await server.stop()
    }
}

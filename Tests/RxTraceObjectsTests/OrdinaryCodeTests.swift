import Foundation
import FoundationNetworking
import Rx
import RxTrace
import RxTraceObjects
import Synchronization
import XCTest

/// Code of Foundation, Concurrency and Synchronization as programs have it, which keeps nothing. Some of it ends
/// objects where no counter sees it. Counts are the process's: XCTest runs these one after the other.
final class OrdinaryCodeTests: XCTestCase {
    override func setUpWithError() throws {
        do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        RxTrace.followsObjects = true
    }

    override func tearDown() { RxTrace.followsObjects = false }

    private func expectNothing(_ name: String, line: UInt = #line, _ body: () throws -> Void) rethrows {
        let report = try RxTrace.detectGrowth(named: name, maximumRuns: 40, body)
        XCTAssertEqual(report.growing.map(\.details), [], name, line: line)
    }

    private func expectNothing(_ name: String, line: UInt = #line, _ body: () async throws -> Void) async rethrows {
        let report = try await RxTrace.detectGrowth(named: name, maximumRuns: 40, body)
        XCTAssertEqual(report.growing.map(\.details), [], name, line: line)
    }

    func testFormatters() {
        let date = Date(timeIntervalSince1970: 1_000_000)
        expectNothing("ISO 8601") { _ = ISO8601DateFormatter().string(from: date) }
        expectNothing("ISO 8601, parsed") { _ = ISO8601DateFormatter().date(from: "2026-11-26T20:00:00Z") }
        expectNothing("date format") {
            let formatter = DateFormatter()
            formatter.dateFormat = "yyyy-MM-dd"
            _ = formatter.string(from: date)
        }
        expectNothing("currency") {
            let formatter = NumberFormatter()
            formatter.numberStyle = .currency
            _ = formatter.string(from: 12.5)
        }
        expectNothing("bytes") { _ = ByteCountFormatter.string(fromByteCount: 1_000_000, countStyle: .file) }
        expectNothing("format style") { _ = (12.5).formatted(.percent) + date.formatted(.iso8601) }
        expectNothing("measurement") { _ = Measurement(value: 3, unit: UnitLength.meters).converted(to: .feet) }
    }

    func testArchives() throws {
        let list: [String: Any] = ["name": "a", "numbers": [1, 2, 3], "date": Date(), "data": Data([1, 2])]
        try expectNothing("property list, XML") {
            let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
            _ = try PropertyListSerialization.propertyList(from: data, format: nil)
        }
        try expectNothing("property list, binary") {
            _ = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        }
        try expectNothing("property list coders") {
            _ = try PropertyListDecoder().decode([String].self, from: PropertyListEncoder().encode(["a", "b"]))
        }
        try expectNothing("keyed archive") {
            let data = try NSKeyedArchiver.archivedData(
                withRootObject: NSArray(array: ["a", 1]), requiringSecureCoding: false)
            _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSArray.self, from: data)
        }
        try expectNothing("JSON coders") {
            _ = try JSONDecoder().decode([String: Int].self, from: JSONEncoder().encode(["a": 1]))
        }
        try expectNothing("JSON objects") {
            _ = try JSONSerialization.jsonObject(with: JSONSerialization.data(withJSONObject: ["a": [1, "b"]]))
        }
        expectNothing("base 64") { _ = Data(base64Encoded: Data([1, 2, 3]).base64EncodedString()) }
    }

    func testDefaultsAndProcesses() throws {
        expectNothing("defaults") {
            UserDefaults.standard.set(["a": 1], forKey: "OrdinaryCodeTests")
            _ = UserDefaults.standard.dictionary(forKey: "OrdinaryCodeTests")
            UserDefaults.standard.removeObject(forKey: "OrdinaryCodeTests")
        }
        expectNothing("process information") { _ = ProcessInfo.processInfo.environment["HOME"] }
        expectNothing("bundle") { _ = Bundle.main.infoDictionary }
        try expectNothing("files") {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
            try Data([1, 2, 3]).write(to: url)
            _ = try String(contentsOf: url, encoding: .utf8)
            let handle = try FileHandle(forReadingFrom: url)
            _ = try handle.readToEnd()
            try handle.close()
            _ = try FileManager.default.attributesOfItem(atPath: url.path)
            try FileManager.default.removeItem(at: url)
        }
        expectNothing("pipe") {
            let pipe = Pipe()
            pipe.fileHandleForWriting.write(Data([1]))
            pipe.fileHandleForWriting.closeFile()
            _ = pipe.fileHandleForReading.readDataToEndOfFile()
        }
    }

    func testTexts() throws {
        try expectNothing("regular expression") {
            let expression = try NSRegularExpression(pattern: "(a+)b")
            _ = expression.matches(in: "caabab", range: NSRange(0..<6)).map { $0.range(at: 1) }
        }
        expectNothing("regex") { _ = "caab".firstMatch(of: #/a+b/#)?.output }
        expectNothing("scanner") { _ = Scanner(string: "12 apples").scanInt() }
        expectNothing("attributed string") { _ = AttributedString("a") + AttributedString("b") }
        expectNothing("bridged") {
            let text = NSMutableString(string: "abc")
            text.append("d")
            _ = (text as NSString).appendingPathComponent("e").components(separatedBy: "/")
        }
        expectNothing("replacing") { _ = "a-b".replacingOccurrences(of: "-", with: "+").uppercased() }
        expectNothing("characters") { _ = "a b".rangeOfCharacter(from: CharacterSet.whitespaces.inverted) }
        expectNothing("URLs") {
            var components = URLComponents(string: "https://a.b/c?d=e")
            components?.queryItems?.append(URLQueryItem(name: "x", value: "y"))
            _ = components?.url?.appendingPathComponent("z").absoluteString
        }
        expectNothing("predicates") { _ = [1, 2, 3].filter { $0 > 1 } as NSArray }
    }

    func testDatesAndLocale() {
        expectNothing("calendar") {
            _ = Calendar.current.date(byAdding: .day, value: 1, to: Date())
            _ = Calendar(identifier: .gregorian).dateComponents([.year, .weekday], from: Date())
        }
        expectNothing("locale") { _ = Locale(identifier: "de_CH").currency }
        expectNothing("time zone") { _ = TimeZone(identifier: "Europe/Zurich")?.secondsFromGMT() }
        expectNothing("identifiers") { _ = UUID(uuidString: UUID().uuidString) }
        expectNothing("decimal") { _ = Decimal(string: "1.25")! * 2 }
        expectNothing("index sets") { _ = NSIndexSet(indexSet: IndexSet(1...3)).contains(2) }
    }

    func testCollectionsOfFoundation() {
        expectNothing("cache") {
            let cache = NSCache<NSString, NSNumber>()
            cache.setObject(1, forKey: "a")
        }
        expectNothing("dictionary") {
            let dictionary = NSMutableDictionary()
            dictionary["a"] = NSArray(array: [1, 2])
            _ = dictionary.allKeys
        }
        expectNothing("ordered set") { _ = NSOrderedSet(array: [1, 2, 3]).reversed }
        expectNothing("sorting") {
            let byLength = NSSortDescriptor(keyPath: \NSString.length, ascending: true)
            _ = NSArray(array: ["b", "a"]).sortedArray(using: [byLength])
        }
        expectNothing("counted set") { _ = NSCountedSet(array: ["a", "a"]).count(for: "a") }
    }

    func testNotificationsAndQueues() {
        let center = NotificationCenter.default
        expectNothing("notification") {
            let token = center.addObserver(forName: .init("OrdinaryCode"), object: nil, queue: nil) { _ in }
            center.post(name: .init("OrdinaryCode"), object: nil, userInfo: ["a": 1])
            center.removeObserver(token)
        }
        let queue = DispatchQueue(label: "ordinary")
        expectNothing("queue") {
            queue.async {}
            queue.sync {}
        }
        expectNothing("operation queue") {
            let queue = OperationQueue()
            queue.addOperation {}
            queue.waitUntilAllOperationsAreFinished()
        }
        expectNothing("group") {
            let group = DispatchGroup()
            queue.async(group: group) {}
            group.wait()
        }
        expectNothing("locks") {
            let lock = NSRecursiveLock()
            lock.withLock {}
            NSCondition().signal()
            Mutex(1).withLock { $0 += 1 }
            Atomic(1).add(1, ordering: .relaxed)
        }
        expectNothing("sessions") {
            let session = URLSession(configuration: .ephemeral)
            session.invalidateAndCancel()
        }
    }

    func testConcurrency() async throws {
        await expectNothing("task") { await Task { await Task.yield() }.value }
        await expectNothing("group") {
            _ = await withTaskGroup(of: Int.self) { group in
                for number in 0..<4 { group.addTask { number } }
                return await group.reduce(0, +)
            }
        }
        await expectNothing("async let") {
            async let one = Int.random(in: 0...1)
            async let other = Int.random(in: 0...1)
            _ = await one + other
        }
        await expectNothing("stream") {
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            continuation.yield(1)
            continuation.finish()
            for await _ in stream {}
        }
        await expectNothing("continuation") {
            await withCheckedContinuation { continuation in DispatchQueue.global().async { continuation.resume() } }
        }
        await expectNothing("actor") {
            let counter = OrdinaryCounter()
            await counter.add()
        }
        try await expectNothing("sleep") { try await Task.sleep(for: .milliseconds(1)) }
        await expectNothing("cancelled") {
            let task = Task { try? await Task.sleep(for: .seconds(60)) }
            task.cancel()
            await task.value
        }
    }
}

private actor OrdinaryCounter {
    private var count = 0
    func add() { count += 1 }
}

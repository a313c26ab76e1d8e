import Foundation
import FoundationNetworking
import Observation
import RegexBuilder
import Rx
import RxTrace
import RxTraceObjects
import Synchronization
import XCTest

/// Typical code with Foundation, Concurrency and Synchronization, which keeps no objects. Some of it ends objects where
/// no counter sees it. Counts are per process: XCTest runs these tests one after the other.
final class OrdinaryCodeTests: XCTestCase {
    override func setUpWithError() throws {
        do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        RxTrace.followsObjects = true
    }

    override func tearDown() { RxTrace.followsObjects = false }

    private func expectNothing(_ name: String, line: UInt = #line, _ body: () throws -> Void) rethrows {
        let report = try RxTrace.detectGrowth(named: name, maximumRuns: 40, body)
        XCTAssertEqual(report.outcome, .clean, report.details, line: line)
    }

    private func expectNothing(_ name: String, line: UInt = #line, _ body: () async throws -> Void) async rethrows {
        let report = try await RxTrace.detectGrowth(named: name, maximumRuns: 40, body)
        XCTAssertEqual(report.outcome, .clean, report.details, line: line)
    }

    // MARK: Texts and formats

    func testFormatters() {
        let date = Date(timeIntervalSince1970: 1_000_000)
        expectNothing("ISO 8601") { _ = ISO8601DateFormatter().string(from: date) }
        expectNothing("ISO 8601, parsed") { _ = ISO8601DateFormatter().date(from: "2026-11-26T20:00:00Z") }
        expectNothing("date format") {
            let formatter = DateFormatter()
            formatter.dateFormat = "yyyy-MM-dd"
            _ = formatter.string(from: date)
        }
        expectNothing("date format, parsed") {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.dateFormat = "yyyy-MM-dd HH:mm"
            _ = formatter.date(from: "2026-11-26 20:00")
        }
        expectNothing("date styles") {
            _ = DateFormatter.localizedString(from: date, dateStyle: .medium, timeStyle: .short)
        }
        expectNothing("currency") {
            let formatter = NumberFormatter()
            formatter.numberStyle = .currency
            _ = formatter.string(from: 12.5)
        }
        expectNothing("number, parsed") {
            let formatter = NumberFormatter()
            formatter.numberStyle = .decimal
            _ = formatter.number(from: "1234.5")
        }
        expectNothing("bytes") { _ = ByteCountFormatter.string(fromByteCount: 1_000_000, countStyle: .file) }
        expectNothing("length") { _ = LengthFormatter().string(fromMeters: 3) }
        expectNothing("mass") { _ = MassFormatter().string(fromKilograms: 3) }
    }

    func testFormatStyles() throws {
        let date = Date(timeIntervalSince1970: 1_000_000)
        expectNothing("percent") { _ = (12.5).formatted(.percent) }
        expectNothing("ISO 8601") { _ = date.formatted(.iso8601) }
        expectNothing("currency") { _ = Decimal(3).formatted(.currency(code: "CHF")) }
        expectNothing("date") { _ = date.formatted(date: .abbreviated, time: .shortened) }
        expectNothing("number") { _ = 1_234_567.formatted(.number.notation(.compactName)) }
        expectNothing("byte count") { _ = Int64(1_000_000).formatted(.byteCount(style: .file)) }
        expectNothing("duration") { _ = Duration.seconds(75).formatted(.time(pattern: .minuteSecond)) }
        try expectNothing("parsed date") { _ = try Date("2026-11-26T20:00:00Z", strategy: .iso8601) }
        try expectNothing("parsed number") { _ = try Int("1,234", format: .number) }
    }

    func testTexts() throws {
        try expectNothing("regular expression") {
            let expression = try NSRegularExpression(pattern: "(a+)b")
            _ = expression.matches(in: "caabab", range: NSRange(0..<6)).map { $0.range(at: 1) }
        }
        try expectNothing("regular expression, replacing") {
            let expression = try NSRegularExpression(pattern: "a+", options: .caseInsensitive)
            _ = expression.stringByReplacingMatches(in: "caAb", range: NSRange(0..<4), withTemplate: "x")
        }
        expectNothing("range of a regular expression") { _ = "caab".range(of: "a+", options: .regularExpression) }
        expectNothing("regex") { _ = "caab".firstMatch(of: #/a+b/#)?.output }
        try expectNothing("regex of a text") { _ = try Regex("(a+)b").wholeMatch(in: "aab")?.output }
        expectNothing("regex, built") {
            let digits = Reference(Substring.self)
            let regex = Regex {
                "no. "
                Capture(as: digits) { OneOrMore(.digit) }
            }
            _ = "no. 12".wholeMatch(of: regex)?[digits]
        }
        expectNothing("scanner") { _ = Scanner(string: "12 apples").scanInt() }
        expectNothing("bridged") {
            let text = NSMutableString(string: "abc")
            text.append("d")
            _ = (text as NSString).appendingPathComponent("e").components(separatedBy: "/")
        }
        expectNothing("replacing") { _ = "a-b".replacingOccurrences(of: "-", with: "+").uppercased() }
        expectNothing("characters") { _ = "a b".rangeOfCharacter(from: CharacterSet.whitespaces.inverted) }
        expectNothing("trimming") { _ = "  a long enough text  ".trimmingCharacters(in: .whitespaces) }
        expectNothing("format") { _ = String(format: "%05.2f of %@", 1.5, "many") }
        expectNothing("encoding") { _ = String(data: "ä".data(using: .utf16)!, encoding: .utf16) }
        expectNothing("comparing") {
            _ = ["b10", "b9"].sorted { $0.localizedStandardCompare($1) == .orderedAscending }
        }
        expectNothing("folding") { _ = "É".folding(options: .diacriticInsensitive, locale: nil) }
        expectNothing("lines") { "a\nb".enumerateLines { _, _ in } }
        expectNothing("percent encoding") {
            _ = "a b".addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed)?.removingPercentEncoding
        }
    }

    func testAttributedTexts() {
        expectNothing("attributed string") { _ = AttributedString("a") + AttributedString("b") }
        expectNothing("attributes") {
            var text = AttributedString("a link")
            text.link = URL(string: "https://a.b")
            _ = text.runs.map(\.link)
        }
    }

    func testURLs() {
        expectNothing("components") {
            var components = URLComponents(string: "https://a.b/c?d=e")
            components?.queryItems?.append(URLQueryItem(name: "x", value: "y"))
            _ = components?.url?.appendingPathComponent("z").absoluteString
        }
        expectNothing("relative") { _ = URL(string: "../c", relativeTo: URL(string: "https://a.b/d/e"))?.absoluteURL }
        expectNothing("of files") { _ = URL(fileURLWithPath: "/tmp/../tmp").standardizedFileURL.pathComponents }
        expectNothing("request") {
            var request = URLRequest(url: URL(string: "https://a.b")!)
            request.setValue("application/json", forHTTPHeaderField: "Accept")
            request.httpBody = Data([1, 2])
            _ = request.allHTTPHeaderFields
        }
        expectNothing("response") {
            _ = HTTPURLResponse(
                url: URL(string: "https://a.b")!, statusCode: 200, httpVersion: nil, headerFields: ["A": "b"])
        }
        expectNothing("cookie") {
            _ = HTTPCookie(properties: [.name: "a", .value: "b", .domain: "a.b", .path: "/"])?.expiresDate
        }
    }

    // MARK: Archives and values

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
        expectNothing("base 64") { _ = Data(base64Encoded: Data([1, 2, 3]).base64EncodedString()) }
    }

    func testJSON() throws {
        struct Order: Codable {
            var id = UUID()
            var day = Date(timeIntervalSince1970: 1_000_000)
            var lines = ["a": [1.5, 2]]
            var note: String?
        }
        try expectNothing("coders") {
            _ = try JSONDecoder().decode([String: Int].self, from: JSONEncoder().encode(["a": 1]))
        }
        try expectNothing("dates") {
            let encoder = JSONEncoder()
            encoder.dateEncodingStrategy = .iso8601
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            _ = try decoder.decode(Order.self, from: encoder.encode(Order()))
        }
        expectNothing("error") { _ = try? JSONDecoder().decode(Order.self, from: Data("{\"id\": 1}".utf8)) }
        try expectNothing("objects") {
            _ = try JSONSerialization.jsonObject(with: JSONSerialization.data(withJSONObject: ["a": [1, "b"]]))
        }
        expectNothing("broken objects") { _ = try? JSONSerialization.jsonObject(with: Data("[1,".utf8)) }
    }

    func testValues() {
        expectNothing("measurement") { _ = Measurement(value: 3, unit: UnitLength.meters).converted(to: .feet) }
        expectNothing("sum of measurements") {
            _ = Measurement(value: 3, unit: UnitDuration.minutes) + Measurement(value: 3, unit: UnitDuration.seconds)
        }
        expectNothing("identifiers") { _ = UUID(uuidString: UUID().uuidString) }
        expectNothing("decimal") { _ = Decimal(string: "1.25")! * 2 }
        expectNothing("decimal number") { _ = NSDecimalNumber(string: "1.25").adding(2) }
        expectNothing("number") { _ = NSNumber(value: 1.5).stringValue }
        expectNothing("value of a range") { _ = NSValue(range: NSRange(0..<2)).rangeValue }
        expectNothing("index sets") { _ = NSIndexSet(indexSet: IndexSet(1...3)).contains(2) }
        expectNothing("index paths") { _ = IndexPath(indexes: [1, 2, 3]).appending(4) }
        expectNothing("error") { _ = (CocoaError(.fileNoSuchFile) as NSError).localizedDescription }
        expectNothing("data") {
            var data = Data(repeating: 1, count: 1_000)
            data.append(Data([1, 2]))
            data.replaceSubrange(0..<10, with: [3])
            _ = data.subdata(in: 5..<500).range(of: Data([1, 2]))
        }
    }

    func testDatesAndLocale() {
        expectNothing("calendar") {
            _ = Calendar.current.date(byAdding: .day, value: 1, to: Date())
            _ = Calendar(identifier: .gregorian).dateComponents([.year, .weekday], from: Date())
        }
        expectNothing("another calendar") { _ = Calendar(identifier: .hebrew).component(.year, from: Date()) }
        expectNothing("date components") {
            var components = DateComponents(calendar: .current, year: 2026, month: 11)
            components.day = 26
            _ = components.date
        }
        expectNothing("next date") {
            _ = Calendar.current.nextDate(
                after: Date(), matching: DateComponents(hour: 9), matchingPolicy: .nextTime)
        }
        expectNothing("interval") {
            _ = Calendar.current.dateInterval(of: .month, for: Date())?.intersection(
                with: DateInterval(start: Date(), duration: 60))
        }
        expectNothing("locale") { _ = Locale(identifier: "de_CH").currency }
        expectNothing("names") { _ = Locale.current.localizedString(forRegionCode: "CH") }
        expectNothing("time zone") { _ = TimeZone(identifier: "Europe/Zurich")?.secondsFromGMT() }
        expectNothing("summer time") { _ = TimeZone(identifier: "Europe/Zurich")?.nextDaylightSavingTimeTransition }
    }

    func testCollectionsOfFoundation() throws {
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
        expectNothing("sorting by key path") { _ = ["bb", "a"].sorted(using: KeyPathComparator(\.count)) }
        expectNothing("counted set") { _ = NSCountedSet(array: ["a", "a"]).count(for: "a") }
        expectNothing("bridged array") { _ = [1, 2, 3].filter { $0 > 1 } as NSArray }
        expectNothing("predicate of a block") {
            let predicate = NSPredicate { object, _ in object as? Int == 2 }
            _ = NSArray(array: [1, 2]).filtered(using: predicate)
        }
        try expectNothing("predicate") { _ = try [1, 2].filter(#Predicate { $0 > 1 }) }
    }

    // MARK: The system

    func testDefaultsAndProcesses() throws {
        expectNothing("defaults") {
            UserDefaults.standard.set(["a": 1], forKey: "OrdinaryCodeTests")
            _ = UserDefaults.standard.dictionary(forKey: "OrdinaryCodeTests")
            UserDefaults.standard.removeObject(forKey: "OrdinaryCodeTests")
        }
        expectNothing("process information") { _ = ProcessInfo.processInfo.environment["HOME"] }
        expectNothing("bundle") { _ = Bundle.main.infoDictionary }
        expectNothing("bundle of a class") { _ = Bundle(for: Self.self).path(forResource: "none", ofType: "txt") }
        try expectNothing("process") {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/echo")
            process.arguments = ["a"]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            _ = try output.fileHandleForReading.readToEnd()
            process.waitUntilExit()
        }
    }

    func testFiles() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("a.txt")
        try expectNothing("data") {
            try Data([1, 2, 3]).write(to: url)
            _ = try Data(contentsOf: url)
        }
        try expectNothing("data, mapped") { _ = try Data(contentsOf: url, options: .mappedIfSafe).count }
        try expectNothing("text") {
            try "a text".write(to: url, atomically: true, encoding: .utf8)
            _ = try String(contentsOf: url, encoding: .utf8)
        }
        try expectNothing("handle") {
            let handle = try FileHandle(forUpdating: url)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data([1]))
            try handle.seek(toOffset: 0)
            _ = try handle.readToEnd()
            try handle.truncate(atOffset: 3)
            try handle.close()
        }
        try expectNothing("copy and move") {
            let (copy, moved) = (folder.appendingPathComponent("b"), folder.appendingPathComponent("c"))
            try FileManager.default.copyItem(at: url, to: copy)
            try FileManager.default.moveItem(at: copy, to: moved)
            try FileManager.default.removeItem(at: moved)
        }
        try expectNothing("attributes") { _ = try FileManager.default.attributesOfItem(atPath: url.path) }
        try expectNothing("list of a folder") {
            _ = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        }
        expectNothing("enumerator") {
            for case let item as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)! {
                _ = item.lastPathComponent
            }
        }
        expectNothing("error") { _ = try? Data(contentsOf: folder.appendingPathComponent("none")) }
        expectNothing("input stream") {
            let stream = InputStream(data: Data([1, 2, 3]))
            stream.open()
            var bytes: [UInt8] = [0, 0, 0, 0]
            _ = stream.read(&bytes, maxLength: 4)
            stream.close()
        }
        expectNothing("output stream") {
            let stream = OutputStream.toMemory()
            stream.open()
            _ = stream.write([1, 2, 3], maxLength: 3)
            stream.close()
        }
        expectNothing("pipe") {
            let pipe = Pipe()
            pipe.fileHandleForWriting.write(Data([1]))
            pipe.fileHandleForWriting.closeFile()
            _ = pipe.fileHandleForReading.readDataToEndOfFile()
        }
        expectNothing("pipe with a handler") {
            let pipe = Pipe()
            let read = DispatchSemaphore(value: 0)
            pipe.fileHandleForReading.readabilityHandler = { handle in
                _ = handle.availableData
                read.signal()
            }
            pipe.fileHandleForWriting.write(Data([1]))
            read.wait()
            pipe.fileHandleForReading.readabilityHandler = nil
        }
    }

    func testNotificationsAndProgress() {
        let center = NotificationCenter.default
        expectNothing("notification") {
            let token = center.addObserver(forName: .init("OrdinaryCode"), object: nil, queue: nil) { _ in }
            center.post(name: .init("OrdinaryCode"), object: nil, userInfo: ["a": 1])
            center.removeObserver(token)
        }
        expectNothing("own center") {
            let center = NotificationCenter()
            _ = center.addObserver(forName: nil, object: nil, queue: nil) { _ in }
            center.post(name: .init("OrdinaryCode"), object: nil)
        }
        expectNothing("progress") {
            let whole = Progress(totalUnitCount: 2)
            let part = Progress(totalUnitCount: 10, parent: whole, pendingUnitCount: 1)
            part.completedUnitCount = 10
            _ = whole.fractionCompleted
        }
        expectNothing("progress of a thread") {
            let whole = Progress(totalUnitCount: 1)
            whole.becomeCurrent(withPendingUnitCount: 1)
            Progress(totalUnitCount: 1).completedUnitCount = 1
            whole.resignCurrent()
        }
        expectNothing("run loop") { RunLoop.current.run(until: Date()) }
    }

    func testSessions() async {
        expectNothing("session") { URLSession(configuration: .ephemeral).invalidateAndCancel() }
        expectNothing("finished") { URLSession(configuration: .default).finishTasksAndInvalidate() }
        // No process listens at that port.
        let refused = URL(string: "http://127.0.0.1:1/")!
        await expectNothing("refused request") { _ = try? await URLSession.shared.data(from: refused) }
        expectNothing("request that was cancelled") {
            let task = URLSession.shared.dataTask(with: refused) { _, _, _ in }
            task.cancel()
        }
        expectNothing("cache") {
            let cache = URLCache(memoryCapacity: 10_000, diskCapacity: 0, diskPath: nil)
            let response = URLResponse(url: refused, mimeType: nil, expectedContentLength: 1, textEncodingName: nil)
            cache.storeCachedResponse(.init(response: response, data: Data([1])), for: URLRequest(url: refused))
        }
    }

    // MARK: Queues, threads and locks

    func testQueues() {
        let queue = DispatchQueue(label: "ordinary")
        expectNothing("queue") {
            queue.async {}
            queue.sync {}
        }
        expectNothing("own queue") {
            DispatchQueue(label: "ordinary", attributes: .concurrent).sync(flags: .barrier) {}
        }
        expectNothing("group") {
            let group = DispatchGroup()
            queue.async(group: group) {}
            group.wait()
        }
        expectNothing("notified group") {
            let (group, done) = (DispatchGroup(), DispatchSemaphore(value: 0))
            group.enter()
            group.notify(queue: queue) { done.signal() }
            group.leave()
            done.wait()
        }
        expectNothing("work item") {
            let item = DispatchWorkItem {}
            queue.async(execute: item)
            item.wait()
        }
        expectNothing("cancelled work item") {
            let item = DispatchWorkItem {}
            item.cancel()
            queue.sync(execute: item)
        }
        expectNothing("timer source") {
            let done = DispatchSemaphore(value: 0)
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler {
                timer.cancel()
                done.signal()
            }
            timer.schedule(deadline: .now())
            timer.resume()
            done.wait()
        }
        expectNothing("at once") { DispatchQueue.concurrentPerform(iterations: 4) { _ in } }
        expectNothing("specific") {
            let key = DispatchSpecificKey<[Int]>()
            queue.setSpecific(key: key, value: [1, 2])
            queue.setSpecific(key: key, value: nil)
        }
    }

    func testOperations() {
        expectNothing("queue") {
            let queue = OperationQueue()
            queue.addOperation {}
            queue.waitUntilAllOperationsAreFinished()
        }
        let queue = OperationQueue()
        expectNothing("dependencies") {
            let (first, second) = (BlockOperation {}, BlockOperation {})
            second.addDependency(first)
            first.completionBlock = {}
            queue.addOperations([second, first], waitUntilFinished: true)
        }
        expectNothing("own operation") { queue.addOperations([OrdinaryOperation()], waitUntilFinished: true) }
        expectNothing("cancelled") {
            let operation = BlockOperation {}
            operation.cancel()
            queue.addOperations([operation], waitUntilFinished: true)
        }
    }

    func testThreadsAndLocks() {
        expectNothing("thread") {
            let done = DispatchSemaphore(value: 0)
            Thread { done.signal() }.start()
            done.wait()
        }
        expectNothing("values of a thread") {
            Thread.current.threadDictionary["OrdinaryCode"] = NSString(string: "a")
            Thread.current.threadDictionary.removeObject(forKey: "OrdinaryCode")
        }
        expectNothing("lock") { NSLock().withLock {} }
        expectNothing("recursive lock") {
            let lock = NSRecursiveLock()
            lock.withLock { lock.withLock {} }
        }
        expectNothing("condition") { NSCondition().signal() }
        expectNothing("condition lock") {
            let lock = NSConditionLock(condition: 1)
            lock.lock(whenCondition: 1)
            lock.unlock(withCondition: 2)
        }
        expectNothing("semaphore") {
            let semaphore = DispatchSemaphore(value: 0)
            semaphore.signal()
            semaphore.wait()
        }
    }

    func testSynchronization() {
        expectNothing("mutex") { Mutex(1).withLock { $0 += 1 } }
        expectNothing("mutex of a table") { Mutex(["a": [1, 2]]).withLock { $0["b"] = [3] } }
        expectNothing("mutex, if it is free") { _ = Mutex("a text of some length").withLockIfAvailable(\.count) }
        expectNothing("atomic") { Atomic(1).add(1, ordering: .relaxed) }
        expectNothing("exchange") {
            _ = Atomic(1).compareExchange(expected: 1, desired: 2, ordering: .acquiringAndReleasing)
        }
        expectNothing("lazy reference") {
            let reference = AtomicLazyReference<OrdinaryBox>()
            _ = reference.storeIfNil(OrdinaryBox())
            _ = reference.storeIfNil(OrdinaryBox())
        }
    }

    // MARK: Concurrency

    func testTasks() async throws {
        await expectNothing("task") { await Task { await Task.yield() }.value }
        await expectNothing("detached") { await Task.detached(priority: .background) {}.value }
        await expectNothing("result") { _ = await Task { throw CancellationError() }.result }
        await expectNothing("async let") {
            async let one = Int.random(in: 0...1)
            async let other = Int.random(in: 0...1)
            _ = await one + other
        }
        await expectNothing("async let that nobody awaits") { async let _ = Int.random(in: 0...1) }
        await expectNothing("tree") { _ = await OrdinaryTree.sum(4) }
        await expectNothing("task-local value") {
            await OrdinaryTree.$label.withValue("a label") { await Task { _ = OrdinaryTree.label }.value }
        }
        await expectNothing("cancellation handler") {
            let task = Task {
                await withTaskCancellationHandler {
                    await Task.yield()
                } onCancel: {
                }
            }
            task.cancel()
            await task.value
        }
        await expectNothing("main actor") { await MainActor.run {} }
        await expectNothing("continuation") {
            await withCheckedContinuation { continuation in DispatchQueue.global().async { continuation.resume() } }
        }
        await expectNothing("throwing continuation") {
            _ = try? await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Int, any Error>) in
                continuation.resume(throwing: CancellationError())
            }
        }
    }

    func testGroups() async throws {
        await expectNothing("group") {
            _ = await withTaskGroup(of: Int.self) { group in
                for number in 0..<4 { group.addTask { number } }
                return await group.reduce(0, +)
            }
        }
        await expectNothing("throwing") {
            _ = try? await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask { throw CancellationError() }
                group.addTask { 1 }
                return try await group.reduce(0, +)
            }
        }
        await expectNothing("discarding") {
            await withDiscardingTaskGroup { group in for _ in 0..<4 { group.addTask { await Task.yield() } } }
        }
        await expectNothing("cancelled") {
            await withTaskGroup { group in
                group.addTask { try? await Task.sleep(for: .seconds(60)) }
                group.cancelAll()
            }
        }
        await expectNothing("first of two") {
            _ = await withTaskGroup(of: Int.self) { group in
                group.addTask { 1 }
                group.addTask {
                    try? await Task.sleep(for: .seconds(60))
                    return 2
                }
                defer { group.cancelAll() }
                return await group.next()
            }
        }
    }

    func testStreams() async throws {
        await expectNothing("stream") {
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            continuation.yield(1)
            continuation.finish()
            for await _ in stream {}
        }
        await expectNothing("newest") {
            let (stream, continuation) = AsyncStream<[Int]>.makeStream(bufferingPolicy: .bufferingNewest(2))
            for number in 0..<10 { continuation.yield([number]) }
            continuation.onTermination = { _ in }
            continuation.finish()
            for await _ in stream {}
        }
        await expectNothing("error") {
            let stream = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: CancellationError()) }
            _ = try? await stream.first { _ in true }
        }
        await expectNothing("unfolding") {
            let numbers = Mutex([1, 2, 3])
            for await _ in AsyncStream<Int>(unfolding: { numbers.withLock { $0.popLast() } }).map({ $0 * 2 }).filter({
                $0 > 2
            }) {}
        }
        await expectNothing("cancelled consumer") {
            let (stream, continuation) = AsyncStream<Int>.makeStream()
            let task = Task { for await _ in stream {} }
            continuation.yield(1)
            task.cancel()
            await task.value
        }
        expectNothing("stream that is dropped") {
            let (_, continuation) = AsyncStream<Int>.makeStream()
            continuation.yield(1)
        }
    }

    func testActors() async {
        await expectNothing("actor") {
            let counter = OrdinaryCounter()
            await counter.add()
        }
        let counter = OrdinaryCounter()
        await expectNothing("actor with many callers") {
            await withDiscardingTaskGroup { group in for _ in 0..<8 { group.addTask { await counter.add() } } }
        }
        await expectNothing("table that is cleared") {
            await counter.fill(100)
            await counter.clear()
        }
        await expectNothing("actor of a queue") { await OrdinaryQueueActor().add() }
        await expectNothing("global actor") { await OrdinaryGlobal.run() }
        expectNothing("observation") {
            let model = OrdinaryModel()
            withObservationTracking {
                _ = model.names
            } onChange: {
            }
            model.names.append("a")
        }
    }

    func testClocks() async throws {
        try await expectNothing("sleep") { try await Task.sleep(for: .milliseconds(1)) }
        try await expectNothing("suspending clock") { try await SuspendingClock().sleep(for: .milliseconds(1)) }
        await expectNothing("measure") { _ = await ContinuousClock().measure { await Task.yield() } }
        await expectNothing("cancelled sleep") {
            let task = Task { try? await Task.sleep(for: .seconds(60)) }
            task.cancel()
            await task.value
        }
    }
}

private actor OrdinaryCounter {
    private var count = 0
    private var table: [String: Int] = [:]
    func add() { count += 1 }
    func fill(_ size: Int) { for number in 0..<size { table["number \(number) of the table"] = number } }
    func clear() { table = [:] }
}

private final class OrdinaryExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "ordinary")
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

private actor OrdinaryQueueActor {
    private let executor = OrdinaryExecutor()
    private var count = 0
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    func add() { count += 1 }
}

@globalActor private actor OrdinaryGlobal {
    static let shared = OrdinaryGlobal()
    @OrdinaryGlobal static func run() { _ = [1, 2, 3].map { $0 + 1 } }
}

@Observable private final class OrdinaryModel { var names: [String] = [] }

private final class OrdinaryBox: Sendable { let name = "a text of some length" }

private final class OrdinaryOperation: Operation, @unchecked Sendable {
    // @unchecked: one thread at a time runs an operation.
    private var result: [Int] = []
    override func main() { result = [1, 2, 3] }
}

private enum OrdinaryTree {
    @TaskLocal static var label = ""

    static func sum(_ depth: Int) async -> Int {
        guard depth > 0 else { return 1 }
        async let left = sum(depth - 1)
        async let right = sum(depth - 1)
        return await left + right
    }
}

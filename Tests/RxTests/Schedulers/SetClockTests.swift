#if os(Linux)
    import Foundation
    import Rx
    import RxBlocking
    import XCTest

    /// Timing operators in a process whose real-time clock is set while they wait.
    ///
    /// The test compiles a library that interposes libc's clock functions, and restarts itself with it preloaded.
    final class SetClockTests: XCTestCase {
        private static let library = """
            #include <stdatomic.h>
            #include <sys/syscall.h>
            #include <sys/time.h>
            #include <time.h>
            #include <unistd.h>

            static atomic_long shift;

            void rx_test_shift_clock(long seconds) { atomic_fetch_add(&shift, seconds); }

            int clock_gettime(clockid_t clock, struct timespec *time) {
                int result = (int)syscall(SYS_clock_gettime, clock, time);
                if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) time->tv_sec += shift;
                return result;
            }

            int gettimeofday(struct timeval *time, void *zone) {
                int result = (int)syscall(SYS_gettimeofday, time, zone);
                if (time) time->tv_sec += shift;
                return result;
            }

            time_t time(time_t *result) {
                struct timespec now;
                clock_gettime(CLOCK_REALTIME, &now);
                if (result) *result = now.tv_sec;
                return now.tv_sec;
            }
            """

        private static let variable = "RX_TEST_SHIFT_CLOCK"
        private static let mark = "SHIFTED: "

        func testSpans_whileTheClockIsSet_areWhatTheyWere() throws {
            if let jump = ProcessInfo.processInfo.environment[Self.variable].flatMap({ Int($0) }) {
                for line in try ShiftedSpans(jump: jump).lines() { print(Self.mark + line) }
                return
            }
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let source = folder.appendingPathComponent("clock.c"), library = folder.appendingPathComponent("clock.so")
            try Self.library.write(to: source, atomically: true, encoding: .utf8)
            let compiled = try output(
                of: "/usr/bin/env", ["clang", "-O1", "-shared", "-fPIC", "-o", library.path, source.path])
            XCTAssertEqual(compiled.code, 0, compiled.text)
            for jump in ["3600", "-3600"] {
                let child = try output(
                    of: URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path,
                    ["RxTests.SetClockTests/testSpans_whileTheClockIsSet_areWhatTheyWere"],
                    [Self.variable: jump, "LD_PRELOAD": library.path])
                let lines = child.text.split(separator: "\n").filter { $0.hasPrefix(Self.mark) }
                    .map { String($0.dropFirst(Self.mark.count)) }
                XCTAssertEqual(lines, ShiftedSpans.expected, "jump: \(jump)\n\(child.text)")
            }
        }

        /// Ends the program after a minute: a program that waits for the date would take an hour.
        private func output(
            of program: String, _ arguments: [String], _ variables: [String: String] = [:]
        ) throws -> (text: String, code: Int32) {
            let child = Process()
            child.executableURL = URL(fileURLWithPath: program)
            child.arguments = arguments
            child.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
            let pipe = Pipe()
            child.standardOutput = pipe
            child.standardError = pipe
            try child.run()
            let identifier = child.processIdentifier
            let limit = DispatchWorkItem { kill(identifier, SIGKILL) }
            DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: limit)
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            child.waitUntilExit()
            limit.cancel()
            return (String(decoding: data, as: UTF8.self), child.terminationStatus)
        }
    }

    /// Timing operators whose spans begin before the clock is set, and elements that arrive after that.
    ///
    /// No span may be too short, however late a timer is; a span that waits for the date would take an hour.
    private final class ShiftedSpans: @unchecked Sendable {
        // @unchecked: only the scheduler's queue accesses the mutable state; the end is awaited.
        static let expected = ["clock: set"] + names.map { "\($0): in time" } + ["toBlocking(timeout:): in time"]
        private static let names = [
            "buffer", "debounce", "delay", "delaySubscription", "interval", "schedulePeriodic", "skip(_:)",
            "take(for:)", "throttle", "throttle, latest: false", "throttle, long", "timeout", "timeout, long",
            "timeout, other", "timer", "window",
        ]
        private static let span = 0.2

        private let jump: Int
        private let scheduler = SerialDispatchQueueScheduler(qos: .userInitiated)
        private let source = PublishSubject<Int>()
        private let bag = DisposeBag()
        private var verdicts: [String: String] = [:]
        private var steps = 0
        /// The start of the spans, and the time at which the clock was set and the next element was sent.
        private var start = DispatchTime.now()
        private var later = DispatchTime.now()

        init(jump: Int) { self.jump = jump }

        func lines() throws -> [String] {
            typealias Shift = @convention(c) (Int) -> Void
            let shift = unsafeBitCast(
                try XCTUnwrap(dlsym(nil, "rx_test_shift_clock"), "The library is not preloaded."), to: Shift.self)
            let before = Date()
            shift(jump)
            let isSet = abs(Date().timeIntervalSince(before) - Double(jump)) < 600
            let done = DispatchSemaphore(value: 0)
            _ = scheduler.schedule(()) { _ in
                self.subscribe()
                self.step(shift) { done.signal() }
                return Disposables.create()
            }
            done.wait()
            let spans = verdicts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            return ["clock: \(isSet ? "set" : "not set")"] + spans + [blocking(shift)]
        }

        /// Records, the first time, whether a span of `seconds` that began at `start` is over.
        private func ended(_ name: String, after seconds: Double = span, from start: DispatchTime) {
            if verdicts[name] != nil { return }
            let passed = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) * 1e-9
            verdicts[name] = passed >= seconds - 1e-3 ? "in time" : "after \(passed) of \(seconds) s"
        }

        private func subscribe() {
            let span = RxTimeInterval.milliseconds(Int(Self.span * 1000))
            start = .now()
            keep(source.buffer(timeSpan: span, count: 1_000, scheduler: scheduler)) { _ in self.begun("buffer") }
            keep(source.window(timeSpan: span, count: 1_000, scheduler: scheduler).skip(1)) { _ in self.begun("window")
            }
            keep(source.filter { $0 <= 1 }.debounce(span, scheduler: scheduler)) { value in
                XCTAssertEqual(value, 1)
                self.ended("debounce", from: self.later)
            }
            keep(source.delay(span, scheduler: scheduler)) { value in
                if value == 0 { self.begun("delay") } else if value == 1 { self.ended("delay", from: self.later) }
            }
            keep(Observable.just(0).delaySubscription(span, scheduler: scheduler)) { _ in
                self.begun("delaySubscription")
            }
            keep(Observable<Int>.interval(span, scheduler: scheduler).skip(1)) { _ in
                self.ended("interval", after: 2 * Self.span, from: self.start)
            }
            scheduler.schedulePeriodic(0, startAfter: span, period: span) {
                if $0 == 0 { self.begun("schedulePeriodic") }
                return $0 + 1
            }.disposed(by: bag)
            keep(Observable<Int>.timer(span, scheduler: scheduler)) { _ in self.begun("timer") }
            keep(source.skip(span, scheduler: scheduler)) { _ in self.begun("skip(_:)") }
            keep(source.take(for: span, scheduler: scheduler).takeLast(1)) { _ in self.begun("take(for:)") }
            keep(source.throttle(span, scheduler: scheduler)) { if $0 > 0 { self.begun("throttle") } }
            keep(source.throttle(span, latest: false, scheduler: scheduler)) {
                if $0 > 0 { self.begun("throttle, latest: false") }
            }
            keep(source.throttle(.seconds(1_800), latest: false, scheduler: scheduler)) {
                if $0 > 0 { self.begun("throttle, long", after: 1_800) }
            }
            keep(source.filter { $0 <= 1 }.timeout(span, scheduler: scheduler).catchAndReturn(-1)) {
                if $0 < 0 { self.ended("timeout", from: self.later) }
            }
            keep(source.filter { $0 <= 1 }.timeout(span, other: Observable.just(-1), scheduler: scheduler)) {
                if $0 < 0 { self.ended("timeout, other", from: self.later) }
            }
            keep(source.timeout(.seconds(1_800), scheduler: scheduler).catchAndReturn(-1)) {
                if $0 < 0 { self.begun("timeout, long", after: 1_800) }
            }
        }

        private func keep<Element>(_ source: Observable<Element>, _ next: @escaping (Element) -> Void) {
            source.subscribe(onNext: next).disposed(by: bag)
        }

        /// Records a span that began with the subscriptions.
        private func begun(_ name: String, after seconds: Double = span) { ended(name, after: seconds, from: start) }

        /// Sends the next number, and continues until all spans have passed except the forbidden ones.
        private func step(_ shift: @escaping @convention(c) (Int) -> Void, _ completion: @escaping () -> Void) {
            if steps == 1 {
                shift(jump)
                later = .now()
            }
            source.onNext(steps)
            steps += 1
            _ = scheduler.scheduleRelative((), dueTime: .milliseconds(30)) { _ in
                if self.verdicts.keys.filter({ !$0.hasSuffix("long") }).count < Self.names.count - 2 {
                    self.step(shift, completion)
                } else {
                    for name in ["throttle, long", "timeout, long"] where self.verdicts[name] == nil {
                        self.verdicts[name] = "in time"
                    }
                    completion()
                }
                return Disposables.create()
            }
        }

        /// Sets the clock while the main thread waits.
        private func blocking(_ shift: @escaping @convention(c) (Int) -> Void) -> String {
            let timer = scheduler.scheduleRelative((), dueTime: .milliseconds(10)) { [jump] _ in
                shift(jump)
                return Disposables.create()
            }
            defer { timer.dispose() }
            let start = DispatchTime.now()
            do {
                _ = try Observable<Int>.never().toBlocking(timeout: Self.span).first()
                return "toBlocking(timeout:): no timeout"
            } catch {
                let passed = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) * 1e-9
                return "toBlocking(timeout:): \(passed >= Self.span - 1e-3 ? "in time" : "after \(passed) s")"
            }
        }
    }
#endif

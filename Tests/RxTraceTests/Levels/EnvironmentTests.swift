#if TRACE_RESOURCES
    import CRx
    import Rx
    import XCTest

    @testable import HeapTrace

    @testable import RxTrace

    /// The values that the variable RX_TRACE may have.
    final class EnvironmentTests: XCTestCase {
        private func parsed(_ text: String) -> String? {
            var said = rx_environment()
            guard rx_environment_parse(text, &said) else { return nil }
            let exit = said.reports_at_exit ? said.exit_code == 0 ? ", exit" : ", exit \(said.exit_code)" : ""
            return RxTrace.Level(rawValue: Int(said.level)).map { "\($0) \(said.rate)\(exit)" }
        }

        func testLevels_withAndWithoutARate_areUnderstood() {
            XCTAssertEqual(
                ["off", "counts", "stacks", "paranoid"].map(parsed),
                ["off 1.0", "counts 1.0", "stacks 1.0", "paranoid 1.0"])
            XCTAssertEqual(
                ["stacks:0.1", "stacks:0", "stacks:1", "stacks:1e-3"].map(parsed),
                ["stacks 0.1", "stacks 0.0", "stacks 1.0", "stacks 0.001"])
        }

        func testReportAtExit_withAndWithoutACode_isUnderstood() {
            XCTAssertEqual(
                ["stacks,exit", "counts,exit=1", "stacks:0.5,exit=255"].map(parsed),
                ["stacks 1.0, exit", "counts 1.0, exit 1", "stacks 0.5, exit 255"])
        }

        func testAnythingElse_isRefused() {
            let exits = [
                "exit", ",exit", "stacks,", "stacks,exit=", "stacks,exit=0", "stacks,exit=256", "stacks,exit=-1",
                "stacks,exit= 1", "stacks,exit=1x",
                "stacks,exits", "stacks,exit,exit", "exit,stacks", "stacks:0.1x,exit", "stacks,exit:0.1",
            ]
            for text in exits { XCTAssertNil(parsed(text), text) }
            for text in [
                "", ":", "stack", "stackss", "STACKS", "stacks:", "stacks:x", "stacks:1.1", "stacks:-0.1", "stacks:nan",
                "stacks:inf", "stacks:0.1x", ":0.1", "1",
            ] {
                XCTAssertNil(parsed(text), text)
            }
        }

        func testWarning_saysWhatIsWrongAndWhatToDo() {
            XCTAssertEqual(
                RxTrace.warning(aboutEnvironment: "all"),
                """
                RX_TRACE is 'all'. Use off, counts, stacks or paranoid, with a sampling rate in 0...1 and ',exit' \
                for a report at exit if you like: 
                """
                    + "RX_TRACE=stacks:0.1,exit.")
        }

        /// In separate processes, because the variable is read once.
        func testProcess_beginsAtTheLevelThatTheVariableSays() throws {
            if ProcessInfo.processInfo.environment["RX_TRACE_TEST_CHILD"] != nil {
                print("child: \(RxTrace.level) \(RxTrace.samplingRate) \(RxTrace.environmentWarning != nil)")
                return
            }
            XCTAssertTrue(try output(ofChildWith: "stacks:0.25").text.contains("child: stacks 0.25 false"))
            let refused = try output(ofChildWith: "everything").text
            XCTAssertTrue(refused.contains("child: counts 1.0 true"), refused)
            XCTAssertTrue(refused.contains("RX_TRACE is 'everything'. Use off, counts, stacks or paranoid"), refused)
        }

        nonisolated(unsafe) private static var kept: [PublishSubject<EnvironmentTests>] = []

        func testExit_whenTheVariableAsksForIt_writesWhatIsAliveAndWhereItWasMade_andEndsWithTheCode() throws {
            if let count = ProcessInfo.processInfo.environment["RX_TRACE_TEST_CHILD"].flatMap(Int.init) {
                for _ in 0..<count { Self.kept.append(PublishSubject()) }
                // The variable is not read until a resource is made.
                return PublishSubject<Int>().onNext(1)
            }
            let name = "testExit_whenTheVariableAsksForIt_writesWhatIsAliveAndWhereItWasMade_andEndsWithTheCode"
            let line = #line - 5
            let leaking = try output(ofChildWith: "stacks,exit=70", making: 30, in: name)
            XCTAssertEqual(leaking.code, 70, leaking.text)
            XCTAssertTrue(leaking.text.contains("\n  30  PublishSubject<EnvironmentTests> (subject)\n"), leaking.text)
            let maker = "EnvironmentTests.\(name)() at EnvironmentTests.swift:\(line)"
            XCTAssertTrue(
                leaking.text.contains("\n  30  PublishSubject<EnvironmentTests> (subject), made by \(maker)\n"),
                leaking.text)
            XCTAssertTrue(
                leaking.text.hasSuffix(
                    "Resources are alive at exit: the process ends with code 70, as RX_TRACE asks.\n"), leaking.text)

            let told = try output(ofChildWith: "counts,exit", making: 30, in: name)
            XCTAssertEqual(told.code, 0, told.text)
            XCTAssertTrue(told.text.contains("\n  30  PublishSubject<EnvironmentTests> (subject)\n"), told.text)
            XCTAssertFalse(told.text.contains("made by"), told.text)

            let clean = try output(ofChildWith: "stacks,exit=70", making: 0, in: name)
            XCTAssertEqual(clean.code, 0, clean.text)
            XCTAssertTrue(clean.text.contains("resources: total 0"), clean.text)
            XCTAssertFalse(try output(ofChildWith: "stacks", making: 30, in: name).text.contains("Report 1"))
        }

        private func output(
            ofChildWith value: String, making count: Int = 1,
            in test: String = "testProcess_beginsAtTheLevelThatTheVariableSays"
        ) throws -> (text: String, code: Int32) {
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            child.arguments = ["RxTraceTests.EnvironmentTests/\(test)"]
            child.environment = ProcessInfo.processInfo.environment.merging([
                "RX_TRACE": value, "RX_TRACE_TEST_CHILD": "\(count)",
            ]) { $1 }
            let pipe = Pipe()
            child.standardOutput = pipe
            child.standardError = pipe
            try child.run()
            let data = pipe.fileHandleForReading.readDataToEndOfFile()
            child.waitUntilExit()
            return (String(decoding: data, as: UTF8.self), child.terminationStatus)
        }
    }
#endif

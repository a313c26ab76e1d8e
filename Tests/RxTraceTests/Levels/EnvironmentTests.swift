#if TRACE_RESOURCES
import CPlatform
import XCTest

@testable import RxTrace

/// What the variable RX_TRACE may say.
final class EnvironmentTests: XCTestCase {
    private func parsed(_ text: String) -> String? {
        var level: UInt32 = 0, rate = 0.0
        guard rx_level_parse(text, &level, &rate) else { return nil }
        return RxTrace.Level(rawValue: Int(level)).map { "\($0) \(rate)" }
    }

    func testLevels_withAndWithoutARate_areUnderstood() {
        XCTAssertEqual(["off", "counts", "stacks", "paranoid"].map(parsed), ["off 1.0", "counts 1.0", "stacks 1.0", "paranoid 1.0"])
        XCTAssertEqual(["stacks:0.1", "stacks:0", "stacks:1", "stacks:1e-3"].map(parsed), ["stacks 0.1", "stacks 0.0", "stacks 1.0", "stacks 0.001"])
    }

    func testAnythingElse_isRefused() {
        for text in ["", ":", "stack", "stackss", "STACKS", "stacks:", "stacks:x", "stacks:1.1", "stacks:-0.1", "stacks:nan", "stacks:inf", "stacks:0.1x", ":0.1", "1"] {
            XCTAssertNil(parsed(text), text)
        }
    }

    func testWarning_saysWhatIsWrongAndWhatToDo() {
        XCTAssertEqual(
            RxTrace.warning(aboutEnvironment: "all"),
            "RX_TRACE is 'all'. Use off, counts, stacks or paranoid, with a sampling rate in 0...1 if you like: RX_TRACE=stacks:0.1.")
    }

    /// In processes of their own, as the variable is read once.
    func testProcess_beginsAtTheLevelThatTheVariableSays() throws {
        if ProcessInfo.processInfo.environment["RX_TRACE_TEST_CHILD"] != nil {
            print("child: \(RxTrace.level) \(RxTrace.samplingRate) \(RxTrace.environmentWarning != nil)")
            return
        }
        XCTAssertTrue(try output(ofChildWith: "stacks:0.25").contains("child: stacks 0.25 false"))
        let refused = try output(ofChildWith: "everything")
        XCTAssertTrue(refused.contains("child: counts 1.0 true"), refused)
        XCTAssertTrue(refused.contains("RX_TRACE is 'everything'. Use off, counts, stacks or paranoid"), refused)
    }

    private func output(ofChildWith value: String) throws -> String {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        child.arguments = ["RxTraceTests.EnvironmentTests/testProcess_beginsAtTheLevelThatTheVariableSays"]
        child.environment = ProcessInfo.processInfo.environment.merging(["RX_TRACE": value, "RX_TRACE_TEST_CHILD": "1"]) { $1 }
        let pipe = Pipe()
        child.standardOutput = pipe
        child.standardError = pipe
        try child.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        child.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }
}
#endif

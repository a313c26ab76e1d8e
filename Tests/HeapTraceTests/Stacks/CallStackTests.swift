import XCTest

@testable import HeapTrace

final class CallStackTests: XCTestCase {
    /// A property, so that the optimiser doesn't make a copy of `outer` that contains the closure. Calls in such a copy
    /// have line 0.
    private var body = { CallStack(addresses: []) }
    private var calls = 0

    @inline(never) private func outer() -> CallStack {
        let stack = body()
        // After the call, so that the optimiser doesn't turn the call into a jump.
        calls += 1
        return stack
    }

    func testCapture_beginsWithItsCaller_byNameFileAndLine() throws {
        let line = #line + 2
        body = { [unowned self] in
            let stack = CallStack.capture()
            calls += 1
            return stack
        }
        let stack = outer()
        XCTAssertEqual(calls, 2)
        let frames = stack.framesOfYours
        try XCTSkipIf(frames.allSatisfy { $0.file == nil }, "The binary was stripped of its debug information.")
        XCTAssertEqual(frames[0].place, "CallStackTests.swift:\(line)")
        XCTAssertTrue(frames[0].function.contains("closure #1 in CallStackTests.testCapture"), frames[0].function)
        let names = frames.map(\.function)
        let inner = try XCTUnwrap(names.firstIndex { $0.contains("CallStackTests.outer") })
        XCTAssertTrue(names[inner...].contains { $0.hasPrefix("CallStackTests.testCapture") }, "\(names)")
    }

    func testFrames_ofAnAddressInNoImage_showIt() {
        let frames = CallStack(addresses: [0x1234]).frames
        XCTAssertEqual(frames.map(\.function), ["0x1234"])
        XCTAssertEqual(frames.map(\.description), ["0x1234"])
    }

    func testStacks_areEqualIfTheirAddressesAre() {
        XCTAssertEqual(CallStack(addresses: [1, 2]), CallStack(addresses: [1, 2]))
        XCTAssertNotEqual(CallStack(addresses: [1, 2]), CallStack(addresses: [2, 1]))
    }

    func testRecursion_beyondTheDepth_isCut() {
        var returns: [Int] = []
        @inline(never) func descend(_ depth: Int) -> CallStack {
            if depth == 0 { return CallStack.capture() }
            let stack = descend(depth - 1)
            // After the call, so that the optimiser doesn't turn the recursion into a loop.
            returns.append(depth)
            return stack
        }
        XCTAssertEqual(descend(200).addresses.count, 64)
        XCTAssertEqual(returns.count, 200)
    }

    func testCapture_onManyThreads_staysWithinEachStack() {
        DispatchQueue.concurrentPerform(iterations: 64) { _ in XCTAssertFalse(CallStack.capture().addresses.isEmpty) }
        let thread = Thread { _ = CallStack.capture() }
        thread.stackSize = 1 << 16
        let done = DispatchSemaphore(value: 0)
        let small = Thread {
            XCTAssertFalse(CallStack.capture().addresses.isEmpty)
            done.signal()
        }
        small.stackSize = 1 << 17
        small.start()
        done.wait()
    }

    func testCapture_inAsynchronousCode_isSound() async {
        await Task.yield()
        XCTAssertFalse(CallStack.capture().addresses.isEmpty)
    }

    func testFrame_textSaysWhatIsKnown() {
        XCTAssertEqual(
            StackFrame(address: 1, function: "a()", file: "/b/c.swift", line: 4, image: "d").description,
            "a() at c.swift:4")
        XCTAssertEqual(StackFrame(address: 1, function: "a()", image: "d").description, "a() in d")
        XCTAssertEqual(StackFrame(address: 1, function: "a()", image: "").description, "a()")
    }

    func testMangledNames_tellOursFromYours() {
        for ours in [
            "rx_made", "$s2Rx9ResourcesO4made_2ats6UInt32VAG_yXltFZ",
            "$s2Rx14ObservableTypePAAE3mapyAA0B0Cyqd__Gqd__7ElementQzKclF",
            "$sSlsE3mapySayqd__Gqd__7ElementQzqd_0_YKXEqd_0_YKs5ErrorRd_0_r0_lF",
            "$ss15ContiguousArrayV27unsafeUninitializedCapacity",
        ] { XCTAssertTrue(MangledName.isInternal(ours), ours) }
        for yours in [
            "main", "$s5MyApp9ViewModelC4bindyyF", "$s2Rx14ObservableTypeP5MyAppE7retriedyF", "$sSa5MyAppE6pairedyyF",
            "$s", "$s9", "",
            "$s12RxTraceTests09CallStackC0C9testDebugyyF",
        ] { XCTAssertFalse(MangledName.isInternal(yours), yours) }
    }
}

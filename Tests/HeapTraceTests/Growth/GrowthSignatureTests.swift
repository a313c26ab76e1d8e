import XCTest

@testable import HeapTrace

final class GrowthSignatureTests: XCTestCase {
    func testSignature_ofTheSameNames_isTheSameInEveryProcess() {
        XCTAssertEqual(GrowthSignature.text(of: ["map<Int, String>", "ViewModel.bind()"]), "77f9a2bb9c51")
        XCTAssertEqual(GrowthSignature.text(of: []), "9ce48422e8d7")
    }

    func testSignature_ofPartsCutElsewhere_differs() {
        XCTAssertNotEqual(GrowthSignature.text(of: ["ab", "c"]), GrowthSignature.text(of: ["a", "bc"]))
    }

    func testSignature_ofAGroup_ignoresAddressesAndLines() {
        func group(address: UInt, line: Int, function: String = "bind()") -> GrowthGroup {
            let frame = StackFrame(address: address, function: function, file: "/a/b.swift", line: line, image: "app")
            return GrowthGroup(
                metric: .type("map<Int, Int>", .sink), counts: [1], verdict: .clean,
                creationStack: CallStack(frames: [frame]))
        }
        XCTAssertEqual(group(address: 1, line: 2).signature, group(address: 3, line: 4).signature)
        XCTAssertNotEqual(
            group(address: 1, line: 2).signature, group(address: 1, line: 2, function: "other()").signature)
    }

    func testSignature_ofWhatTheOptimiserHasMadeOfAFunction_isTheFunctions() {
        func signature(_ function: String) -> String? {
            let stack = CallStack(frames: [StackFrame(address: 1, function: function, image: "app")])
            return GrowthGroup(
                metric: .type("map<Int, Int>", .sink), counts: [1], verdict: .clean, creationStack: stack
            ).signature
        }
        XCTAssertEqual(signature("specialized closure #2 in Screen.open()"), signature("Screen.open()"))
        XCTAssertEqual(signature("closure #1 in closure #2 in Screen.open()"), signature("Screen.open()"))
        XCTAssertNotEqual(signature("Screen.close()"), signature("Screen.open()"))
    }

    func testSignature_whereTheWayNamesAClosure_isThatOfTheWay() {
        func signature(maker: String, place: String) -> String? {
            let stack = CallStack(frames: [StackFrame(address: 1, function: maker, image: "app")])
            let step = RetentionStep(
                holder: "closure in \(place)", through: .init(.capture, "capture self"), file: "Screen.swift", line: 1,
                isTyped: true, isNamedClosure: true)
            let retention = Retention(target: "Screen", steps: [step], cycleLength: 1, grade: .proven, advice: "")
            return GrowthGroup(
                metric: .type("DisposeBag", .disposable), counts: [1], verdict: .clean, creationStack: stack,
                retention: retention
            ).signature
        }
        // In optimised code the initialiser may be inlined into its caller, and have no frame there.
        XCTAssertEqual(
            signature(maker: "Screen.init()", place: "Screen.open()"), signature(maker: "main", place: "Screen.open()"))
        XCTAssertNotEqual(
            signature(maker: "main", place: "Screen.close()"), signature(maker: "main", place: "Screen.open()"))
    }

    func testSignature_withoutAPlace_isNone_andAllowsNothing() throws {
        let group = GrowthGroup(metric: .objects("closures"), counts: [1], verdict: .clean)
        XCTAssertNil(group.signature)
        let digits = GrowthSignature.text(of: ["objects of closures", ""])
        let day = try XCTUnwrap(CalendarDay("2030-01-31"))
        XCTAssertFalse(LeakAllowance(.signature(digits), until: day, because: "test").matches(group, in: "any"))
        XCTAssertTrue(LeakAllowance(.type("closures"), until: day, because: "test").matches(group, in: "any"))
    }
}

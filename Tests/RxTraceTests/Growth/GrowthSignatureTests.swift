import XCTest

@testable import RxTrace

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
            return GrowthGroup(subject: .type("map<Int, Int>", .sink), counts: [1], verdict: .clean, creationStack: CallStack(frames: [frame]))
        }
        XCTAssertEqual(group(address: 1, line: 2).signature, group(address: 3, line: 4).signature)
        XCTAssertNotEqual(group(address: 1, line: 2).signature, group(address: 1, line: 2, function: "other()").signature)
    }
}

import Testing

@testable import HeapTrace

/// Tests which calls of a stack are in code that users can change.
@Suite struct StackFrameTests {
    @Test func addressWithoutAName_isNotYours() {
        #expect(!StackFrame.unknown(0x7F34_B0DC_AE60).isYours)
        #expect(StackFrame(address: 1, function: "0x7f34", image: "plug-in.so").isYours)
        #expect(StackFrame(address: 1, function: "Screen.open()", image: "").isYours)
    }

    @Test func closureOutsideAllFunctions_isInTopLevelCode() {
        #expect(StackFrame.complete("closure #1 in closure #2 in ") == "closure #1 in closure #2 in top-level code")
        #expect(StackFrame.complete("closure #1 in show(in:)") == "closure #1 in show(in:)")
    }

    @Test func librariesOfTheToolchain_areToldByTheirNames() {
        for image in [
            "libswiftCore.so", "libXCTest.so", "lib_FoundationInternals.so", "libc.so.6", "ld-linux-x86-64.so.2",
        ] {
            #expect(StackFrame.isOfSystem(image: image), "\(image)")
        }
        for image in ["App", "libcamera.so", "libPlugin.so"] {
            #expect(!StackFrame.isOfSystem(image: image), "\(image)")
        }
    }

    @Test func whatRunsTests_isToldByItsFileOrName() {
        #expect(
            StackFrame.isOfTestRunner(
                """
                implicit closure #1 in variable initialization expression of static \
                ScreenTests.__allTests__ScreenTests
                """,
                path: ""))
        #expect(StackFrame.isOfTestRunner("main", path: "/src/.build/debug/appPackageTests.derived/runner.swift"))
        #expect(
            StackFrame.isOfTestRunner(
                "main", path: "/src/.build/debug/appPackageDiscoveredTests.derived/AppTests.swift"))
        #expect(!StackFrame.isOfTestRunner("main", path: "/src/Tests/AppTests/runner.swift"))
    }

    @Test(arguments: [
        "$s14RxTraceTesting13expectNoLeaksyyF", "$s2Rx10ObservableC", "rx_made_otherwise", "rxtrace_watch_malloc",
    ])
    func functionsOfThisPackage_areInternal(_ symbol: String) { #expect(MangledName.isInternal(symbol)) }

    @Test func functionsOfTheUser_areNot() {
        #expect(!MangledName.isInternal("$s3App6ScreenC4openyyF"))
        #expect(!MangledName.isInternal("$s2Rx14ObservableTypeP3AppE3logyyF"))
    }
}

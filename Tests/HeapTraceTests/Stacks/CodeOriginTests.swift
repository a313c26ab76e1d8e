import Foundation
import Testing

@testable import HeapTrace

/// Tests how the origin of code is found.
@Suite struct CodeOriginTests {
    @Test func path_ofAPackageThatWasFetched_isADependencys() {
        #expect(CodeOrigin.of(path: "/home/me/App/.build/checkouts/swift-nio/Sources/NIO/A.swift") == .dependency)
        #expect(CodeOrigin.of(path: "/home/me/App/.build/registry/downloads/a/b/1.0.0/A.swift") == .dependency)
        #expect(CodeOrigin.of(path: "/home/me/App/Sources/App/A.swift") == .user)
        #expect(CodeOrigin.of(path: "/home/me/checkouts/App/Sources/App/A.swift") == .user)
        #expect(CodeOrigin.of(path: "<compiler-generated>") == nil)
        #expect(CodeOrigin.of(path: "/tmp/swift-generated-sources/a.swift") == nil)
    }

    @Test func path_ofThisPackagesC_isTheTracers() {
        let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        #expect(CodeOrigin.of(path: "/\(root)/Sources/CObjects/heap.c") == .tracer)
        #expect(CodeOrigin.of(path: "/\(root)/Tests/RxTraceTests/Stacks/CodeOriginTests.swift") == .user)
        #expect(CodeOrigin.of(path: "/home/me/App/Sources/CApp/heap.c") == .user)
    }

    @Test func path_inABuildFolderOfAnotherName_isKnownByWhatThePackageManagerNotesThere() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data().write(to: folder.appendingPathComponent("workspace-state.json"))
        #expect(CodeOrigin.of(path: folder.path + "/checkouts/swift-log/Sources/Logging/A.swift") == .dependency)
    }

    @Test func symbols_areOfTheModuleThatTheirCodeIsWrittenIn() {
        #expect(MangledName.module("$s3App4ViewC4bindyyF") == "App")
        #expect(MangledName.module("$sSa3AppE5firstyyF") == "App")
        #expect(MangledName.module("$sSa5firstyyF") == "Swift")
        #expect(MangledName.module("main") == nil)
        #expect(MangledName.module("$s5MyApp4MineC4DeepC6mineItyyF") == "MyApp")
        #expect(MangledName.module("$ss5printyyF") == "Swift")
    }

    @Test(arguments: [
        ("$s20FoundationEssentials11JSONDecoderC5MyAppE8decodeItSiyF", "MyApp"),
        // 'NotificationApp' repeats a word of 'NotificationCenter'.
        (
            "$s20FoundationEssentials18NotificationCenterC0C3AppE6postIt33_6FE71D82AC585EEEF56D48AF444BCEE9LLyyF",
            "NotificationApp"
        ),
        (
            "$s10Foundation12NotificationV011OpenCombineA0E12Subscription19_2FE1EA9D313E7D399ALLC4stopyyF",
            "OpenCombineFoundation"
        ),
        ("$sSa15NotificationAppSiRszlE5sumItSiyF", "NotificationApp"),
        ("$sScT5MyAppE6cancelyyF", "MyApp"),
        ("$s5MyApp4Mine33_6FE71D82AC585EEEF56D48AF444BCEE9LLC4DeepC6mineItyyF", "MyApp"),
    ])
    func extensions_areOfTheModuleThatExtends(symbol: String, module: String) {
        #expect(MangledName.module(symbol) == module)
        #expect(CodeOrigin.of(symbol: "$s2Rx10DisposeBagC", at: 0) == .tracer)
        #expect(CodeOrigin.of(symbol: "$sSa5firstyyF", at: 0) == .system)
        #expect(CodeOrigin.of(symbol: "$s7Testing6RunnerV", at: 0) == .system)
    }

    #if os(Linux)
        @Test func module_isJudgedByItsSources() throws {
            final class Own {}
            let code = word(Metadata(Own.self).address - 16)
            #expect(CodeOrigin.of(module: "RxTraceTests", near: code) == .user)
            withExtendedLifetime(Own()) {}
        }
    #endif
}

import Foundation
import Testing

/// Client code in Swift 5 mode that compiled without a warning before still compiles without one.
struct ClientWarningTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    /// The files that the package manager builds as clients in both modes, without those that need a test framework.
    private static let shared = ["CommonForms", "Forms", "SearchScreen"].map {
        tests.appending(path: "Swift6ClientTests/\($0).swift")
    }
    private static let swift5 = [tests.appending(path: "CompilerTests/Clients/Swift5Client.swift")]
    private static let mode = ["-swift-version", "5", "-parse-as-library"]

    private func warnings(of sources: [URL], _ flags: [String] = []) throws -> [String] {
        let diagnostics = try Compiler.diagnostics(of: sources, Self.mode + flags)
        return diagnostics.lines(.error) + diagnostics.lines(.warning)
    }

    @Test func clientInSwift5Mode_hasNoWarning() throws {
        #expect(try warnings(of: Self.swift5) == [])
    }

    @Test(arguments: ["-strict-concurrency=complete", "-warn-concurrency"])
    func clientInSwift5Mode_withChecks_hasNoWarning(flag: String) throws {
        #expect(try warnings(of: Self.shared + [capturing], [flag]) == [])
    }

    /// A client that is compiled with complete checks, and passes the package's types to other threads.
    private var capturing: URL { Self.tests.appending(path: "CompilerTests/Clients/CheckedClient.swift") }

    // MARK: The test finds planted faults

    private func planted(_ type: String) throws -> [String] {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            """
            import Dispatch
            import Rx
            func capture(_ value: \(type)) { DispatchQueue.global().async { print(value) } }
            """, to: "Planted.swift")
        return try warnings(of: [file])
    }

    /// Nothing guarantees that an observer may be called from any thread.
    @Test func plantedCapture_ofWhatIsNotSendable_isFound() throws {
        #expect(
            try planted("any ObserverType") == [
                "Planted.swift:3: capture of 'value' with non-Sendable type 'any ObserverType' in a '@Sendable' closure"
                    + "; this is an error in the Swift 6 language mode"
            ])
    }

    @Test func cleanTwin_ofWhatIsSendable_isNot() throws {
        #expect(try planted("any Disposable") == [])
    }
}

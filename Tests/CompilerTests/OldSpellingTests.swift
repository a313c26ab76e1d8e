import Foundation
import Testing

/// Applying the fix-it for an old spelling doesn't change what the program does.
struct OldSpellingTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    private static let spellings = Compiler.files(in: root.appending(path: "OldSpellings"), ending: ".swift")
    private static let deprecated = ["Rx/Deprecated", "RxFoundation/Deprecated", "RxLegacy"].flatMap {
        Compiler.files(in: root.appending(path: "../../Sources/\($0)").standardized, ending: ".swift")
    }

    /// Applies the compiler's fix-its, and returns the program's output before and after.
    private func outputs(
        of sources: [URL], folder: TemporaryFolder
    ) throws -> (
        before: String, after: String, diagnostics: Diagnostics
    ) {
        let mode = ["-swift-version", "5", "-module-name", "OldSpellings"]
        let before = try Compiler.output(of: sources, mode)
        let changed = try sources.map { try folder.write(before.diagnostics.applied(to: $0), to: $0.lastPathComponent) }
        return (before.text, try Compiler.output(of: changed, mode).text, before.diagnostics)
    }

    @Test func everyFixIt_ofEverySpelling_leavesTheOutputAsItWas() throws {
        let (before, after, diagnostics) = try outputs(of: Self.spellings, folder: try TemporaryFolder())
        #expect(before == after)
        #expect(diagnostics.fixIts.count > 50)

        // Each deprecated declaration is among the spellings.
        let used = Set(
            diagnostics.all.compactMap { $0.text.firstMatch(of: /^'([^'(]+)[^']*' is deprecated/).map { String($0.1) } }
        )
        let names = try Self.deprecated.flatMap { try declarations(in: $0) }.map(\.name)
        #expect(Set(names).subtracting(used) == [])
        #expect(names.count > 80)
    }

    @Test func newName_isOfferedOnlyWhereNoClosureIsAnArgument() throws {
        for file in Self.deprecated {
            for declaration in try declarations(in: file) where declaration.attribute.contains("renamed:") {
                #expect(!declaration.takesClosure, "\(file.lastPathComponent): \(declaration.name)")
            }
        }
    }

    private func declarations(in file: URL) throws -> [(attribute: String, name: String, takesClosure: Bool)] {
        let declaration =
            #/
            @available\(\*,\ deprecated(?<attribute>[^\n]*)\)\n
            (?<signature>[^{]*\b(func|var|init|class|struct|enum|typealias)\b\ *(?<name>\w*)[^{]*)
            /#
        // An attribute of an extension applies to each of its members.
        let extensions = #/(?<attribute>@available\(\*, deprecated[^\n]*\n)extension(?<members>.*?)\n}\n/#
        let text = try String(contentsOf: file, encoding: .utf8).replacing(extensions.dotMatchesNewlines()) {
            $0.members.replacing("    public ", with: "    \($0.attribute)    public ")
        }
        return text.matches(of: declaration).map {
            let name = $0.name.isEmpty ? "init" : String($0.name)
            return (String($0.attribute), name, $0.signature.contains(/@escaping|\) ?(throws )?-> \w+\)/))
        }
    }

    // MARK: The test finds planted faults

    private func planted(_ attribute: String) -> String {
        """
        struct Source {
            @available(*, deprecated, \(attribute))
            func subscribeNext(_ onNext: @escaping (Int) -> Void) { subscribe(onNext: onNext) }
            func subscribe(onNext: ((Int) -> Void)? = nil, onError: ((any Error) -> Void)? = nil) { onNext?(1) }
            func subscribe(_ onEvent: (String) -> Void) { onEvent("next(1)") }
        }
        Source().subscribeNext({ print($0) })
        Source().subscribeNext { print($0) }
        """
    }

    @Test func plantedRename_ofACallWithAClosureBehindIt_changesTheOutput() throws {
        let folder = try TemporaryFolder()
        let source = try TemporaryFolder()
        let file = try source.write(planted(#"renamed: "subscribe(onNext:)""#), to: "main.swift")
        let (before, after, _) = try outputs(of: [file], folder: folder)
        #expect(before == "1\n1\n")
        #expect(after == "1\nnext(1)\n")
    }

    @Test func cleanTwin_withAMessage_leavesTheOutputAsItWas() throws {
        let folder = try TemporaryFolder()
        let source = try TemporaryFolder()
        let file = try source.write(planted(#"message: "Use 'subscribe(onNext: { … })'.""#), to: "main.swift")
        let (before, after, diagnostics) = try outputs(of: [file], folder: folder)
        #expect(before == after)
        #expect(
            diagnostics.lines(.warning) == [
                "main.swift:7: 'subscribeNext' is deprecated: Use 'subscribe(onNext: { … })'.",
                "main.swift:8: 'subscribeNext' is deprecated: Use 'subscribe(onNext: { … })'.",
            ])
    }
}

import Foundation
import XCTest

/// The guide's tree of operators has every operator, and none that is not there.
final class OperatorGuideTests: XCTestCase {
    /// Functions of the folders below that are no operators, and why.
    private static let exempt = [
        "createUnsafe(source:)": "Behind a trait of the package, for a strategy of one's own.",
        "mock(makeScheduler:action:)": "Replaces the scheduler in tests: the page on testing.",
        "mock(scheduler:action:)": "Replaces the scheduler in tests: the page on testing.",
        "on(_:)": "Receives an event.",
        "onCompleted()": "Receives an event.",
        "onError(_:)": "Receives an event.",
        "onNext(_:)": "Receives an event.",
        "share(_:)": "A strategy's way to share, which a driver calls.",
    ]

    private static let folders = ["Operators", "Traits", "SharedSequence", "Relays", "Core", "Concurrency"]

    func testEveryOperatorDeclared_isInTheTree() throws {
        let declared = try Self.declared()
        XCTAssertGreaterThan(
            declared.count, 150, "Too few declarations were found: are the folders where this test looks for them?")
        let missing = Self.missing(declared, in: Self.forms(in: try Self.page()))
        XCTAssertEqual(
            missing, [], "Documentation/Guide/Operators.md does not name these. Enter each where one looks for it.")
    }

    func testEveryFormInTheTree_isDeclared() throws {
        let forms = Self.forms(in: try Self.page())
        XCTAssertGreaterThan(forms.count, 100, "Too few forms were found: is the page written as this test reads it?")
        XCTAssertEqual(Self.unknown(forms, declared: try Self.declared()), [])
    }

    func testExemptions_areDeclared() throws {
        let names = try Self.folders.flatMap { try DeclarationScan.functions(in: "Sources/Rx/\($0)").keys }
        XCTAssertEqual(Set(Self.exempt.keys).subtracting(names), [])
    }

    func testComparison_findsAnOperatorThatThePageLacks_andOneThatIsNotThere() {
        let forms = Self.forms(in: "- one: `take(_:)`, more: `throttle(_:latest:)`, all: `debug(_:)`, old: `gone()`")
        let declared: Set = ["take(_:)", "take(for:scheduler:)", "throttle(_:latest:scheduler:)", "debug(_:line:)"]
        XCTAssertEqual(Self.missing(declared, in: forms), ["take(for:scheduler:)"])
        XCTAssertEqual(Self.unknown(forms, declared: declared), ["gone()"])
        XCTAssertEqual(Self.missing(["share()"], in: ["share(replay:)"]), ["share()"])
    }

    // MARK: Reading

    private static func page() throws -> String {
        try String(
            contentsOf: DeclarationScan.root.appendingPathComponent("Documentation/Guide/Operators.md"), encoding: .utf8
        )
    }

    private static func declared() throws -> Set<String> {
        let names = try folders.flatMap { try DeclarationScan.functions(in: "Sources/Rx/\($0)").keys }
        return Set(names).filter { exempt[$0] == nil }
    }

    /// The functions that a page names, as Swift writes them.
    private static func forms(in page: String) -> Set<String> {
        Set(page.matches(of: /`(\w+\((?:\w+:)*\))`/).map { String($0.1) })
    }

    /// A form stands for the declarations whose labels begin with its own: what has a default may be left out.
    private static func stands(_ form: String, for declaration: String) -> Bool {
        form == declaration || form.hasSuffix(":)") && declaration.hasPrefix(form.dropLast())
    }

    private static func missing(_ declared: Set<String>, in forms: Set<String>) -> [String] {
        declared.filter { declaration in !forms.contains { stands($0, for: declaration) } }.sorted()
    }

    private static func unknown(_ forms: Set<String>, declared: Set<String>) -> [String] {
        forms.filter { form in !declared.contains { stands(form, for: $0) } }.sorted()
    }
}

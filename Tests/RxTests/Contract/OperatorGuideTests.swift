import Foundation
import XCTest

/// The guide's tree of operators has every operator, only existing operators, and the marks of the right traits.
final class OperatorGuideTests: XCTestCase {
    /// Functions of the folders below that are not operators, with the reason.
    private static let exempt = [
        "apply(to:)": "Changes a list: the page on collections.",
        "concurrentScheduler(leeway:)": "Makes a scheduler: the page on schedulers.",
        "createUnsafe(source:)": "Behind a trait of the package, for a strategy of one's own.",
        "mock(makeScheduler:action:)": "Replaces the scheduler in tests: the page on testing.",
        "mock(scheduler:action:)": "Replaces the scheduler in tests: the page on testing.",
        "on(_:)": "Receives an event.",
        "onCompleted()": "Receives an event.",
        "onError(_:)": "Receives an event.",
        "onNext(_:)": "Receives an event.",
        "scheduler(priority:)": "Makes a scheduler: the page on schedulers.",
        "serialScheduler(leeway:)": "Makes a scheduler: the page on schedulers.",
        "share(_:)": "A strategy's way to share, which a driver calls.",
    ]

    private static let folders =
        ["Operators", "Traits", "SharedSequence", "Relays", "Core", "Concurrency"].map { "Rx/\($0)" }
        + ["RxCollections", "RxFoundation"]

    func testEveryOperatorDeclared_isInTheTree() throws {
        let declared = try Self.declared()
        XCTAssertGreaterThan(
            declared.count, 300, "Too few declarations were found: are the folders where this test looks for them?")
        XCTAssertEqual(
            Self.missing(declared, in: try Self.page()), [],
            "Documentation/Guide/Operators.md does not name these. Enter each where one looks for it.")
    }

    func testEveryFormInTheTree_isDeclared() throws {
        let forms = Self.forms(in: try Self.page())
        XCTAssertGreaterThan(forms.count, 100, "Too few forms were found: is the page written as this test reads it?")
        XCTAssertEqual(Self.unknown(forms, declared: try Self.declared()), [])
    }

    func testMarksOfAForm_areTheTraitsThatDeclareIt() throws {
        XCTAssertEqual(
            Self.wrongMarks(in: try Self.page(), declared: try Self.declared()), [],
            "Documentation/Guide/Operators.md marks these otherwise than the sources declare them.")
    }

    func testExemptions_areDeclared() throws {
        let names = try Self.functions().map(\.name)
        XCTAssertEqual(Set(Self.exempt.keys).subtracting(names), [])
    }

    func testComparison_findsAnOperatorThatThePageLacks_andOneThatIsNotThere() {
        let page = "- one: `take(_:)`, more: `throttle(_:latest:)`, all: `debug(_:)`, old: `gone()`, `rx.gone`"
        let declared = [
            "take(_:)", "take(for:scheduler:)", "throttle(_:latest:scheduler:)", "debug(_:line:)", "gone",
            "deallocated",
        ].map { Declaration(name: $0, marks: "") }
        XCTAssertEqual(Self.missing(declared, in: page), ["deallocated", "take(for:scheduler:)"])
        XCTAssertEqual(Self.unknown(Self.forms(in: page), declared: declared), ["gone()"])
        XCTAssertEqual(Self.missing([Declaration(name: "share()", marks: "")], in: "`share(replay:)`"), ["share()"])
    }

    func testComparison_findsAMarkTooMany_andOneTooFew() {
        let declared = [
            Declaration(name: "take(_:)", marks: ""), Declaration(name: "take(_:)", marks: "I"),
            Declaration(name: "of(_:scheduler:)", marks: ""), Declaration(name: "of(_:)", marks: "D"),
        ]
        XCTAssertEqual(Self.wrongMarks(in: "`take(_:)` (I), `of(_:scheduler:)` (D)", declared: declared), [])
        XCTAssertEqual(
            Self.wrongMarks(in: "`take(_:)` (S I), `of(_:scheduler:)`", declared: declared),
            ["of(_:scheduler:) (D)", "take(_:) (I)"])
    }

    func testMarks_followWhatAnExtensionExtends() {
        let marks = [
            "extension PrimitiveSequence {": "SMC", "extension PrimitiveSequenceType where Trait: ValueTrait {": "SM",
            "extension PrimitiveSequenceType where Trait == MaybeTrait {": "M", "extension InfallibleType {": "I",
            "extension PrimitiveSequenceType where Element: RxAbstractInteger {": "SM",
            "extension SharedSequence {": "D",
            "extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {": "",
            "extension ObservableType {": "",
        ]
        for (owner, expected) in marks { XCTAssertEqual(Self.marks(of: owner[...]), expected, owner) }
    }

    // MARK: Reading

    private struct Declaration: Hashable {
        let name: String
        /// The marks of the traits that declare it. It is empty for operators of observables.
        let marks: String
    }

    private static func page() throws -> String {
        try String(
            contentsOf: DeclarationScan.root.appendingPathComponent("Documentation/Guide/Operators.md"), encoding: .utf8
        )
    }

    private static func functions() throws -> [(owner: Substring, name: String)] {
        try files().flatMap { DeclarationScan.ownedFunctions(in: $0) }
    }

    private static func files() throws -> [String] {
        try folders.flatMap { try DeclarationScan.files(in: "Sources/\($0)") }
            .filter { !$0.url.path.contains("/Deprecated/") }.map(\.text)
    }

    private static func declared() throws -> Set<Declaration> {
        let functions = try functions().filter { exempt[$0.name] == nil }
            .map { Declaration(name: $0.name, marks: marks(of: $0.owner)) }
        let sequences = try files().flatMap { DeclarationScan.sequences(in: $0) }
        return Set(functions + sequences.map { Declaration(name: $0, marks: "") })
    }

    /// The marks of the traits to which a type or an extension belongs.
    private static func marks(of owner: Substring) -> String {
        let type = owner.split(separator: " ").drop { $0 != "extension" && $0 != "struct" }.dropFirst().first ?? ""
        if type.hasPrefix("Infallible") { return "I" }
        if type.hasPrefix("SharedSequence") { return owner.contains("SharingStrategy ==") ? "" : "D" }
        guard type.hasPrefix("PrimitiveSequence") else { return "" }
        if let trait = owner.firstMatch(of: /Trait == (\w)/) { return String(trait.1) }
        // A completable has no element that could be a value or a number.
        return owner.contains("Trait: ValueTrait") || owner.contains("Element: ") ? "SM" : "SMC"
    }

    /// The functions that a page names, as Swift writes them, each with its marks.
    private static func markedForms(in page: String) -> [(form: String, marks: String)] {
        page.matches(of: /`(?:rx\.)?(\w+\((?:\w+:)*\))`(?:\s+\(([SMCID](?:\s[SMCID])*)\))?/).map {
            (String($0.1), $0.2?.filter { !$0.isWhitespace } ?? "")
        }
    }

    private static func forms(in page: String) -> Set<String> { Set(markedForms(in: page).map(\.form)) }

    /// The form for drivers and signals, which know their scheduler.
    private static func ofDriver(_ form: String) -> String { form.replacing("scheduler:", with: "") }

    /// A form covers the declarations whose labels begin with its labels: parameters with defaults may be omitted.
    private static func stands(_ form: String, for declaration: String) -> Bool {
        form == declaration || form.hasSuffix(":)") && declaration.hasPrefix(form.dropLast())
    }

    private static func missing(_ declared: some Sequence<Declaration>, in page: String) -> [String] {
        let forms = markedForms(in: page)
        let sequences = Set(page.matches(of: /`(?:\w+\.)?(\w+)`/).map { String($0.1) })
        return Set(
            declared.filter { declaration in
                !sequences.contains(declaration.name)
                    && !forms.contains { form, marks in
                        stands(form, for: declaration.name)
                            || marks.contains("D") && ofDriver(form) == declaration.name
                    }
            }.map(\.name)
        ).sorted()
    }

    private static func unknown(_ forms: Set<String>, declared: some Sequence<Declaration>) -> [String] {
        forms.filter { form in !declared.contains { stands(form, for: $0.name) } }.sorted()
    }

    /// The forms whose marks differ from the traits that declare them, each with the correct marks.
    private static func wrongMarks(in page: String, declared: some Sequence<Declaration>) -> [String] {
        let names = Set(declared.map(\.name))
        let forms = Set(markedForms(in: page).map(\.form))
        return markedForms(in: page).compactMap { form, marks in
            let actual = "SMCID".filter { mark in
                declared.contains {
                    guard $0.marks.contains(mark) else { return false }
                    if mark == "D", !forms.contains(ofDriver(form)), $0.name == ofDriver(form) { return true }
                    return names.contains(form) ? $0.name == form : stands(form, for: $0.name)
                }
            }
            return actual == marks ? nil : "\(form) (\(actual.map(String.init).joined(separator: " ")))"
        }.sorted()
    }
}

import Foundation
import XCTest

/// No operator without its contract.
final class RegistryTests: XCTestCase {
    /// Declarations of `Sources/Rx/Operators` that are no operators on a source, and why.
    private static let exempt = [
        "asObservable()": "A conversion, not an operator: GroupByTests.",
        "connect()": "Has no subscriber of its own: MulticastTests.",
        "empty()": "Takes no source: EmptyTests.",
        "error(_:)": "Takes no source: EmptyTests.",
        "from(_:scheduler:)": "Takes no source: FromTests.",
        "from(optional:)": "Takes no source: FromTests.",
        "from(optional:scheduler:)": "Takes no source: FromTests.",
        "generate(initialState:condition:scheduler:iterate:)": "Takes no source: RangeTests.",
        "interval(_:scheduler:)": "Takes no source: TimerTests.",
        "just(_:)": "Takes no source: FromTests.",
        "just(_:scheduler:)": "Takes no source: FromTests.",
        "never()": "Takes no source: EmptyTests.",
        "of(_:scheduler:)": "Takes no source: FromTests.",
        "range(start:count:scheduler:)": "Takes no source: RangeTests.",
        "repeatElement(_:scheduler:)": "Takes no source: RangeTests.",
        "subscribe(_:)": "A requirement of ObservableType: GroupByTests.",
        "timer(_:period:scheduler:)": "Takes no source: TimerTests.",
    ]

    func testEveryOperatorDeclared_hasAContract() throws {
        var entries: [String: Set<String>] = [:]
        for contract in OperatorContract.all { entries[contract.name, default: []].insert(contract.form) }
        let declared = try Self.declaredOperators()
        XCTAssertGreaterThan(declared.count, 90, "Too few declarations were found: is the folder where this test looks for it?")
        let missing = declared.filter { name, count in
            // `zip` and `combineLatest` are declared once for each number of sources: one entry stands for all of them.
            let needed = name.hasPrefix("zip(") || name.hasPrefix("combineLatest(") ? 1 : count
            return Self.exempt[name] == nil && entries[name, default: []].count < needed
        }
        XCTAssertEqual(
            missing.keys.sorted(), [],
            "These operators have no entry, or fewer entries than declarations, in Tests/RxTests/Contract. Add one, or exempt the name with the reason.")
    }

    func testEveryEntryAndExemption_namesADeclaration() throws {
        let declared = try Self.declaredOperators()
        let named = Set(OperatorContract.all.map(\.name)).union(Self.exempt.keys)
        XCTAssertEqual(named.filter { declared[$0] == nil }.sorted(), [])
    }

    func testEntries_haveTitlesOfTheirOwn() {
        let titles = OperatorContract.all.map(\.title)
        XCTAssertEqual(titles.count, Set(titles).count, "\(titles.filter { title in titles.filter { $0 == title }.count > 1 })")
    }

    func testScan_ofDeclarations_findsNamesAndLabels() {
        let text = """
            public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> Observable<Result> {
            @inlinable public static func `catch`<Sources: Sequence>(
                sequence: KeyPath<Sources, Int>, other: (Int) -> (Int, Int) = (1, 2)
            )
            /// public func documented(_ a: Int)
            func internalOnly(_ a: Int) {}
            public static func zip<A, B, C>(_ a: A, _ b: B, _ c: C) -> Int
            """
        XCTAssertEqual(Self.declarations(in: text), ["map(_:)", "catch(sequence:other:)", "zip(_:_:)"])
    }

    // MARK: Scanning

    /// The public functions in the folder of the operators, and how often each name is declared.
    private static func declaredOperators() throws -> [String: Int] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../Sources/Rx/Operators").standardized
        var counts: [String: Int] = [:]
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            for name in declarations(in: try String(contentsOf: file, encoding: .utf8)) { counts[name, default: 0] += 1 }
        }
        return counts
    }

    /// The base names and labels of the functions that a text declares as public.
    private static func declarations(in text: String) -> [String] {
        let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
        return code.matches(of: /public (?:final |override |static )*func `?(\w+)`?/).map { match in
            var labels = Self.labels(in: code[match.range.upperBound...])
            let isRow = match.1 == "zip" || match.1 == "combineLatest"
            if isRow, labels.starts(with: ["_", "_"]) { labels = ["_", "_"] + labels.drop { $0 == "_" } }
            return "\(match.1)(\(labels.map { "\($0):" }.joined()))"
        }
    }

    /// The labels in the parameter list that follows a name and, perhaps, generic parameters.
    private static func labels(in rest: Substring) -> [String] {
        // The word before each parameter's first blank or colon, at the level of the list itself.
        var (depth, angles) = (0, 0)
        var labels: [String] = []
        var word: String? = ""
        var previous: Character = " "
        for character in rest {
            defer { previous = character }
            if depth == 0 {
                if character == "<" { angles += 1 }
                if character == ">", previous != "-" { angles -= 1 }
                if character == "(", angles == 0 { depth = 1 }
                continue
            }
            switch character {
            case "(", "[", "<": depth += 1
            case ")", "]", ">":
                if character == ">", previous == "-" { continue }
                depth -= 1
                if depth == 0 { return labels }
            case ",": if depth == 1 { word = "" }
            case " ", ":", "\n":
                guard depth == 1, let current = word, !current.isEmpty else { continue }
                labels.append(current)
                word = nil
            default: if depth == 1 { word?.append(character) }
            }
        }
        return labels
    }
}

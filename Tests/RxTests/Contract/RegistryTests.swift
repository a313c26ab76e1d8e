import Foundation
import XCTest

/// Every operator has a contract.
final class RegistryTests: XCTestCase {
    /// Declarations of `Sources/Rx/Operators` that are not operators on a source, with the reason.
    private static let exempt = [
        "asObservable()": "A conversion, not an operator: GroupByTests.",
        "connect()": "Has no subscriber of its own: ConnectableObservableTests.",
        "empty()": "Takes no source: EmptyTests.",
        "error(_:)": "Takes no source: EmptyTests.",
        "from(_:)": "Takes no source: FromTests.",
        "from(_:scheduler:)": "Takes no source: FromTests.",
        "from(optional:)": "Takes no source: FromTests.",
        "from(optional:scheduler:)": "Takes no source: FromTests.",
        "generate(initialState:condition:scheduler:iterate:)": "Takes no source: GenerateTests.",
        "interval(_:scheduler:)": "Takes no source: IntervalTests.",
        "just(_:)": "Takes no source: JustTests.",
        "just(_:scheduler:)": "Takes no source: JustTests.",
        "never()": "Takes no source: EmptyTests.",
        "of(_:)": "Takes no source: FromTests.",
        "of(_:scheduler:)": "Takes no source: FromTests.",
        "range(start:count:)": "Takes no source: RangeTests.",
        "range(start:count:scheduler:)": "Takes no source: RangeTests.",
        "repeatElement(_:scheduler:)": "Takes no source: RepeatTests.",
        "subscribe(_:)": "A requirement of ObservableType: GroupByTests.",
        "timer(_:period:scheduler:)": "Takes no source: TimerTests.",
    ]

    func testEveryOperatorDeclared_hasAContract() throws {
        var entries: [String: Set<String>] = [:]
        for contract in OperatorContract.operators { entries[contract.name, default: []].insert(contract.form) }
        let declared = try Self.declaredOperators()
        XCTAssertGreaterThan(
            declared.count, 90, "Too few declarations were found: is the folder where this test looks for it?")
        let missing = declared.filter { name, count in
            // `zip` and `combineLatest` are declared once for each number of sources: one entry covers all of them.
            let needed = name.hasPrefix("zip(") || name.hasPrefix("combineLatest(") ? 1 : count
            return Self.exempt[name] == nil && entries[name, default: []].count < needed
        }
        XCTAssertEqual(
            missing.keys.sorted(), [],
            """
            These operators have no entry, or fewer entries than declarations, in Tests/RxTests/Contract. Add one, \
            or exempt the name with the reason.
            """
        )
    }

    func testEveryEntryAndExemption_namesADeclaration() throws {
        let declared = try Self.declaredOperators()
        let named = Set(OperatorContract.operators.map(\.name)).union(Self.exempt.keys)
        XCTAssertEqual(named.filter { declared[$0] == nil }.sorted(), [])
    }

    func testEntries_haveTitlesOfTheirOwn() {
        let titles = OperatorContract.all.map(\.title)
        XCTAssertEqual(
            titles.count, Set(titles).count, "\(titles.filter { title in titles.filter { $0 == title }.count > 1 })")
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
        XCTAssertEqual(DeclarationScan.functions(in: text), ["map(_:)", "catch(sequence:other:)", "zip(_:_:)"])
    }

    func testEveryFileOfOperators_hasATestFileOfItsPathAndName() throws {
        let operators = DeclarationScan.root.appendingPathComponent("Sources/Rx/Operators").path
        let sources = try DeclarationScan.files(in: "Sources/Rx/Operators").filter {
            !DeclarationScan.functions(in: $0.text).isEmpty
        }.map { String($0.url.standardized.path.dropFirst(operators.count + 1)) }
        let exists = { (path: String) in
            FileManager.default.fileExists(
                atPath: DeclarationScan.root.appendingPathComponent("Tests/RxTests/Operators/\(path)").path)
        }
        XCTAssertGreaterThan(sources.count, 50)
        let untested = Self.untested(sources, exists: exists)
        XCTAssertEqual(untested, [], "Put their tests where their names say: CONTRIBUTING.md.")
    }

    func testUntested_isAFileWithoutTests_andTheTopicOfATypeIsTestedWithIt() {
        let files = ["Combining/Zip.swift", "Combining/Zip+Collection.swift", "Timing/Delay.swift"]
        XCTAssertEqual(Self.untested(files) { $0 == "Combining/ZipTests.swift" }, ["Timing/Delay.swift"])
    }

    /// Sources without a test file. A test file has the path of its source, without a plus and the text after it.
    private static func untested(_ sources: [String], exists: (String) -> Bool) -> [String] {
        sources.filter { !exists($0.replacing(/(\+\w+)?\.swift$/, with: "Tests.swift")) }.sorted()
    }

    private static func declaredOperators() throws -> [String: Int] {
        try DeclarationScan.functions(in: "Sources/Rx/Operators")
    }
}

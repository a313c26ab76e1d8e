import Foundation
import XCTest

/// Every operator of a trait has a contract, and every name of a trait, a relay or the concurrency support has a test
/// that uses it.
final class TraitRegistryTests: XCTestCase {
    /// Declarations of `Sources/Rx/Traits` and `Sources/Rx/SharedSequence` that need no entry, with the reason.
    private static let exempt = [
        "ControlEvent.asControlEvent()": "A conversion: BindingFormsTests.",
        "ControlEvent.asDriver()": "Subscribes on the main queue, which the contract blocks: ControlTests.",
        "ControlEvent.asObservable()": "A conversion: BindingFormsTests.",
        "ControlEvent.asSignal()": "Subscribes on the main queue, which the contract blocks: ControlTests.",
        "ControlEvent.subscribe(_:)": "Subscribes, and is no operator: ControlTests.",
        "ControlProperty.asControlProperty()": "A conversion: BindingFormsTests.",
        "ControlProperty.asDriver()": "Subscribes on the main queue, which the contract blocks: ControlTests.",
        "ControlProperty.asObservable()": "A conversion: BindingFormsTests.",
        "ControlProperty.on(_:)": "Takes events: ControlTests.",
        "ControlProperty.subscribe(_:)": "Subscribes, and is no operator: ControlTests.",
        "Infallible.debug(_:trimOutput:file:line:function:)":
            "Prints, as that of observables, which has an entry: InfallibleFormsTests.",
        "PrimitiveSequence.debug(_:trimOutput:file:line:function:)":
            "Prints, as that of observables, which has an entry: PrimitiveSequenceTests.",
        "PrimitiveSequence.timer(_:scheduler:)": "Takes no source: PrimitiveSequenceTests.",
        "SharedSequence.asSharedSequence()": "A conversion: SharedSequenceFormsTests.",
        "SharedSequence.asSharedSequence(strategy:)": "Of relays, which never end: ConvertingTests.",
        "SharedSequence.createUnsafe(source:)": "Is the source: ConvertingTests.",
        "SharedSequence.debug(_:trimOutput:file:line:function:)":
            "Prints, as that of observables, which has an entry: SharedSequenceOperatorTests.",
        "SharedSequence.from(optional:)": "Takes no source: SharedSequenceOperatorTests.",
        "SharedSequence.interval(_:)": "Takes no source: SharedSequenceOperatorTests.",
        "SharedSequence.mock(makeScheduler:action:)": "No operator: SharingSchedulerTests.",
        "SharedSequence.mock(scheduler:action:)": "No operator: SharingSchedulerTests.",
        "SharedSequence.share(_:)": "Is what the strategy does for every operator: SharedSequenceEveryOperatorTests.",
        "Infallible.values(bufferingPolicy:)": "Is read by a task: ValuesTests.",
        "SharedSequence.values(bufferingPolicy:)": "Is read by a task: ValuesTests.",
        "SharedSequence.timer(_:period:)": "Takes no source: SharedSequenceOperatorTests.",
    ]

    /// The declarations for which no trait needs an entry, by base name, with the reason.
    private static let exemptEverywhere = [
        "asObservable": "A conversion that every other entry goes through.",
        "bind": "Subscribes: InfallibleBindTests.",
        "create": "Takes no source: the tests of the trait.",
        "drive": "Subscribes: DriveTests.",
        "emit": "Subscribes: DriveTests.",
        "empty": "Takes no source: the tests of the trait.",
        "error": "Takes no source: the tests of the trait.",
        "from": "Takes no source: the tests of the trait.",
        "just": "Takes no source: the tests of the trait.",
        "never": "Takes no source: the tests of the trait.",
        "of": "Takes no source: the tests of the trait.",
        "subscribe": "Subscribes: the tests of the trait. `subscribe(on:)` is an operator all the same.",
    ]

    /// The number of declarations that share a name with an operator and need no separate entry, with the reason.
    private static let alsoDeclared = [
        "Infallible.asInfallible()": (3, "Those of the relays, which never end: InfallibleBindTests."),
        "SharedSequence.asDriver()": (1, "That of BehaviorRelay, which never ends: ConvertingTests."),
        "SharedSequence.asInfallible()": (1, "That of ControlEvent: BindingFormsTests."),
        "SharedSequence.asSignal()": (1, "That of PublishRelay, which never ends: ConvertingTests."),
        "SharedSequence.withUnretained(_:)": (1, "That of a driver is unavailable: DeprecatedFormsTests."),
        "SharedSequence.withUnretained(_:resultSelector:)": (
            1, "That of a driver is unavailable: DeprecatedFormsTests."
        ),
    ]

    func testEveryOperatorOfATrait_hasAContract() throws {
        var entries: [String: Set<String>] = [:]
        for contract in OperatorContract.traits { entries[contract.name, default: []].insert(contract.form) }
        let declared = try Self.declaredOperators()
        XCTAssertGreaterThan(
            declared.count, 130, "Too few declarations were found: are the folders where this test looks for them?")
        let missing = declared.filter { name, count in
            if Self.exempt[name] != nil { return false }
            let isRow = name.contains(".zip(_:_:") || name.contains(".combineLatest(_:_:")
            let needed = isRow ? 1 : count - (Self.alsoDeclared[name]?.0 ?? 0)
            return entries[name, default: []].count < needed
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
        let named = Set(OperatorContract.traits.map(\.name)).union(Self.exempt.keys).union(Self.alsoDeclared.keys)
        XCTAssertEqual(named.filter { declared[$0] == nil }.sorted(), [])
        XCTAssertEqual(
            Set(Self.exemptEverywhere.keys).subtracting(try Self.allFunctions().keys.map(Self.baseName)).sorted(), [])
    }

    // MARK: Names

    /// Public names that no test needs to use, with the reason.
    private static let unused = [
        "ValueTrait": "What Single and Maybe have in common, so that `zip` is written once: used through `zip`."
    ]

    func testEveryPublicName_isUsedByATest() throws {
        var words: Set<Substring> = []
        for file in try DeclarationScan.files(in: "Tests") {
            for match in DeclarationScan.code(of: file.text).matches(of: /\w+/) { words.insert(match.0) }
        }
        var declared: Set<String> = []
        for folder in ["Traits", "SharedSequence", "Relays", "Concurrency"] {
            for file in try DeclarationScan.files(in: "Sources/Rx/\(folder)") {
                declared.formUnion(DeclarationScan.names(in: file.text))
            }
        }
        XCTAssertGreaterThan(
            declared.count, 100, "Too few names were found: are the folders where this test looks for them?")
        let missing = declared.filter { !words.contains(Substring($0)) && Self.unused[$0] == nil }
        XCTAssertEqual(
            missing.sorted(), [],
            "No file under Tests uses these names. Write a test, or exempt the name with the reason.")
        XCTAssertEqual(Set(Self.unused.keys).subtracting(declared).sorted(), [])
    }

    func testScan_ofNames_findsEachKind() {
        let text = """
            public struct Pair<First> {
                public let first: First
                @inlinable public init(first: First) {}
                package init(secret: First) {}
                /// public var documented = 1
                var hidden = 2
            }
            extension Other {
                public convenience init(_ number: Int) {}
                public static func `do`() {}
                public private(set) static var make = 1
            }
            public typealias Alias = Int
            public enum Kind {}
            """
        XCTAssertEqual(DeclarationScan.names(in: text), ["Pair", "first", "Other", "do", "make", "Alias", "Kind"])
    }

    // MARK: Scanning

    private static func declaredOperators() throws -> [String: Int] {
        try allFunctions().filter {
            exemptEverywhere[baseName($0.key)] == nil || exempt[$0.key] != nil || $0.key.hasSuffix(".subscribe(on:)")
        }
    }

    /// `map` of `Single.map(_:)`.
    private static func baseName(_ name: String) -> String {
        String(name.drop { $0 != "." }.dropFirst().prefix { $0 != "(" })
    }

    private static func allFunctions() throws -> [String: Int] {
        try DeclarationScan.functions(in: "Sources/Rx/Traits", owner: owner)
            .merging(DeclarationScan.functions(in: "Sources/Rx/SharedSequence", owner: owner), uniquingKeysWith: +)
    }

    /// Files are named after their trait: `PrimitiveSequence+Zip.swift`. In some folders all files belong to one trait.
    private static func owner(of file: URL) -> String {
        let stem = file.deletingPathExtension().lastPathComponent.prefix { $0 != "+" }
        let folder = file.deletingLastPathComponent().lastPathComponent
        switch (folder, stem) {
        case ("Infallible", _): return "Infallible."
        case ("SharedSequence", "Driver"), ("SharedSequence", "Signal"): return "SharedSequence."
        default: return "\(stem)."
        }
    }
}

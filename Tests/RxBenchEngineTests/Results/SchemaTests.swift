import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Result schema") struct SchemaTests {
    private static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent()
    private let validator: SchemaValidator

    init() throws {
        validator = try SchemaValidator(
            Data(contentsOf: Self.repository.appending(path: "results/schema/result-v2.schema.json")))
    }

    @Test func `every stored result is valid and decodes`() throws {
        let store = ResultStore(folder: Self.repository.appending(path: "results").path)
        for entry in store.files {
            let data = try Data(contentsOf: URL(fileURLWithPath: entry.path))
            #expect(try validator.problems(in: data) == [], "\(entry.stem)")
            #expect(throws: Never.self) { try RunResult.decoded(from: Array(data), name: entry.stem) }
        }
    }

    @Test func `a result with every kind of content is valid`() throws {
        #expect(try validator.problems(in: Data(Samples.complete.encoded())) == [])
    }

    @Test func `a plain value stays plain in the file, so that older files and builds agree`() throws {
        let text = String(decoding: Samples.complete.encoded(), as: UTF8.self)
        for member in [
            "\"cores\":2", "\"configuration\":\"release\"", "\"isTracing\":false", "\"seed\":7",
            "\"durationSeconds\":1.5",
        ] {
            #expect(text.contains(member), "\(member)")
        }
    }

    @Test func `a figure without value and without reason is found and refused`() throws {
        let text = String(decoding: Samples.complete.encoded(), as: UTF8.self)
        let planted = text.replacingOccurrences(of: "\"ratioToBaseline\":1.5", with: "\"ratioToBaseline\":{}")
        #expect(planted != text)
        #expect(try validator.problems(in: Data(planted.utf8)) != [])
        #expect(throws: ResultError.foreign("planted")) {
            try RunResult.decoded(from: Array(planted.utf8), name: "planted")
        }
    }

    @Test func `a limit without a quantity is found`() throws {
        let text = String(decoding: Samples.complete.encoded(), as: UTF8.self)
        let planted = text.replacingOccurrences(of: "\"quantity\":\"time\",", with: "")
        #expect(planted != text)
        #expect(try validator.problems(in: Data(planted.utf8)) != [])
    }

    @Test func `a verdict that the schema does not know is found`() throws {
        let text = String(decoding: Samples.complete.encoded(), as: UTF8.self)
        let planted = text.replacingOccurrences(of: "\"verdict\":\"worse\"", with: "\"verdict\":\"broken\"")
        #expect(planted != text)
        #expect(
            try validator.problems(in: Data(planted.utf8)) == [
                """
                $.benchmarks[0].limits[0].verdict is none of [\"better\", \"worse\", \"same\", \"inconclusive\", \
                \"not judged\"]
                """
            ])
    }

    @Test func `a member that the schema does not know is found`() throws {
        let text = String(decoding: Samples.complete.encoded(), as: UTF8.self)
        let planted = text.replacingOccurrences(of: "\"schemaVersion\":2", with: "\"schemaVersion\":2,\"surprise\":2")
        #expect(try validator.problems(in: Data(planted.utf8)) == ["$.surprise is unknown"])
    }

    @Test func `every member that the schema names is one that a result can have`() throws {
        func keys(_ value: Any) -> Set<String> {
            if let list = value as? [Any] { return list.reduce(into: []) { $0.formUnion(keys($1)) } }
            guard let object = value as? [String: Any] else { return [] }
            return object.values.reduce(into: Set(object.keys)) { $0.formUnion(keys($1)) }
        }
        let written = try [Samples.complete, Samples.merged].map {
            keys(try JSONSerialization.jsonObject(with: Data($0.encoded())))
        }
        #expect(try validator.problems(in: Data(Samples.merged.encoded())) == [])
        #expect(validator.members.subtracting(written.reduce([]) { $0.union($1) }) == [])
    }

    @Test func `a keyword that the validator does not check is refused`() throws {
        let validator = try SchemaValidator(Data(#"{"uniqueItems": true}"#.utf8))
        #expect(throws: SchemaValidator.UnsupportedKeyword.self) { try validator.problems(in: Data("[]".utf8)) }
    }
}

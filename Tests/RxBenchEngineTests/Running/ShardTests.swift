import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Shard") struct ShardTests {
    @Test(arguments: ["0/8", "9/8", "1/0", "1", "1/2/3", "a/b", "-1/8", "1/10001", "/", ""])
    func `what is no part is none`(text: String) {
        #expect(Shard(text) == nil)
    }

    @Test(arguments: [1, 2, 3, 8, 20]) func `the shards of a list have each element once`(count: Int) {
        let elements = Array(0..<13)
        let parts = (1...count).compactMap { Shard("\($0)/\(count)")?.part(of: elements) }
        #expect(parts.count == count)
        #expect(parts.flatMap { $0 }.sorted() == elements)
        #expect(parts.allSatisfy { abs($0.count - elements.count / count) <= 1 })
    }

    @Test func `a shard in a file that cannot be is refused`() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Shard.self, from: Data(#"{"index":3,"count":2}"#.utf8))
        }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Shard.self, from: Data(#"{"index":1,"count":9223372036854775807}"#.utf8))
        }
    }

    @Test func `two stores at one moment keep both results, and a shard is never the latest`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rxbench-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = ResultStore(folder: folder)
        let paths = try (0..<3).map { _ in try store.store(Samples.complete) }
        #expect(Set(paths).count == 3)
        let part = RunResult(
            run: RunInformation(
                date: "2027-01-01T00:00:00Z", arguments: [], seed: 1, processes: 1, durationSeconds: 1,
                shard: Shard("1/2")),
            environment: Samples.environment, commit: .value(Samples.commit), control: Samples.complete.control,
            benchmarks: [])
        #expect(try store.store(part).hasSuffix("20270101T000000Z-0123456789ab-shard-1-of-2.json"))
        #expect(try store.result(named: "latest", machine: Samples.environment.machine).result.run.shard == nil)
        #expect(try store.result(named: "0123456789ab", machine: Samples.environment.machine).result.run.shard == nil)
    }

    @Test func `creating a file leaves one that is there alone`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "rxbench-\(UUID().uuidString)").path
        defer { unlink(path) }
        #expect(try AtomicFile.create([1, 2], at: path))
        #expect(try !AtomicFile.create([3], at: path))
        #expect(FileManager.default.contents(atPath: path) == Data([1, 2]))
        try AtomicFile.write([3], to: path)
        #expect(FileManager.default.contents(atPath: path) == Data([3]))
    }
}

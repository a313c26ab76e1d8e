import Foundation
import Testing

@testable import RxBench

/// Images linked from the fixture's own objects: real loading, real processes, without a build.
@Suite("Paired images", .serialized) struct PairedImagesTests {
    private final class Cache {
        let folder: TemporaryFolder
        private let plan: (command: LinkCommand, objects: [String])

        init() throws {
            folder = try TemporaryFolder()
            let products = URL(fileURLWithPath: Tool.path("RxBenchFixture")).deletingLastPathComponent()
            let build = products.deletingLastPathComponent().deletingLastPathComponent()
            plan = try LinkCommand.read(
                product: "RxBenchFixture", plan: build.appending(path: "\(products.lastPathComponent).yaml").path)
        }

        /// An image with `word` planted in it; layouts are linked once, and copied for the others.
        func image(_ word: String) throws -> BuiltImage {
            let image = try BuiltImage.store(plan.command, objects: plan.objects, key: word, in: folder.path)
            for layout in 0..<PairedImagesTests.layouts {
                let path = "\(image.folder)/image-\(layout).so"
                if let first { try FileManager.default.copyItem(atPath: try first.image(layout: layout), toPath: path) }
                try plant(word, in: first == nil ? image.image(layout: layout) : path)
            }
            if first == nil { first = image }
            return image
        }

        /// Writes `word` over the one that the file holds.
        private func plant(_ word: String, in path: String) throws {
            let place = Data("planted in this image: ".utf8)
            var file = try Data(contentsOf: URL(fileURLWithPath: path))
            let found = try #require(file.range(of: place))
            let length = "nothing".utf8.count
            file.replaceSubrange(found.upperBound..<found.upperBound + length, with: Data(word.padding(toLength: length, withPad: ".", startingAt: 0).utf8))
            try file.write(to: URL(fileURLWithPath: path))
        }

        private var first: BuiltImage?
    }

    /// The fewest that convince.
    private static let layouts = 10

    private func compare(_ base: String, _ head: String, _ ids: [String], inTwoProcesses: Bool = false) throws -> PairedMeasurements {
        let cache = try Cache()
        let options = PairedOptions(totalSeconds: 4, margin: 0.2, seed: 3, layouts: Self.layouts, isInTwoProcesses: inTwoProcesses)
        return try PairedRunner(
            executable: Tool.path("RxBenchFixture"), options: options, base: try cache.image(base), head: try cache.image(head)
        ).run(ids)
    }

    @Test func `a planted slowdown is slower, its clean twin is not, and what a side lacks is said`() throws {
        let measurements = try compare(
            "old", "slow", ["fixture/paired/steady", "fixture/paired/planted", "fixture/paired/new", "fixture/paired/throws"])
        let results = Dictionary(uniqueKeysWithValues: measurements.results.map { ($0.id, $0) })
        #expect(results["fixture/paired/planted"]?.verdict == "slower")
        #expect(abs((results["fixture/paired/planted"]?.ratio ?? 0) - 1.5) < 0.15)
        #expect(!["slower", "faster"].contains(results["fixture/paired/steady"]?.verdict))
        #expect(results["fixture/paired/steady"]?.verdict != nil)
        #expect(results["fixture/paired/new"]?.isMissingInBase == true)
        #expect(results["fixture/paired/new"]?.verdict == nil)
        #expect(results["fixture/paired/throws"]?.failure?.hasPrefix("Its set-up threw") == true)
        #expect(!measurements.isControlChanged)
        let allocations = results["fixture/paired/steady"]?.exact.first { $0.name == Metric.allocations }
        #expect(allocations?.isEqual != false)
    }

    @Test func `time that changed while counts are equal is layout-suspect, and work that grew is not`() throws {
        let measurements = try compare("base", "slow", ["fixture/paired/scattered", "fixture/paired/planted", "fixture/paired/steady"])
        let results = Dictionary(uniqueKeysWithValues: measurements.results.map { ($0.id, $0) })
        let scattered = try #require(results["fixture/paired/scattered"])
        #expect(scattered.verdict == "slower")
        #expect(results["fixture/paired/planted"]?.verdict == "slower")
        // Without a counter of instructions, nothing is suspected and nothing acquitted.
        let isCounted = scattered.exact.contains { $0.name == Metric.instructions && $0.base.value != nil }
        #expect(isCounted == (ChildProcess.find("valgrind") != nil))
        #expect(scattered.isLayoutSuspect == (isCounted ? true : nil))
        #expect(results["fixture/paired/planted"]?.isLayoutSuspect == (isCounted ? false : nil))
        #expect(results["fixture/paired/steady"]?.isLayoutSuspect == nil)
    }

    @Test func `sides in processes of their own tell the same`() throws {
        let measurements = try compare("base", "slow", ["fixture/paired/planted"], inTwoProcesses: true)
        #expect(measurements.results.map(\.verdict) == ["slower"])
        #expect(abs((measurements.results[0].ratio ?? 0) - 1.5) < 0.2)
    }

    @Test func `a file that is no image is refused with its name`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("no image", to: "image.so")
        let launcher = PairProcessLauncher(executable: Tool.path("RxBenchFixture"), timeoutSeconds: 20)
        let reply = try launcher.reply(
            to: PairRequest(base: file, head: file, id: "a/b", budgetNanoseconds: 1, seed: 0, arrangement: .oneProcess))
        guard case .refused(let sentence)? = reply.failure else {
            Issue.record("The reply is \(reply).")
            return
        }
        #expect(sentence.hasPrefix("The image '\(file)' cannot be loaded: "))
    }
}

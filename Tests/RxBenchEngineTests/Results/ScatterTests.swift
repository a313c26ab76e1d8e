import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Scatter") struct ScatterTests {
    private let even = [100.0, 103, 101, 104, 99, 102, 100, 103, 101, 98, 102, 104, 99, 101, 100]

    @Test func `even processes have no outlier and no oddity, and a change that they could have shown`() throws {
        let scatter = Scatter(ofProcessMedians: even)
        #expect(scatter.outliers == 0 && scatter.oddities == [])
        #expect((0.01...0.03).contains(try #require(scatter.detectable)))
    }

    @Test func `planted outliers, levels and drift are found`() {
        #expect(Scatter(ofProcessMedians: even + [200, 20]).outliers == 2)
        #expect(Scatter(ofProcessMedians: even + [200, 20]).oddities == [])
        #expect(
            Scatter(ofProcessMedians: zip(even, [even, even].joined()).flatMap { [$0, $1 * 1.4] }).oddities == [
                .severalLevels
            ])
        #expect(Scatter(ofProcessMedians: even.enumerated().map { $1 * (1 + Double($0) / 50) }).oddities == [.drift])
    }

    @Test func `processes far beyond the interval of their median are found, and a wide interval is left alone`() {
        let tight = [100.0, 100.2, 100.1, 100.3, 100, 100.4, 100.1, 100.2, 100.3]
        #expect(Scatter(ofProcessMedians: tight).oddities == [])
        let wide = [100.0, 100.2, 180, 100.1, 100.3, 100, 165, 100.4, 100.1, 100.2, 140, 100.3, 100.2, 100.1, 100.3]
        #expect(Scatter(ofProcessMedians: wide).oddities == [.scatter])
        // The processes are equally far apart, but the interval shows it.
        let honest = [100.0, 125, 150, 180, 110, 130, 112, 160, 165, 120, 140, 145, 170, 105, 135]
        #expect(Scatter(ofProcessMedians: honest).oddities == [])
    }

    @Test func `what too few processes cannot say is missing, and never 0`() throws {
        #expect(Scatter(ofProcessMedians: [1, 2, 3, 4, 5, 6]).detectable == nil)
        let two = Scatter(ofProcessMedians: [1, 2])
        #expect(two.detectable == nil && two.outliers == nil && two.oddities == [])
        #expect(String(decoding: try JSONEncoder().encode(two), as: UTF8.self) == #"{"oddities":[]}"#)
        #expect(Scatter(ofProcessMedians: [0, 1e-308, 1e308, -1e308]).detectable == nil)
    }

    @Test func `a sampled metric is stored with its scatter, an exact one without`() throws {
        func keys(_ metric: Metric) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(metric)) as? [String: Any])
        }
        let scatter = try #require(try keys(.sampled(Samples.time, even + [200]))["scatter"] as? [String: Any])
        #expect(scatter["outliers"] as? Int == 1 && scatter["detectable"] is Double)
        #expect(try keys(.exact(Samples.allocations, [4, 4]))["scatter"] == nil)
        #expect(try keys(.unavailable(Samples.time, .sampled, because: "planted"))["scatter"] == nil)
    }
}

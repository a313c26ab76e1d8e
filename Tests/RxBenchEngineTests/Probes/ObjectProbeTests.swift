import RxBenchEngine
import XCTest

private final class Book {}

nonisolated(unsafe) private var kept: [AnyObject] = []

/// The counts are process-wide. XCTest runs these tests one after another.
final class ObjectProbeTests: XCTestCase {
    private func readings(of body: () -> Void) throws -> [Double] {
        let probe = ObjectProbe()
        probe.start()
        body()
        return try probe.stop().map { reading in
            guard case .value(let value) = reading else { throw XCTSkip("\(reading)") }
            return value
        }
    }

    func testProbe_namesItsMetrics() {
        XCTAssertEqual(ObjectProbe().metrics.map(\.name), [Metric.objects, Metric.retains, Metric.releases])
    }

    /// Retries up to nine times until the readings agree: a thread of an earlier test may still release objects.
    private func undisturbed(_ read: () throws -> [[Double]]) rethrows -> [[Double]] {
        for _ in 0..<9 {
            let readings = try read()
            if Set(readings).count == 1 { return readings }
        }
        return try read()
    }

    func testIteration_thatMakesObjects_readsHowMany_theSameTwentyTimes() throws {
        kept.reserveCapacity(1_000)
        defer { kept = [] }
        let runs = try undisturbed {
            try (0..<20).map { _ in
                try readings {
                    for _ in 0..<100 { kept.append(Book()) }
                    kept.removeAll(keepingCapacity: true)
                }
            }
        }
        XCTAssertEqual(runs[0][0], 100)
        XCTAssertEqual(Set(runs).count, 1, "\(runs)")
        // One object more is seen.
        let more = try readings {
            for _ in 0..<101 { kept.append(Book()) }
            kept.removeAll(keepingCapacity: true)
        }
        XCTAssertEqual(more[0], 101)
    }

    func testIteration_thatDoesNothing_readsNothing() throws {
        XCTAssertEqual(Set(try undisturbed { try (0..<20).map { _ in try readings {} } }), [[0, 0, 0]])
    }
}

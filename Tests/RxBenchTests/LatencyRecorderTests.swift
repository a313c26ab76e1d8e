import Testing

@testable import RxBench

@Suite("Latency recorder") struct LatencyRecorderTests {
    private func recorder(_ durations: some Sequence<UInt64>) -> LatencyRecorder {
        let recorder = LatencyRecorder()
        for nanoseconds in durations { recorder.record(nanoseconds: nanoseconds) }
        return recorder
    }

    @Test func `few durations are taken as they were recorded, and are gone then`() {
        let recorder = recorder([30_001, 10, 30_001])
        #expect(recorder.count == 3)
        let expected = [LatencyBucket(nanoseconds: 10, count: 1), LatencyBucket(nanoseconds: 30_001, count: 2)]
        #expect(recorder.take() == expected)
        #expect(recorder.count == 0)
        #expect(recorder.take().isEmpty)
    }

    @Test func `the buckets of a result agree in three significant digits, and stay`() {
        let recorder = recorder([30_001, 10, 30_002])
        for _ in 0..<2 {
            #expect(recorder.buckets.map(\.count) == [1, 2])
            #expect(recorder.buckets.allSatisfy { $0.nanoseconds == 10 || 30_002...30_030 ~= $0.nanoseconds })
        }
        #expect(recorder.count == 3)
    }

    @Test func `no duration is lost where there are more than wait for the histogram`() {
        let number = UInt64(2 * LatencyRecorder.mostWaiting + 1)
        let recorder = recorder(1...number)
        #expect(recorder.count == number)
        let buckets = recorder.take()
        #expect(buckets.map(\.count).reduce(0, +) == number)
        let half = buckets.filter { $0.nanoseconds <= number / 2 }.map(\.count).reduce(0, +)
        #expect(abs(Double(half) / Double(number) - 0.5) < 0.001)
        #expect(recorder.count == 0)
    }

    @Test func `what is forgotten does not come back, and the longest duration is an hour`() {
        let recorder = recorder(1...UInt64(LatencyRecorder.mostWaiting + 5))
        recorder.reset()
        recorder.record(nanoseconds: .max)
        #expect(recorder.take() == [LatencyBucket(nanoseconds: LatencyRecorder.ceilingNanoseconds, count: 1)])
    }
}

@Suite("Latency histogram") struct LatencyHistogramTests {
    /// The longest durations of buckets that the HDR histogram of the same range and precision reports.
    @Test(arguments: [
        (0, 0), (1, 1), (2_047, 2_047), (2_048, 2_049), (4_095, 4_095), (4_096, 4_099), (30_001, 30_015),
        (1_000_000, 1_000_447), (3_600_000_000_000, 3_601_330_077_695),
    ]) func `a bucket has the bounds of the HDR histogram`(nanoseconds: UInt64, longest: UInt64) {
        #expect(LatencyHistogram.longest(at: LatencyHistogram.index(of: nanoseconds)) == longest)
    }

    @Test func `buckets follow each other without a gap, and are at most a thousandth wide`() {
        var first: UInt64 = 0
        for index in 0...LatencyHistogram.index(of: LatencyRecorder.ceilingNanoseconds) {
            let last = LatencyHistogram.longest(at: index)
            #expect(LatencyHistogram.index(of: first) == index && LatencyHistogram.index(of: last) == index)
            #expect((last - first) * 1_000 <= last)
            first = last + 1
        }
    }
}

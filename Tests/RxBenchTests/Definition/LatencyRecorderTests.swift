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
        let distribution = LatencyDistribution(recorder.take())
        #expect(distribution.count == number)
        #expect(abs(Double(distribution.quantile(0.5) ?? 0) / Double(number) - 0.5) < 0.001)
        #expect(recorder.count == 0)
    }

    @Test func `what is forgotten does not come back, and the longest duration is an hour`() {
        let recorder = recorder(1...UInt64(LatencyRecorder.mostWaiting + 5))
        recorder.reset()
        recorder.record(nanoseconds: .max)
        #expect(recorder.take() == [LatencyBucket(nanoseconds: LatencyRecorder.ceilingNanoseconds, count: 1)])
    }
}

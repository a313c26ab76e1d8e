extension PublishedLeak {
    /// A common report about unsafe pointers: an early return skips `deallocate()`. The published mend is `defer`.
    static let unfreedBuffer = PublishedLeak(
        name: "unfreed-buffer",
        expected: Expectation(
            "heap bytes", heldBy: "no counted reference", change: "allocated at UnfreedBuffer.swift"),
        innocents: { count in (0..<count).map { SampleBlock(samples: [Float($0)]) } },
        leaky: .synchronous { _ = Waveform().peak(of: SampleBlock(samples: [])) },
        fixed: .synchronous { _ = Waveform().deferredPeak(of: SampleBlock(samples: [])) })
}

private final class SampleBlock {
    let samples: [Float]

    init(samples: [Float]) { self.samples = samples }
}

private struct Waveform {
    func peak(of block: SampleBlock) -> Float? {
        let scratch = UnsafeMutablePointer<Float>.allocate(capacity: 512)
        scratch.initialize(repeating: 0, count: 512)
        guard !block.samples.isEmpty else { return nil }
        for (index, sample) in block.samples.prefix(512).enumerated() { scratch[index] = abs(sample) }
        let peak = UnsafeBufferPointer(start: scratch, count: 512).max()
        scratch.deallocate()
        return peak
    }

    func deferredPeak(of block: SampleBlock) -> Float? {
        let scratch = UnsafeMutablePointer<Float>.allocate(capacity: 512)
        defer { scratch.deallocate() }
        scratch.initialize(repeating: 0, count: 512)
        guard !block.samples.isEmpty else { return nil }
        for (index, sample) in block.samples.prefix(512).enumerated() { scratch[index] = abs(sample) }
        return UnsafeBufferPointer(start: scratch, count: 512).max()
    }
}

import CRxBench

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Counts instructions through the processor's own counter: of this thread and of those that are started after the
/// probe is made.
///
/// Processors count some interrupts in: a few instructions in a million, differently from run to run (Weaver, Terpstra,
/// Moore: "Non-determinism and overcount on modern hardware performance counter implementations", ISPASS 2013).
final class PerfEventProbe: MetricProbe {
    let metrics = [MetricDefinition.instructions]
    private let descriptor: Int32
    private var before: UInt64 = 0
    /// The instructions that reading the counter takes itself.
    private var overhead = 0.0

    /// `nil` when the system offers no counter.
    init?() {
        descriptor = rxbench_open_instruction_counter()
        guard descriptor >= 0 else { return nil }
        for _ in 0..<2 {
            start()
            if case .value(let count) = stop()[0] { overhead += count }
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func start() { _ = rxbench_read_instruction_counter(descriptor, &before) }

    func stop() -> [MetricReading] {
        var after: UInt64 = 0
        let error = rxbench_read_instruction_counter(descriptor, &after)
        guard error == 0, after >= before else {
            return [.unavailable("the counter cannot be read: \(String(cString: strerror(error)))")]
        }
        return [.value(max(0, Double(after - before) - overhead))]
    }
}

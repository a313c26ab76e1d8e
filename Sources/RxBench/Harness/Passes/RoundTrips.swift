/// A benchmark whose iterations are repeated without being measured: set up, run once and checked.
package struct RoundTrips {
    private let workload: PreparedWorkload

    /// Why iterations cannot be repeated, in one sentence.
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String
    }

    /// Sets `benchmark` up and runs one iteration.
    package init(_ benchmark: Benchmark) throws(Refusal) {
        do { workload = try PreparedWorkload(benchmark) } catch { throw Refusal(description: error.description) }
    }

    /// One iteration.
    package func perform() throws(Refusal) {
        do { try workload.perform() } catch { throw Refusal(description: error.description) }
        // Durations that nobody reads would grow with the iterations.
        workload.forgetWarmUp()
    }

    /// Checks what the latest iteration left behind.
    package func check() throws(Refusal) {
        do throws(PreparedWorkload.Refusal) { try workload.check(after: .last) } catch {
            throw Refusal(description: error.description)
        }
    }

    /// Tears the benchmark down.
    package func tearDown() { workload.tearDown() }
}

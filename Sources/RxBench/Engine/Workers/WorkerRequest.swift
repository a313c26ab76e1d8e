/// A request to a worker process.
package struct WorkerRequest: Codable, Sendable, Equatable {
    package enum Pass: String, Codable {
        /// Counts events, one probe at a time.
        case exact
        /// Counts instructions, with the processor's counter or under callgrind.
        case instructions
        /// Measures time only, with the clock.
        case time

        /// A description of the pass, as the beginning of a sentence.
        var task: String {
            switch self {
            case .exact: "Counting its allocations"
            case .instructions: "Counting its instructions"
            case .time: "Measuring its time"
            }
        }
    }

    package let pass: Pass
    package let id: String
    /// The time for which the time pass may measure, including warm-up.
    package let budgetNanoseconds: UInt64
    /// The largest number of raw samples of each series in the reply.
    package let sampleLimit: Int
    /// The prefix of callgrind's file names, or `nil` if the worker does not run under callgrind.
    var callgrindOutput: String?

    /// Creates a request for one pass.
    package init(pass: Pass, id: String, budgetNanoseconds: UInt64 = 0, sampleLimit: Int = 0) {
        self.pass = pass
        self.id = id
        self.budgetNanoseconds = budgetNanoseconds
        self.sampleLimit = sampleLimit
    }
}

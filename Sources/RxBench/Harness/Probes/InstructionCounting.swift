/// By what means the instructions of an iteration are counted.
package enum InstructionCounting: Sendable, Equatable {
    /// The processor counts them, at no cost.
    case perfEvents
    /// Callgrind executes every instruction itself, about eighty times slower; `valgrind` is the path of the program.
    case callgrind(valgrind: String)
    /// Nothing counts them; why, as the end of a sentence without a full stop.
    case unavailable(String)

    /// The best means of this machine: the processor's own counter, else callgrind where it is wanted and valgrind is
    /// installed.
    ///
    /// - Parameter wantsCallgrind: Whether counting may cost a second or more for each benchmark.
    package static func available(wantsCallgrind: Bool) -> InstructionCounting {
        choose(
            perfEvents: MachineReadings.instructionCounterNow, valgrind: ChildProcess.find("valgrind"),
            canAskValgrind: canAskValgrind,
            wantsCallgrind: wantsCallgrind)
    }

    static func choose(
        perfEvents: Reading<String>, valgrind: String?, canAskValgrind: Bool, wantsCallgrind: Bool
    ) -> InstructionCounting {
        guard case .unavailable(let reason) = perfEvents else { return .perfEvents }
        guard canAskValgrind else {
            return .unavailable("\(reason), and callgrind counts for Linux on x86_64 and arm64 alone")
        }
        guard let valgrind else {
            return .unavailable(
                """
                \(reason), and valgrind is not installed; install it ('apt-get install valgrind') and run with \
                '--instructions'
                """
            )
        }
        return wantsCallgrind
            ? .callgrind(valgrind: valgrind)
            : .unavailable("\(reason); run with '--instructions' to count them under callgrind")
    }

    /// Whether this build can tell callgrind what to count.
    private static var canAskValgrind: Bool {
        #if os(Linux) && (arch(x86_64) || arch(arm64))
            true
        #else
            false
        #endif
    }
}

extension MetricDefinition {
    /// Instructions of all threads in one iteration, in user mode.
    static let instructions = MetricDefinition(name: Metric.instructions, unit: "count/iteration")
}

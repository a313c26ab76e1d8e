import ArgumentParser
import Foundation
import RxBenchEngine

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Shows whether this machine is fit to measure, and what to change.",
        discussion: """
            Examples:
              rxbench doctor               about twelve seconds
              rxbench doctor --quick       about three, with a coarser look at the noise
              rxbench doctor --no-noise    settings and load alone
              rxbench doctor --json        findings and readings for programs

            Each check is 'fine', wants 'attention', or is 'unavailable' with the reason. The noise is measured: \
            identical workloads take turns in fresh processes as if they were two versions. It says which change two \
            runs of the usual length could see, with a 95 % interval: in 80 % of cases at 1 % false alarms, if both \
            were made in turns. Two runs made minutes apart also differ by what the machine did in between.

            Exit codes: 0 when no check wants attention, 4 when one does: times measured here may be inconclusive. \
            Unavailable readings do not change the exit code.
            """)

    @Flag(help: "Measure the noise for two seconds instead of ten.") var quick = false
    @Flag(help: "Do not measure the noise.") var noNoise = false
    @OptionGroup var order: OrderOptions
    @Flag(help: "Write JSON.") var json = false

    func validate() throws {
        if quick, noNoise {
            throw ValidationError("'--quick' shortens the noise that '--no-noise' leaves out. Give one of them.")
        }
        if order.seed != nil, noNoise {
            throw ValidationError("'--seed' orders the processes that '--no-noise' leaves out. Give one of them.")
        }
    }

    func run() throws {
        Interruption.install()
        let idle = try watch { () throws(ExitCode) in try rest() }.window
        let trial = noNoise ? nil : try watch { () throws(ExitCode) in try measureNoise() }
        let readings = MachineReadings.current(
            idle: idle, busy: trial?.window ?? .unavailable("the noise was not measured"), noise: trial?.value ?? [],
            isTracing: CoreProbes.isTracing)
        let report = MachineReport(MachineChecks.findings(readings))
        if json {
            try Console.print(
                json: Summary(
                    findings: report.findings, isFit: report.isFit, readings: readings, verdict: report.verdict))
        } else {
            Console.print(report.table)
        }
        try Console.end(report.verdict, report.isFit ? .fine : .inconclusive, toErrors: json)
    }

    private struct Summary: Encodable {
        let findings: [MachineFinding]
        let isFit: Bool
        let readings: MachineReadings
        let verdict: String
    }

    /// Returns the result of `body` and the processors' work while `body` ran.
    private func watch<Value>(
        _ body: () throws(ExitCode) -> Value
    ) throws -> (value: Value, window: Reading<ProcessorWindow>) {
        let start = ProcessorObservation.now()
        let value = try body()
        switch (start, ProcessorObservation.now()) {
        case (.success(let start), .success(let end)): return (value, .value(end.since(start)))
        case (.failure(let obstacle), _), (_, .failure(let obstacle)): return (value, .unavailable(obstacle.reason))
        }
    }

    /// Waits for a second, during which this tool does no work.
    private func rest() throws(ExitCode) {
        try ProgressLine.shown(ifInterrupted: Self.consequence) { _ throws(Interrupted) in
            for _ in 0..<20 {
                Thread.sleep(forTimeInterval: 0.05)
                if let signal = Interruption.signal { throw Interrupted(signal: signal) }
            }
        }
    }

    private static let consequence = "nothing was judged."

    private func measureNoise() throws(ExitCode) -> [NoiseReading] {
        guard let executable = Bundle.main.executablePath else {
            return [
                NoiseReading(
                    workload: "all", sides: .unavailable("the tool cannot find its own executable to start workers"))
            ]
        }
        let seed = order.drawSeed()
        Console.note("Measuring the noise for \(quick ? 2 : 10) s, seed \(seed).")
        return try ProgressLine.shown(ifInterrupted: Self.consequence) { (line) throws(Interrupted) in
            try NoiseTrial.run(executable: executable, seconds: quick ? 2 : 10, seed: seed, progress: line.show)
        }
    }
}

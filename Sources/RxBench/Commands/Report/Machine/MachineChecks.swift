import RxBenchEngine

/// Judges whether a machine is fit to measure. All checks are pure functions from readings to findings.
package enum MachineChecks {
    /// Returns all findings, in the order in which they are shown.
    package static func findings(_ readings: MachineReadings) -> [MachineFinding] {
        [
            build(readings), cores(readings), quota(readings), virtual(readings), steal(readings), load(readings),
            otherWork(readings),
            governor(readings), boost(readings), timer(readings), hugePages(readings), layout(readings),
            memory(readings), swap(readings),
            jemalloc(readings), valgrind(readings), instructionCounter(readings),
        ] + readings.noise.map(noise)
    }

    /// Checks the build. Times of a debug build, or of a build that counts resources, are not the times of the code.
    static func build(_ readings: MachineReadings) -> MachineFinding {
        let name = "\(readings.configuration) build, tracing \(readings.isTracing ? "on" : "off")"
        if readings.configuration == "debug" {
            return .attention("build", name, "Times of a debug build mean nothing: build with '-c release'.")
        }
        if readings.isTracing {
            return .attention(
                "build", name,
                "Subscribing and disposing cost more than without: build without the trait TRACE_RESOURCES.")
        }
        return .fine("build", name)
    }

    /// Checks the number of cores. The tool, the system and the benchmark's threads need a core each.
    static func cores(_ readings: MachineReadings) -> MachineFinding {
        MachineFinding.of("cores", readings.allowedCores) { allowed in
            let text = "\(allowed) of \(Figures.counted(readings.onlineCores, "core")) may be used"
            guard allowed < 2 else { return .fine("cores", text) }
            let remedy =
                readings.onlineCores < 2
                ? "Other processes interrupt the benchmark, and races hardly occur: measure on two cores or more."
                : """
                Whatever else runs there interrupts the benchmark, and races hardly occur: widen the affinity, as \
                in 'taskset -c 0,1'.
                """
            return .attention("cores", text, remedy)
        }
    }

    /// Checks the CPU quota. A process that exceeds its quota is stopped for the rest of a period, often a tenth of a
    /// second.
    static func quota(_ readings: MachineReadings) -> MachineFinding {
        MachineFinding.of("quota", readings.quota) { quota in
            guard let limit = quota.cores else { return .fine("quota", "no control group limits the processor time") }
            let text = "a control group grants the time of \(Figures.threeDigits(limit)) cores"
            guard limit < Double(readings.allowedCores.value ?? readings.onlineCores) else {
                return .fine("quota", text)
            }
            return .attention(
                "quota", text, "Beyond it, processes are stopped for milliseconds: lift the container's CPU limit.")
        }
    }

    /// Reports whether the machine is virtual, without judging it. The cost of virtualisation shows in the steal time
    /// and the noise.
    static func virtual(_ readings: MachineReadings) -> MachineFinding {
        MachineFinding.of("hypervisor", readings.isVirtual) { isVirtual in
            .fine(
                "hypervisor",
                isVirtual
                    ? "a virtual machine; what that costs is seen in steal and noise"
                    : "none: the machine is a real one")
        }
    }

    /// Checks the steal time while the noise was measured, because nothing can be stolen from an idle machine. If the
    /// noise was not measured, checks the steal time while this tool slept.
    static func steal(_ readings: MachineReadings) -> MachineFinding {
        let isBusy = readings.busy.value != nil
        return MachineFinding.of("steal", isBusy ? readings.busy : readings.idle) { window in
            guard window.ticks > 0 else {
                return .unavailable("steal", because: "the processors' counters did not move")
            }
            let share = Double(window.stolenTicks) / Double(window.ticks)
            let text = """
                \(percent(share)) of the processor time went to others on the host (\(window.stolenTicks) of \
                \(window.ticks) ticks in \(Figures.threeDigits(window.seconds)) \
                s\(isBusy ? "" : ", hardly working: more may show while measuring"))
                """
            guard share > 0.01 else { return .fine("steal", text) }
            return .attention("steal", text, "Measure on a machine with dedicated cores, or at another time.")
        }
    }

    /// Checks the load average against the same limit as the warning of 'rxbench run'.
    static func load(_ readings: MachineReadings) -> MachineFinding {
        MachineFinding.of("load", readings.loadAverage) { load in
            let text =
                """
                \(Figures.threeDigits(load)) runnable processes in the last minute on \
                \(Figures.counted(readings.onlineCores, "core"))
                """
            guard load > Double(readings.onlineCores) / 2 else { return .fine("load", text) }
            return .attention("load", text, "Wait until other work has ended; the average follows within some minutes.")
        }
    }

    /// Checks the work of other processes while this process sleeps.
    static func otherWork(_ readings: MachineReadings) -> MachineFinding {
        MachineFinding.of("other work", readings.idle) { window in
            let cores = window.workingCores(of: readings.onlineCores)
            let users = window.others.prefix(3).map {
                "\(printable($0.name)) (\($0.process)): \(Figures.threeDigits($0.cores))"
            }
            let names = users.isEmpty ? "" : "; \(users.joined(separator: ", "))"
            let text =
                """
                \(Figures.threeDigits(cores)) cores at work while this tool slept for \
                \(Figures.threeDigits(window.seconds)) s\(names)
                """
            guard cores > 0.1 else { return .fine("other work", text) }
            return .attention("other work", text, "End these processes, or measure when they are done.")
        }
    }

    static func governor(_ readings: MachineReadings) -> MachineFinding {
        let remedy = readings.isVirtual.value == true ? "In a virtual machine the host decides." : nil
        return MachineFinding.of("governor", readings.governors, otherwise: remedy) { governors in
            let text = "frequency governor \(governors.map { "'\($0)'" }.joined(separator: ", "))"
            guard governors != ["performance"] else { return .fine("governor", text) }
            return .attention(
                "governor", text, "The frequency follows the load: 'cpupower frequency-set -g performance'.")
        }
    }

    static func boost(_ readings: MachineReadings) -> MachineFinding {
        let remedy = readings.isVirtual.value == true ? "In a virtual machine the host decides." : nil
        return MachineFinding.of("turbo", readings.isBoosting, otherwise: remedy) { isBoosting in
            guard isBoosting else { return .fine("turbo", "off") }
            return .attention(
                "turbo", "on: the frequency depends on temperature and on the other cores",
                """
                Write 1 to /sys/devices/system/cpu/intel_pstate/no_turbo, or 0 to /sys/devices/system/cpu/cpufreq/boost.
                """
            )
        }
    }

    /// Checks the timer. A batch takes about a millisecond, so a step of 10 µs, or ten readings of a microsecond each,
    /// would be one per cent of it.
    static func timer(_ readings: MachineReadings) -> MachineFinding {
        let timer = readings.timer
        let source = timer.source.value.map { ", source '\($0)'" } ?? ""
        let text = """
            a reading costs \(Figures.time(nanoseconds: timer.costNanoseconds)) and steps by \
            \(Figures.time(nanoseconds: timer.resolutionNanoseconds))\(source)
            """
        guard timer.costNanoseconds > 1_000 || timer.resolutionNanoseconds > 1_000 else { return .fine("timer", text) }
        return .attention(
            "timer", text, "The kernel has no fast clock: look for 'clocksource' in its log, and for a source 'tsc'.")
    }

    static func percent(_ share: Double) -> String { "\(Figures.threeDigits(share * 100)) %" }

    /// Returns the name with its control characters replaced. A program can have any name, including line ends and
    /// control sequences.
    private static func printable(_ name: String) -> String {
        String(
            String.UnicodeScalarView(name.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }
}

/// The finding of one check of a machine.
package struct MachineFinding: Codable, Sendable, Equatable {
    /// The result of a check.
    package enum Status: String, Codable, Sendable {
        /// Nothing was found that spoils a measurement.
        case fine
        /// Something was found that makes figures noisier or wrong.
        case attention
        /// The property could not be read.
        case unavailable
    }

    /// The checked property, in a word or two.
    package let check: String
    /// How the check ended.
    package let status: Status
    /// A description of the reading. If there is no reading, this is the reason, as the end of a sentence after
    /// "because".
    package let reading: String
    /// Sentences that describe the remedy, or `nil` if none is needed.
    package let remedy: String?

    static func fine(_ check: String, _ reading: String) -> MachineFinding {
        MachineFinding(check: check, status: .fine, reading: reading, remedy: nil)
    }

    static func attention(_ check: String, _ reading: String, _ remedy: String) -> MachineFinding {
        MachineFinding(check: check, status: .attention, reading: reading, remedy: remedy)
    }

    static func unavailable(_ check: String, because reason: String, _ remedy: String? = nil) -> MachineFinding {
        MachineFinding(check: check, status: .unavailable, reading: reason, remedy: remedy)
    }

    /// Returns the finding of `judge` for an available value, or a finding that the value is unavailable.
    static func of<Value>(
        _ check: String, _ reading: Reading<Value>, otherwise remedy: String? = nil, judge: (Value) -> MachineFinding
    ) -> MachineFinding {
        switch reading {
        case .value(let value): judge(value)
        case .unavailable(let reason): .unavailable(check, because: reason, remedy)
        }
    }
}

/// Presents the findings as a table and a verdict.
package struct MachineReport: Sendable {
    /// The findings, one for each check.
    package let findings: [MachineFinding]

    /// Creates a report of `findings`.
    package init(_ findings: [MachineFinding]) { self.findings = findings }

    /// Whether no check needs attention.
    package var isFit: Bool { !findings.contains { $0.status == .attention } }

    /// A table with one row for each check: its name, its status, the reading and the remedy.
    package var table: TextTable {
        var table = TextTable([("check", .left), ("finding", .left), ("what was read, and what to do", .left)])
        for finding in findings {
            let reading = finding.status == .unavailable ? "because \(finding.reading)" : finding.reading
            table.add([
                finding.check, finding.status.rawValue,
                ([reading + "."] + [finding.remedy].compactMap { $0 }).joined(separator: " "),
            ])
        }
        return table
    }

    /// A sentence or two that summarise the findings.
    package var verdict: String {
        func checks(_ status: MachineFinding.Status) -> [String] {
            findings.filter { $0.status == status }.map(\.check)
        }
        let attention = checks(.attention)
        let unavailable = checks(.unavailable).count
        let rest = "\(checks(.fine).count) fine, \(unavailable) unavailable"
        guard !attention.isEmpty else { return "Fit to measure: \(rest)." }
        return "Attention: \(attention.joined(separator: ", ")). The other checks: \(rest)."
    }
}

import RxBench

/// Judges whether a machine is fit to measure: pure functions from readings to findings.
package enum MachineChecks {
    /// All findings, in the order in which they are shown.
    package static func findings(_ readings: MachineReadings) -> [MachineFinding] {
        [
            build(readings), cores(readings), quota(readings), virtual(readings), steal(readings), load(readings),
            otherWork(readings),
            governor(readings), boost(readings), timer(readings), hugePages(readings), layout(readings),
            memory(readings), swap(readings),
            jemalloc(readings), valgrind(readings), instructionCounter(readings),
        ] + readings.noise.map(noise)
    }

    /// A debug build, or one that counts resources, measures itself.
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

    /// The tool, the system and the benchmark's threads need a core each.
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

    /// A process beyond its quota is stopped for the rest of a period, often a tenth of a second.
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

    /// Reported, but not judged: its cost shows in steal and noise.
    static func virtual(_ readings: MachineReadings) -> MachineFinding {
        MachineFinding.of("hypervisor", readings.isVirtual) { isVirtual in
            .fine(
                "hypervisor",
                isVirtual
                    ? "a virtual machine; what that costs is seen in steal and noise"
                    : "none: the machine is a real one")
        }
    }

    /// While the noise was measured, because an idle machine cannot be stolen from; else while this tool slept.
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

    /// The same bound as the warning of 'rxbench run'.
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

    /// The work of other processes while this one sleeps.
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

    /// A batch takes about a millisecond: a step of 10 µs, or ten readings of a microsecond, would be a per cent of it.
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

    /// A program may call itself anything, line ends and control sequences included.
    private static func printable(_ name: String) -> String {
        String(
            String.UnicodeScalarView(name.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
    }
}

/// The finding of one check of a machine.
package struct MachineFinding: Codable, Sendable, Equatable {
    /// How a check ended.
    package enum Status: String, Codable, Sendable {
        /// Nothing here spoils a measurement.
        case fine
        /// Something here makes figures noisier or wrong.
        case attention
        /// It could not be read.
        case unavailable
    }

    /// The checked property, in a word or two.
    package let check: String
    /// How the check ended.
    package let status: Status
    /// The reading, in words; or why nothing could be, as the end of a sentence after "because".
    package let reading: String
    /// The remedy, in sentences; `nil` when there is nothing.
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

    /// The finding of `judge` on a value, or a finding that there is no value.
    static func of<Value>(
        _ check: String, _ reading: Reading<Value>, otherwise remedy: String? = nil, judge: (Value) -> MachineFinding
    ) -> MachineFinding {
        switch reading {
        case .value(let value): judge(value)
        case .unavailable(let reason): .unavailable(check, because: reason, remedy)
        }
    }
}

/// The findings as lines and a verdict.
package struct MachineReport: Sendable {
    /// One for each check.
    package let findings: [MachineFinding]

    /// A report of `findings`.
    package init(_ findings: [MachineFinding]) { self.findings = findings }

    /// Whether no check calls for attention.
    package var isFit: Bool { !findings.contains { $0.status == .attention } }

    /// One line for each check: its name, its outcome, the reading and the remedy.
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

    /// The findings in a sentence or two.
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

import RxBench

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

    /// The finding of `judge` on a value, or that there is none.
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

    /// One line for each check: its name, how it ended, what was read and what to do.
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

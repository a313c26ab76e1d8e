import RxTrace

/// What a detection says once no thread of an earlier test in this process has worked beside it: tried five times.
func undisturbed(_ detect: () throws -> GrowthReport) rethrows -> GrowthReport {
    for _ in 1..<5 {
        let report = try detect()
        let isDisturbed = report.unavailable.contains {
            $0.subject == "heap bytes" && $0.reason.hasPrefix("other threads worked")
        }
        if !isDisturbed { return report }
    }
    return try detect()
}

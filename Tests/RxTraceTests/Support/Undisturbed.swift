import RxTrace
import XCTest

/// What a detection says once no thread of an earlier test in this process has worked beside it: tried five times, and
/// skipped in a process in which one always does. CI runs the tests of the heap's bytes in a process of their own too.
func undisturbed(_ detect: () throws -> GrowthReport) throws -> GrowthReport {
    for _ in 0..<5 {
        let report = try detect()
        let isDisturbed = report.unavailable.contains {
            $0.metric == "heap bytes" && $0.reason.hasPrefix("other threads worked")
        }
        if !isDisturbed { return report }
    }
    throw XCTSkip("Threads of other tests worked beside five detections.")
}

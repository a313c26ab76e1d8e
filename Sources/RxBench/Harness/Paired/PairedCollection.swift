import Foundation
import RxBenchStatistics

/// What the processes of one comparison have sent so far.
struct PairedCollection {
    let id: String
    /// Logarithms of the ratio, for each layout.
    private(set) var logRatios: [[Double]]
    /// All of them in the order of measurement.
    private var sequence: [Double] = []
    private var base: [Double] = []
    private var head: [Double] = []
    private(set) var failure: String?
    private(set) var isMissingInBase = false
    var exact: [ExactComparison] = []

    init(id: String, layouts: Int) {
        self.id = id
        logRatios = Array(repeating: [], count: layouts)
    }

    /// Whether further processes are of no use.
    var hasFailed: Bool { failure != nil || isMissingInBase }

    mutating func add(_ reply: PairReply, layout: Int) {
        if let series = reply.series {
            logRatios[layout].append(series.logRatio)
            sequence.append(series.logRatio)
            base.append(series.base)
            head.append(series.head)
        } else if reply.failure == .unknownBenchmark, reply.failedSide == .base {
            isMissingInBase = true
        } else if failure == nil {
            let side = reply.failedSide.map { " (in \($0.rawValue))" } ?? ""
            switch reply.failure {
            case .unknownBenchmark: failure = "No benchmark has this name\(side)."
            case .refused(let sentence): failure = sentence.dropLast() + "\(side)."
            case nil: failure = "Its process sent no reply."
            }
        }
    }

    /// One value for each layout that was visited: the layouts are independent, the processes of one layout are not.
    var units: [Double] { hasFailed ? [] : logRatios.compactMap { Quantiles.median(of: $0) } }

    private var remarks: [String] {
        var remarks: [String] = []
        if Modality.isMultimodal(sequence) { remarks.append("its processes fall into several levels, by where their code and data lie; the interval covers them.") }
        // A thousandth: a suite has hundreds of series.
        if Drift.probability(of: sequence) < 0.001 { remarks.append("its ratio drifted while it was measured; something beside the code changed.") }
        return remarks
    }

    func result(_ finding: PairedFamily.Finding?) -> PairedResult {
        let isChanged = finding.map { $0.verdict == .slower || $0.verdict == .faster } ?? false
        let decisive = [Metric.allocations, "instructions"].map { name in exact.first { $0.name == name }?.isEqual }
        let isSuspect: Bool? = !isChanged || decisive.contains(nil) ? nil : decisive.allSatisfy { $0 == true }
        let interval = finding.flatMap { finding in
            finding.interval.low > 0 && finding.interval.high.isFinite
                ? Metric.Interval(low: finding.interval.low, high: finding.interval.high, confidence: finding.interval.confidence) : nil
        }
        return PairedResult(
            id: id, failure: failure, isMissingInBase: isMissingInBase, verdict: hasFailed ? nil : finding?.verdict.rawValue,
            ratio: hasFailed ? nil : finding?.ratio, interval: hasFailed ? nil : interval, detectable: hasFailed ? nil : finding?.detectable,
            baseNanoseconds: Quantiles.median(of: base), headNanoseconds: Quantiles.median(of: head), processes: sequence.count,
            outliers: Outliers.count(in: sequence),
            logRatios: logRatios.map { $0.map { $0.rounded(toSignificantDigits: 5) } }, exact: exact, isLayoutSuspect: isSuspect, remarks: remarks)
    }
}

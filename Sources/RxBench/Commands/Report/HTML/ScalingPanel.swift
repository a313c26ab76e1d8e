import Foundation
import RxBench
import RxBenchEngine

/// The time of a benchmark at each size of a parameter. Both axes are logarithmic.
enum ScalingPanel {
    /// The times at several values of one parameter while all other parameters stay the same.
    struct Series {
        let name: String
        let points: [(size: Double, time: Double, interval: (low: Double, high: Double)?)]

        /// The exponent *k* of time ∝ size^*k*: the slope of the least-squares line through the logarithms.
        var exponent: Double? {
            let logs = points.map { (x: log($0.size), y: log($0.time)) }
            let meanX = logs.reduce(0) { $0 + $1.x } / Double(logs.count)
            let meanY = logs.reduce(0) { $0 + $1.y } / Double(logs.count)
            let spread = logs.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
            let slope = logs.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) } / spread
            return slope.isFinite ? slope : nil
        }
    }

    /// The series of one benchmark over one parameter. The series differ in their other parameters.
    struct Family {
        let path: String
        let parameter: String
        let series: [Series]
    }

    static func markup(_ content: ReportContent) -> Markup {
        let charts = families(content.result.benchmarks).map(chart)
        guard !charts.isEmpty else { return .empty }
        return """
            <section id=scaling><h2>Cost against size</h2>\
            <p>Time per operation at each value of a parameter, both axes logarithmic; whiskers are \
            intervals. 'size^k' is the slope of the line through the points: 0 is constant, 1 proportional.</p>\
            <div class=charts>\(charts.joined)</div></section>
            """
    }

    /// Returns a family for every parameter with positive numbers that takes at least two values while all other
    /// parameters stay the same. The families are in the order of the benchmarks.
    static func families(_ benchmarks: [BenchmarkResult]) -> [Family] {
        var order: [[String]] = []
        var members: [[String]: [String: [(size: Double, metric: Metric)]]] = [:]
        for benchmark in benchmarks {
            guard let metric = benchmark.metric(Metric.time), let time = metric.reading.value, time > 0, time.isFinite,
                let id = try? BenchmarkID(benchmark.id)
            else { continue }
            for (index, parameter) in id.parameters.enumerated() {
                guard let size = Double(parameter.value), size > 0, size.isFinite else { continue }
                var others = id.parameters
                others.remove(at: index)
                let key = [
                    id.segments.joined(separator: "/"), parameter.name, others.map(\.name).joined(separator: "&"),
                ]
                let name = others.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
                if members[key] == nil { order.append(key) }
                members[key, default: [:]][name, default: []].append((size, metric))
            }
        }
        return order.compactMap { key in
            let all = (members[key] ?? [:]).sorted { $0.key < $1.key }.compactMap { name, points in series(name, points)
            }
            return all.isEmpty ? nil : Family(path: key[0], parameter: key[1], series: all)
        }
    }

    private static func series(_ name: String, _ points: [(size: Double, metric: Metric)]) -> Series? {
        guard Set(points.map(\.size)).count > 1 else { return nil }
        let sorted = points.sorted { $0.size < $1.size }
        return Series(
            name: name,
            points: sorted.map { size, metric in
                let interval = metric.interval.flatMap { $0.low > 0 ? $0.range : nil }
                return (size, metric.reading.value ?? 0, interval)
            })
    }

    private static func chart(_ family: Family) -> Markup {
        let points = family.series.flatMap(\.points)
        let times = points.flatMap { [$0.time, $0.interval?.low ?? $0.time, $0.interval?.high ?? $0.time] }
        // The axis leaves some room around the points and spans at least a factor of two, so that noise does not look
        // like growth.
        let least = (times.min() ?? 1) / 1.1
        let most = max((times.max() ?? 1) * 1.1, least * 2)
        let sizes = Set(points.map(\.size)).sorted()
        guard let scale = Scale(covering: sizes, isLogarithmic: true),
            let vertical = Axis.time([least, most], "time per operation", isLogarithmic: true)
        else { return .empty }
        let horizontal = Axis(scale: scale, title: "\(family.parameter), log", label: Figures.count, ticks: sizes)
        let chart = Chart(horizontal: horizontal, vertical: vertical)
        let styles = ["a1", "a3", "a4", "a2"]
        var curves = Markup.empty
        var keys: [Markup] = []
        for (index, series) in family.series.enumerated() {
            let style = styles[index % styles.count]
            curves += chart.line(series.points.map { ($0.size, $0.time, $0.interval) }, style)
            let slope = series.exponent.map { "size^\(Figures.fixed($0, decimals: 2))" } ?? ""
            let name = series.name.isEmpty ? "" : series.name + ": "
            keys.append("<span><i class=\"k\(String(style.dropFirst()))\"></i>\(name)\(slope)</span>")
        }
        let caption = Markup(trusted: keys.map(\.text).joined(separator: " "))
        return .figure(
            "<code>\(family.path)</code>", chart.markup("Time per operation against \(family.parameter)", curves),
            caption)
    }
}

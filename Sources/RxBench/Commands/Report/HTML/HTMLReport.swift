import RxBenchEngine

/// A report of a run as a single HTML page. The page needs no network and no other files, supports light and dark mode,
/// and is readable on a phone. Equal input gives an equal page.
///
/// Every text from the result is escaped, and the page's content security policy forbids it to load anything.
package struct HTMLReport: Sendable {
    private let content: ReportContent

    /// Creates a report of `result`, compared with `baseline` if there is one.
    ///
    /// - Parameters:
    ///   - trend: The history of stored results. The report shows only results that are comparable with `result`.
    ///   - leaks: The findings of leak searches.
    ///   - races: The findings of a race search.
    package init(
        _ result: RunResult, baseline: RunResult? = nil, rules: ResultComparison.Rules = .init(), trend: Trend? = nil,
        leaks: [LeakFindings] = [], races: RaceSearches? = nil
    ) {
        content = ReportContent(
            result, baseline: baseline, rules: rules, trend: trend, leaks: leaks, races: races)
    }

    /// Returns the page. O(*n* · *s*) for *n* benchmarks with *s* samples each.
    package var document: String {
        let panels: [(title: String, identifier: String, markup: Markup)] = [
            ("Summary", "summary", SummaryPanel.markup(content)),
            ("Changes", "changes", ForestPanel.changes(content).markup),
            ("Benchmarks", "benchmarks", BenchmarkPanel(content).markup),
            ("Limits", "limits", ForestPanel.limits(content).markup),
            ("Ratios", "ratios", ForestPanel.ratios(content).markup),
            ("Scaling", "scaling", ScalingPanel.markup(content)),
            ("Allocations", "allocations", AllocationPanel.markup(content)),
            ("Leaks", "leaks", LeakPanel.markup(content)),
            ("Races searched", "failed-races", RaceStoryPanel.markup(content)),
            ("Races", "races", RacePanel.markup(content)), ("Trend", "trend", TrendPanel.markup(content)),
            ("Environment", "environment", EnvironmentPanel(content).markup),
        ].filter { !$0.markup.isEmpty }
        let links = panels.map { "<a href=\"#\($0.identifier)\">\($0.title)</a> " as Markup }.joined
        let page: Markup = """
            <!DOCTYPE html>
            <html lang=en>
            <head>
            <meta charset=utf-8>
            <meta http-equiv=Content-Security-Policy content="default-src 'none'; style-src 'unsafe-inline'; \
            script-src 'unsafe-inline'; \
            base-uri 'none'; form-action 'none'">
            <meta name=viewport content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>\(Self.embedded(PackageResources.report_css))</style>
            <noscript><style>.details[hidden]{display:table-row!important}.tools,#theme{display:none}</style></noscript>
            </head>
            <body>
            <header><h1>\(title)</h1><p>\(subtitle)</p><nav>\(links)<button id=theme type=button>light or dark</button>\
            </nav></header>
            \(Chart.shareDefinition)
            <main>
            \(panels.map { $0.markup + "\n" }.joined)</main>
            <script>\(Self.embedded(PackageResources.report_js))</script>
            </body>
            </html>

            """
        return page.text
    }

    /// Returns a file of this folder that is embedded in the code at build time.
    private static func embedded(_ bytes: [UInt8]) -> Markup { Markup(trusted: String(decoding: bytes, as: UTF8.self)) }

    private var title: String {
        guard let baseline = content.baseline else { return "Benchmarks of \(Self.name(content.result))" }
        return "\(Self.name(content.result)) against \(Self.name(baseline))"
    }

    private var subtitle: Markup {
        let result = content.result
        let tracing = result.environment.isTracing ? ", tracing on" : ""
        return "\(result.run.date), \(result.environment.machine), \(result.environment.configuration)\(tracing)"
    }

    private static func name(_ result: RunResult) -> String {
        guard let commit = result.commit.value else { return "the run of \(result.run.date)" }
        return commit.sha.prefix(12) + (commit.isDirty ? " with changes" : "")
    }
}

/// HTML or SVG text in which every interpolated string is escaped.
///
/// ```swift
/// let row: Markup = "<td>\("a<b")</td>"
/// print(row.text)  // <td>a&lt;b</td>
/// ```
/// Literals are used unchanged. An interpolated `String` is escaped. Interpolated markup is not escaped again. A name
/// can therefore reach a page unescaped only through ``init(trusted:)``.
struct Markup: ExpressibleByStringInterpolation, Equatable {
    private(set) var text: String

    /// Creates markup from text that this code has produced: a style sheet, a script, a number.
    init(trusted text: String) { self.text = text }
    init(stringLiteral value: String) { text = value }
    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    static let empty = Markup(trusted: "")

    var isEmpty: Bool { text.isEmpty }

    static func + (left: Markup, right: Markup) -> Markup { Markup(trusted: left.text + right.text) }
    static func += (left: inout Markup, right: Markup) { left.text += right.text }

    struct StringInterpolation: StringInterpolationProtocol {
        var text = ""
        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }
        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ value: String) { text += Markup.escape(value) }
        mutating func appendInterpolation(_ value: Int) { text += "\(value)" }
        mutating func appendInterpolation(_ value: Markup) { text += value.text }
    }

    /// Returns `text` escaped for use between tags and in a quoted attribute. Control characters, which HTML forbids,
    /// become U+FFFD.
    static func escape(_ text: String) -> String {
        guard text.utf8.contains(where: isSpecial) else { return text }
        var escaped = ""
        escaped.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case "\n", "\t": escaped.unicodeScalars.append(scalar)
            case _ where scalar.value < 32 || scalar.value == 127: escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0..<32,
            127:
            true
        default: false
        }
    }
}

extension Markup {
    /// Returns a chart with its title and a caption that explains its lines.
    static func figure(_ title: Markup, _ chart: Markup, _ caption: Markup) -> Markup {
        "<figure><b>\(title)</b>\(chart)<figcaption>\(caption)</figcaption></figure>"
    }
}

extension Sequence<Markup> {
    /// The concatenation of all parts.
    var joined: Markup { Markup(trusted: map(\.text).joined()) }
}

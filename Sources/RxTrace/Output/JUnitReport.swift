/// JUnit's XML, which every CI shows: a test case for each round trip.
///
/// A leak is a failure, a round trip that is inconclusive or not judged an error, an allowed leak is skipped.
public struct JUnitReport: LeakFormat {
    /// `junit`.
    public let name = "junit"
    /// The readers of the format.
    public let readers = "Jenkins, GitLab, and what else shows tests"

    /// The format.
    public init() {}

    /// One suite, called `leaks`.
    public func text(of document: LeakDocument) -> String {
        let records = document.scenarios
        func count(_ outcomes: Set<GrowthReport.Outcome>) -> Int { records.count { outcomes.contains($0.outcome) } }
        let counts = """
            tests=\"\(records.count)\" failures=\"\(count([.found]))\" \
            errors=\"\(count([.failed, .inconclusive, .notJudged]))\"
            """
        let skipped = "skipped=\"\(count([.allowed]))\""
        let time = "time=\"\(Self.seconds(records.reduce(0) { $0 + ($1.seconds ?? 0) }))\""
        let cases = records.map(Self.testCase).joined()
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="leaks" \(counts) \(time)>
              <testsuite name="leaks" \(counts) \(skipped) \(time)>
            \(cases)\(Self.staleNote(document))  </testsuite>
            </testsuites>

            """
    }

    private static func testCase(_ record: GrowthReport) -> String {
        let parts = record.name.split(separator: "/", maxSplits: 1)
        let (group, name) = parts.count == 2 ? (String(parts[0]), String(parts[1])) : ("leaks", record.name)
        let opening = """
                <testcase classname=\"\(XML.attribute(group))\" name=\"\(XML.attribute(name))\" \
            time=\"\(seconds(record.seconds ?? 0))\"
            """
        guard let element = element(for: record) else { return opening + "/>\n" }
        return "\(opening)>\n\(element)    </testcase>\n"
    }

    private static func element(for record: GrowthReport) -> String? {
        func element(_ tag: String, _ type: String, _ message: String) -> String {
            let text = XML.text(LeakTree().text(of: record))
            return "      <\(tag) message=\"\(XML.attribute(message))\" type=\"\(type)\">\(text)</\(tag)>\n"
        }
        switch record.outcome {
        case .clean: return nil
        case .found: return element("failure", "leak", record.leaks.map(\.headline).joined(separator: "; "))
        case .inconclusive: return element("error", "inconclusive", record.whyInconclusive)
        case .notJudged: return element("error", "not judged", record.notLookedAt)
        case .failed: return element("error", "failed", record.failure ?? "")
        case .allowed:
            let reasons = record.groups.compactMap { group in
                group.allowance.map { "\(group.title) may leak until \($0.until): \($0.reason)" }
            }
            return "      <skipped message=\"\(XML.attribute(reasons.joined(separator: "; ")))\"/>\n"
        }
    }

    private static func staleNote(_ document: LeakDocument) -> String {
        guard !document.staleAllowances.isEmpty else { return "" }
        let notes = document.staleAllowances.map { "stale allowance: \($0)" }.joined(separator: "\n")
        return "    <system-err>\(XML.text(notes))</system-err>\n"
    }

    /// Thousandths of a second, without an exponent.
    private static func seconds(_ seconds: Double) -> String {
        let thousandths = Int((seconds * 1_000).rounded())
        return "\(thousandths / 1_000)." + String(String(1_000 + thousandths % 1_000).dropFirst())
    }
}

/// Text as XML 1.0 has it.
package enum XML {
    /// The content of an element.
    package static func text(_ text: String) -> String { escaped(text, quotes: false) }
    /// The value of an attribute in double quotation marks.
    package static func attribute(_ text: String) -> String { escaped(text, quotes: true) }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"" where quotes: escaped += "&quot;"
            case "\n" where quotes: escaped += "&#10;"
            case "\n", "\t": escaped.unicodeScalars.append(scalar)
            // XML 1.0 has no place for other control characters, escaped or not, nor for these two.
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

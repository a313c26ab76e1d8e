/// A suite of checks in JUnit's XML.
///
/// The form that CI systems read: `testsuites`, `testsuite`, `testcase`, and in a case `failure`, `error` or `skipped`.
package struct JUnitSuite {
    /// One check.
    package struct Case {
        /// The outcome of a check.
        package enum Result {
            case passed
            /// The check found something. The type is a word for it: `leak`.
            case failed(type: String, message: String, details: String)
            /// The check has no verdict. The type is a word for the reason: `inconclusive`.
            case noVerdict(type: String, message: String, details: String)
            /// The check found something that is allowed.
            case allowed(message: String)
        }

        let group: String
        let name: String
        let seconds: Double
        let result: Result

        /// Creates a check that took this number of seconds.
        package init(group: String, name: String, seconds: Double, result: Result) {
            self.group = group
            self.name = name
            self.seconds = seconds
            self.result = result
        }
    }

    private let name: String
    private let cases: [Case]
    private let notes: [String]

    /// Creates a suite with notes for its reader.
    package init(name: String, cases: [Case], notes: [String] = []) {
        self.name = name
        self.cases = cases
        self.notes = notes
    }

    /// The whole file.
    package var text: String {
        let failures = cases.count { if case .failed = $0.result { true } else { false } }
        let errors = cases.count { if case .noVerdict = $0.result { true } else { false } }
        let skipped = cases.count { if case .allowed = $0.result { true } else { false } }
        let name = XML.attribute(name)
        let counts = "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
        let time = "time=\"\(Self.text(seconds: cases.reduce(0) { $0 + $1.seconds }))\""
        let notes =
            notes.isEmpty ? "" : "    <system-err>\(XML.text(notes.joined(separator: "\n")))</system-err>\n"
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="\(name)" \(counts) \(time)>
              <testsuite name="\(name)" \(counts) skipped="\(skipped)" \(time)>
            \(cases.map(Self.text).joined())\(notes)  </testsuite>
            </testsuites>

            """
    }

    private static func text(of check: Case) -> String {
        let opening = """
                <testcase classname="\(XML.attribute(check.group))" name="\(XML.attribute(check.name))" \
            time="\(text(seconds: check.seconds))"
            """
        func closed(_ element: String) -> String { "\(opening)>\n      \(element)\n    </testcase>\n" }
        func element(_ tag: String, _ type: String, _ message: String, _ details: String) -> String {
            let attributes = "message=\"\(XML.attribute(message))\" type=\"\(XML.attribute(type))\""
            return closed("<\(tag) \(attributes)>\(XML.text(details))</\(tag)>")
        }
        return switch check.result {
        case .passed: opening + "/>\n"
        case .failed(let type, let message, let details): element("failure", type, message, details)
        case .noVerdict(let type, let message, let details): element("error", type, message, details)
        case .allowed(let message): closed("<skipped message=\"\(XML.attribute(message))\"/>")
        }
    }

    /// Thousandths of a second, without an exponent.
    private static func text(seconds: Double) -> String {
        let thousandths = Int((seconds * 1_000).rounded())
        return "\(thousandths / 1_000)." + String(String(1_000 + thousandths % 1_000).dropFirst())
    }
}

/// Escapes text for XML 1.0.
private enum XML {
    /// The content of an element.
    static func text(_ text: String) -> String { escaped(text, quotes: false) }
    /// The value of an attribute in double quotation marks.
    static func attribute(_ text: String) -> String { escaped(text, quotes: true) }

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
            // XML 1.0 forbids other control characters and these two characters, even if they are escaped.
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

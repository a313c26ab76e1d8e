/// HTML or SVG in which every text that was put in is escaped.
///
/// ```swift
/// let row: Markup = "<td>\("a<b")</td>"
/// print(row.text)  // <td>a&lt;b</td>
/// ```
/// Literals are taken as they are written; an interpolated `String` is escaped; interpolated markup is not escaped
/// again. So a name can reach a page unescaped only through ``init(trusted:)``.
struct Markup: ExpressibleByStringInterpolation, Equatable {
    private(set) var text: String

    /// Markup of our own making: a style sheet, a script, a number.
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

    /// `text` as it may stand between tags and in a quoted attribute. Control characters, which HTML forbids, become
    /// U+FFFD.
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
    /// A chart with its title and a caption that explains its lines.
    static func figure(_ title: Markup, _ chart: Markup, _ caption: Markup) -> Markup {
        "<figure><b>\(title)</b>\(chart)<figcaption>\(caption)</figcaption></figure>"
    }
}

extension Sequence<Markup> {
    /// All parts, one after the other.
    var joined: Markup { Markup(trusted: map(\.text).joined()) }
}

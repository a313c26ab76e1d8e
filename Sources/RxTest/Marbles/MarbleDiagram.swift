/// A syntax error in a marble diagram.
public struct MarbleSyntaxError: Error, Hashable, CustomStringConvertible {
    /// The text of the diagram.
    public let text: String
    /// The column of the fault. The first character has column 1. Spaces count.
    public let column: Int
    /// The problem, worded as the end of a sentence.
    let problem: String

    /// A sentence that names the column and the problem.
    public var description: String { "Column \(column) of the marbles '\(text)' \(problem)." }
}

/// Reads a diagram character by character.
struct MarbleReader {
    /// The kind of contents of a diagram.
    enum Content {
        case events
        case subscription
    }

    private let text: String
    private let content: Content
    private let scalars: String.UnicodeScalarView
    private var position: String.Index
    private var column = 1
    private var time = MarbleTime()
    private var marks: [TimedMark] = []
    /// The column at which the current group opened, and the number of marks at that point.
    private var group: (column: Int, count: Int)?

    init(_ text: String, for content: Content) {
        self.text = text
        self.content = content
        scalars = text.unicodeScalars
        position = scalars.startIndex
    }

    /// The characters that cannot be the name of a value, because they have another meaning.
    static let reserved = Set("-(){}<>|#^! \t\n".unicodeScalars)

    consuming func read() throws(MarbleSyntaxError) -> [TimedMark] {
        while position < scalars.endIndex { try readNext() }
        if let group { throw error(at: group.column, "opens a group that is not closed: add a ')'") }
        return marks
    }

    private mutating func readNext() throws(MarbleSyntaxError) {
        let start = column
        switch scalars[position] {
        case " ", "\t", "\n": advance()
        case "-":
            if group != nil {
                throw error(at: start, "has a '-' in a group, whose marks share one tick: close the group first")
            }
            advance()
            time.ticks += 1
        case "(": try openGroup()
        case ")": try closeGroup()
        case "<": try readWait()
        case ">", "}":
            throw error(
                at: start, "has a '\(scalars[position])' that closes nothing: write it in braces if it names a value")
        case "|": try add(.completed, only: .events)
        case "#": try add(.error, only: .events)
        case "^":
            if marks.contains(where: { $0.mark == .subscribe }) {
                throw error(at: start, "has a second '^': one moment of subscription is enough")
            }
            if group != nil, content == .events {
                throw error(at: start, "has a '^' in a group: put it before the group")
            }
            try add(.subscribe)
        case "!": try add(.unsubscribe, only: .subscription)
        case "{": try add(.next(try readName()), at: start, only: .events, advances: false)
        default: try add(.next(readCharacter()), at: start, only: .events, advances: false)
        }
    }

    private mutating func add(
        _ mark: Mark, at start: Int? = nil, only allowed: Content? = nil, advances: Bool = true
    ) throws(MarbleSyntaxError) {
        let start = start ?? column
        if let allowed, allowed != content {
            throw error(
                at: start,
                content == .events
                    ? "has a '!', which ends a subscription: among events it has no place"
                    : "has an event: a subscription has only '^' and '!'")
        }
        if mark == .unsubscribe,
            !marks.contains(where: { $0.mark == .subscribe }) || marks.contains(where: { $0.mark == .unsubscribe })
        {
            throw error(at: start, "has a '!' that ends nothing: it follows one '^'")
        }
        if advances { advance() }
        marks.append(TimedMark(time: time, mark: mark, column: start))
        if group == nil { time.ticks += 1 }
    }

    private mutating func openGroup() throws(MarbleSyntaxError) {
        if group != nil { throw error(at: column, "opens a group inside a group: close the first one before") }
        group = (column, marks.count)
        advance()
    }

    private mutating func closeGroup() throws(MarbleSyntaxError) {
        guard let group else { throw error(at: column, "closes a group that was not opened: add a '('") }
        if group.count == marks.count {
            throw error(
                at: group.column, "opens a group with nothing in it: write '-' for a tick in which nothing happens")
        }
        self.group = nil
        time.ticks += 1
        advance()
    }

    /// Reads a wait such as `<25>`.
    private mutating func readWait() throws(MarbleSyntaxError) {
        let start = column
        if group != nil {
            throw error(at: start, "has a '<' in a group, whose marks share one tick: close the group first")
        }
        advance()
        var digits = ""
        while position < scalars.endIndex, scalars[position] != ">" { digits.unicodeScalars.append(advance()) }
        guard position < scalars.endIndex else { throw error(at: start, "opens a '<' that is not closed: add a '>'") }
        advance()
        guard let units = Int(digits) else {
            throw error(at: start, "has '<\(digits)>', and '\(digits)' is no whole number of time units")
        }
        time.units += units
    }

    /// Reads a name such as `{name}`.
    private mutating func readName() throws(MarbleSyntaxError) -> String {
        let start = column
        advance()
        var name = ""
        while position < scalars.endIndex, scalars[position] != "}" {
            if scalars[position] == "\\" { advance() }
            if position < scalars.endIndex { name.unicodeScalars.append(advance()) }
        }
        guard position < scalars.endIndex else { throw error(at: start, "opens a name that is not closed: add a '}'") }
        advance()
        return name
    }

    /// Reads one character as the user perceives it. It may consist of several scalars.
    private mutating func readCharacter() -> String {
        let end = text.index(after: position)
        var name = ""
        repeat {
            name.unicodeScalars.append(scalars[position])
            scalars.formIndex(after: &position)
        } while position < end
        column += 1
        return name
    }

    @discardableResult
    private mutating func advance() -> Unicode.Scalar {
        let scalar = scalars[position]
        scalars.formIndex(after: &position)
        column += 1
        return scalar
    }

    private func error(at column: Int, _ problem: String) -> MarbleSyntaxError {
        MarbleSyntaxError(text: text, column: column, problem: problem)
    }
}

/// Writes a diagram from which the reader reads the same marks at the same times.
enum MarbleWriter {
    /// The maximum wait, in ticks, that is written as dashes. A longer wait is written as a number.
    private static let longestDashes = 60

    /// - Parameter marks: the marks with their offsets from the beginning in units, in order of time.
    static func text(of marks: [(offset: Int, mark: Mark)], tick: Int) -> String {
        var text = ""
        var cursor = 0
        var rest = marks[...]
        while let first = rest.first {
            let group = rest.prefix { $0.offset == first.offset }
            rest = rest.dropFirst(group.count)
            text += wait(first.offset - cursor, tick: tick) + cell(group.map(\.mark))
            cursor = first.offset + tick
        }
        return text
    }

    /// Returns the text of a wait of `units` units.
    static func wait(_ units: Int, tick: Int) -> String {
        guard units != 0 else { return "" }
        let isDashes = units > 0 && units.isMultiple(of: tick) && units / tick <= longestDashes
        return isDashes ? String(repeating: "-", count: units / tick) : "<\(units)>"
    }

    /// Returns the text of all events at one time.
    static func cell(_ marks: [Mark]) -> String {
        let text = marks.map(self.text).joined()
        return marks.count == 1 ? text : "(\(text))"
    }

    private static func text(of mark: Mark) -> String {
        switch mark {
        case .next(let name): self.text(ofName: name)
        case .completed: "|"
        case .error: "#"
        case .subscribe: "^"
        case .unsubscribe: "!"
        }
    }

    private static func text(ofName name: String) -> String {
        if let scalar = name.unicodeScalars.first, name.unicodeScalars.count == 1, standsAlone(scalar) { return name }
        var text = "{"
        for scalar in name.unicodeScalars {
            if scalar == "}" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
        return text + "}"
    }

    /// Returns whether a character can be a name without braces. It must have no other meaning, and must not combine
    /// with an adjacent character. Letters outside Latin, Greek and Cyrillic are read without braces but written with
    /// braces, because some scripts join their letters.
    private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar.value > 0x20 && scalar.value < 0x7f && !MarbleReader.reserved.contains(scalar)
        }
        return scalar.properties.isAlphabetic && !scalar.properties.isGraphemeExtend && scalar.value < 0x530
            && !(0x300..<0x370 ~= scalar.value)
    }
}

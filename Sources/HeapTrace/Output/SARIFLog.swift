/// A SARIF 2.1.0 log with one run and one rule.
///
/// After OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0" (2020).
package struct SARIFLog {
    /// The common part of all results.
    package struct Rule {
        let id: String
        let name: String
        let description: String
        let help: String

        /// A rule. `help` describes what to do about its results.
        package init(id: String, name: String, description: String, help: String) {
            self.id = id
            self.name = name
            self.description = description
            self.help = help
        }
    }

    /// A text, and the line of code that it is about.
    package struct Location {
        let text: String
        let file: String?
        let line: Int?

        /// Creates a location. Lines are counted from 1.
        package init(_ text: String, file: String?, line: Int?) {
            self.text = text
            self.file = file
            self.line = line
        }
    }

    /// One finding.
    package struct Result {
        /// The finding in a sentence.
        let message: String
        /// The check and its subject, with slashes between the parts.
        let logicalName: (full: String, short: String)
        /// The line to look at.
        let place: (file: String, line: Int?)?
        /// A text that stays the same when lines move, with the name of its form.
        let fingerprint: (form: String, text: String)?
        /// Calls, each list with its title.
        package var stacks: [(title: String, frames: [Location])] = []
        /// The steps that lead to the fault, by thread.
        package var flow: (title: String, threads: [[Location]])?
        /// The reason why the finding is allowed; `nil` if it is not allowed.
        package var suppression: String?

        /// Creates a finding without calls.
        package init(
            message: String, logicalName: (full: String, short: String), place: (file: String, line: Int?)?,
            fingerprint: (form: String, text: String)?
        ) {
            self.message = message
            self.logicalName = logicalName
            self.place = place
            self.fingerprint = fingerprint
        }
    }

    /// A reason why a check has no verdict, or a note for its reader.
    package enum Notification {
        case error(String)
        case warning(String)

        fileprivate var isError: Bool { if case .error = self { true } else { false } }

        fileprivate var json: JSONValue {
            let (level, text) =
                switch self {
                case .error(let text): ("error", text)
                case .warning(let text): ("warning", text)
                }
            return ["level": .init(level), "message": ["text": .init(text)]]
        }
    }

    private let tool: String
    private let rule: Rule
    private let results: [Result]
    private let notifications: [Notification]
    private let sourceRoot: String?

    /// - Parameter sourceRoot: the folder of the repository; paths below it are written relative to it.
    package init(
        tool: String, rule: Rule, results: [Result], notifications: [Notification], sourceRoot: String?
    ) {
        self.tool = tool
        self.rule = rule
        self.results = results
        self.notifications = notifications
        var root = sourceRoot
        while root?.hasSuffix("/") == true { root?.removeLast() }
        self.sourceRoot = root
    }

    /// The whole file.
    package var text: String {
        let rule: JSONValue = [
            "id": .init(rule.id), "name": .init(rule.name), "shortDescription": ["text": .init(rule.description)],
            "help": ["text": .init(rule.help)], "defaultConfiguration": ["level": "error"],
        ]
        let invocation: JSONValue = [
            "executionSuccessful": .init(!notifications.contains(where: \.isError)),
            "toolExecutionNotifications": .init(notifications.map(\.json)),
        ]
        let run: JSONValue = [
            "tool": ["driver": ["name": .init(tool), "rules": [rule]]], "columnKind": "unicodeCodePoints",
            "invocations": [invocation], "results": .init(results.map(json)),
        ]
        return JSONValue.text(
            of: [
                "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run],
            ] as JSONValue)
    }

    private func json(_ result: Result) -> JSONValue {
        var location: [String: JSONValue] = [
            "logicalLocations": [
                ["fullyQualifiedName": .init(result.logicalName.full), "name": .init(result.logicalName.short)]
            ]
        ]
        location["physicalLocation"] = result.place.map { physicalLocation(file: $0.file, line: $0.line) }
        var json: [String: JSONValue] = [
            "ruleId": .init(rule.id), "ruleIndex": 0, "level": "error", "message": ["text": .init(result.message)],
            "locations": [.init(location)],
        ]
        if let fingerprint = result.fingerprint {
            json["partialFingerprints"] = .init([fingerprint.form: JSONValue(fingerprint.text)])
        }
        if !result.stacks.isEmpty {
            json["stacks"] = .init(
                result.stacks.map { stack in
                    let frames = stack.frames.map { ["location": self.json($0)] as JSONValue }
                    return ["message": ["text": .init(stack.title)], "frames": .init(frames)] as JSONValue
                })
        }
        if let flow = result.flow {
            let threads = flow.threads.map { steps in
                ["locations": .init(steps.map { ["location": self.json($0)] as JSONValue })] as JSONValue
            }
            json["codeFlows"] = [["message": ["text": .init(flow.title)], "threadFlows": .init(threads)]]
        }
        if let suppression = result.suppression {
            json["suppressions"] = [["kind": "external", "justification": .init(suppression)]]
        }
        return .init(json)
    }

    private func json(_ location: Location) -> JSONValue {
        var json: [String: JSONValue] = ["message": ["text": .init(location.text)]]
        if let file = location.file { json["physicalLocation"] = physicalLocation(file: file, line: location.line) }
        return .init(json)
    }

    private func physicalLocation(file: String, line: Int?) -> JSONValue {
        var location: [String: JSONValue] = ["artifactLocation": artifact(file)]
        if let line, line > 0 { location["region"] = ["startLine": .init(line)] }
        return .init(location)
    }

    private func artifact(_ file: String) -> JSONValue {
        if let sourceRoot, file.hasPrefix(sourceRoot + "/") {
            return ["uri": .init(Self.uri(file.dropFirst(sourceRoot.count + 1))), "uriBaseId": "%SRCROOT%"]
        }
        return ["uri": .init(file.hasPrefix("/") ? "file://" + Self.uri(file[...]) : Self.uri(file[...]))]
    }

    /// A path with all but the unreserved characters of RFC 3986, section 2.3, and slashes escaped.
    private static func uri(_ path: Substring) -> String {
        path.utf8.reduce(into: "") { uri, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                uri.unicodeScalars.append(Unicode.Scalar(byte))
            default: uri += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

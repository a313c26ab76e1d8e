/// SARIF 2.1.0, the format of static analysis results: each leak at the line to look at, for code scanning and editors.
///
/// After OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0" (2020). The signature is a partial
/// fingerprint, so that a leak stays the same one when lines move; what may leak is suppressed, with the reason.
public struct SARIFReport: LeakFormat {
    /// `sarif`.
    public let name = "sarif"
    /// The readers of the format.
    public let readers = "GitHub's code scanning, editors"
    /// The folder that paths are written relative to, without a slash at its end; `nil` leaves them as they are.
    private let sourceRoot: String?

    /// The format.
    ///
    /// - Parameter sourceRoot: the folder of the repository; paths below it are written relative to it.
    public init(sourceRoot: String? = nil) {
        var root = sourceRoot
        while root?.hasSuffix("/") == true { root?.removeLast() }
        self.sourceRoot = root
    }

    /// One run with a result for each group that grows.
    public func text(of document: LeakDocument) -> String {
        let results = document.scenarios.flatMap { record in
            record.groups.filter(\.verdict.isGrowing).map { result(for: $0, in: record) }
        }
        let troubles =
            document.scenarios.compactMap(Self.trouble)
            + document.staleAllowances.map { ("warning", "stale allowance: \($0)") }
        let notifications = troubles.map { level, text in
            ["level": .text(level), "message": ["text": .text(text)]] as JSONValue
        }
        let rule: JSONValue = [
            "id": "leak", "name": "Leak",
            "shortDescription": ["text": "Repeated round trips leave more and more behind."],
            "help": ["text": "Break the chain of references that the result names, or dispose what it holds."],
            "defaultConfiguration": ["level": "error"],
        ]
        return JSONValue.text(
            of: [
                "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
                "runs": [
                    [
                        "tool": ["driver": ["name": "RxTrace", "rules": [rule]]], "columnKind": "unicodeCodePoints",
                        "invocations": [
                            [
                                "executionSuccessful": .flag(!troubles.contains { $0.0 == "error" }),
                                "toolExecutionNotifications": .list(notifications),
                            ]
                        ],
                        "results": .list(results),
                    ]
                ],
            ] as JSONValue)
    }

    private static func trouble(with record: GrowthReport) -> (String, String)? {
        switch record.outcome {
        case .failed: ("error", "\(record.name): \(record.failure ?? "failed")")
        case .undecided: ("warning", "\(record.name): something had not come to rest after the last run")
        case .unavailable: ("error", "\(record.name): \(record.unavailable.map(\.reason).joined(separator: "; "))")
        case .clean, .leaking, .allowed: nil
        }
    }

    private func result(for group: GrowthGroup, in record: GrowthReport) -> JSONValue {
        var location: [String: JSONValue] = [
            "logicalLocations": [
                ["fullyQualifiedName": .text("\(record.name)/\(group.title)"), "name": .text(group.title)]
            ]
        ]
        location["physicalLocation"] = group.sourceLine.map { physicalLocation(file: $0.file, line: $0.line) }
        var result: [String: JSONValue] = [
            "ruleId": "leak", "ruleIndex": 0, "level": "error",
            "message": ["text": .text("\(record.name): \(group.headline)")],
            "partialFingerprints": ["leakSignature/v1": .text(group.signature)], "locations": [.object(location)],
        ]
        if let frames = group.creationStack?.frames, !frames.isEmpty {
            result["stacks"] = [stack("made at", frames.map(frame))]
        }
        if let retention = group.retention {
            result["codeFlows"] = [
                [
                    "message": ["text": .text("held by")],
                    "threadFlows": [["locations": .list(retention.steps.map(step))]],
                ]
            ]
        }
        if let allowance = group.allowance {
            result["suppressions"] = [
                ["kind": "external", "justification": .text("\(allowance.reason) (until \(allowance.until))")]
            ]
        }
        return .object(result)
    }

    private func stack(_ title: String, _ frames: [JSONValue]) -> JSONValue {
        ["message": ["text": .text(title)], "frames": .list(frames)]
    }

    private func frame(_ frame: StackFrame) -> JSONValue {
        ["location": location(frame.description, file: frame.file, line: frame.line)]
    }

    private func step(_ step: RetentionStep) -> JSONValue {
        ["location": location(step.description, file: step.file, line: step.line)]
    }

    private func location(_ text: String, file: String?, line: Int?) -> JSONValue {
        var location: [String: JSONValue] = ["message": ["text": .text(text)]]
        if let file { location["physicalLocation"] = physicalLocation(file: file, line: line) }
        return .object(location)
    }

    private func physicalLocation(file: String, line: Int?) -> JSONValue {
        var location: [String: JSONValue] = ["artifactLocation": artifact(file)]
        if let line, line > 0 { location["region"] = ["startLine": .integer(line)] }
        return .object(location)
    }

    private func artifact(_ file: String) -> JSONValue {
        if let sourceRoot, file.hasPrefix(sourceRoot + "/") {
            return ["uri": .text(Self.uri(file.dropFirst(sourceRoot.count + 1))), "uriBaseId": "%SRCROOT%"]
        }
        return ["uri": .text(file.hasPrefix("/") ? "file://" + Self.uri(file[...]) : Self.uri(file[...]))]
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

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
            ["level": .init(level), "message": ["text": .init(text)]] as JSONValue
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
                                "executionSuccessful": .init(!troubles.contains { $0.0 == "error" }),
                                "toolExecutionNotifications": .init(notifications),
                            ]
                        ],
                        "results": .init(results),
                    ]
                ],
            ] as JSONValue)
    }

    private static func trouble(with record: GrowthReport) -> (String, String)? {
        switch record.outcome {
        case .failed: ("error", "\(record.name): \(record.failure ?? "failed")")
        case .inconclusive: ("warning", "\(record.name): inconclusive: \(record.whyInconclusive)")
        case .notJudged: ("error", "\(record.name): not judged: \(record.notLookedAt)")
        case .clean, .found, .allowed: nil
        }
    }

    private func result(for group: GrowthGroup, in record: GrowthReport) -> JSONValue {
        var location: [String: JSONValue] = [
            "logicalLocations": [
                ["fullyQualifiedName": .init("\(record.name)/\(group.title)"), "name": .init(group.title)]
            ]
        ]
        location["physicalLocation"] = group.sourceLine.map { physicalLocation(file: $0.file, line: $0.line) }
        var result: [String: JSONValue] = [
            "ruleId": "leak", "ruleIndex": 0, "level": "error",
            "message": ["text": .init("\(record.name): \(group.headline)")],
            "locations": [.init(location)],
        ]
        if let signature = group.signature { result["partialFingerprints"] = ["leakSignature/v1": .init(signature)] }
        if let frames = group.creationStack?.frames, !frames.isEmpty {
            result["stacks"] = [stack("made at", frames.map(frame))]
        }
        if let retention = group.retention {
            result["codeFlows"] = [
                ["message": ["text": "held by"], "threadFlows": [["locations": .init(retention.steps.map(step))]]]
            ]
        }
        if let allowance = group.allowance {
            result["suppressions"] = [
                ["kind": "external", "justification": .init("\(allowance.reason) (until \(allowance.until))")]
            ]
        }
        return .init(result)
    }

    private func stack(_ title: String, _ frames: [JSONValue]) -> JSONValue {
        ["message": ["text": .init(title)], "frames": .init(frames)]
    }

    private func frame(_ frame: StackFrame) -> JSONValue {
        ["location": location(frame.description, file: frame.file, line: frame.line)]
    }

    private func step(_ step: RetentionStep) -> JSONValue {
        ["location": location(step.description, file: step.file, line: step.line)]
    }

    private func location(_ text: String, file: String?, line: Int?) -> JSONValue {
        var location: [String: JSONValue] = ["message": ["text": .init(text)]]
        if let file { location["physicalLocation"] = physicalLocation(file: file, line: line) }
        return .init(location)
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

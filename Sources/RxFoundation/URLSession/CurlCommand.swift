import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The `curl` command that repeats a request, its credentials masked.
struct CurlCommand {
    /// The request's method: GET if it names none.
    let method: String
    /// The request's URL, masked.
    let url: String
    /// The command, as a shell takes it: one line, unless the body has several.
    let text: String

    init(_ request: URLRequest) {
        method = request.httpMethod ?? "GET"
        url = request.url.map(Credentials.masked) ?? ""
        var parts = ["curl"]
        // With '-X HEAD' curl would wait for a body.
        parts.append(method == "HEAD" ? "--head" : "-X \(Self.quoted(method))")
        // Brackets and braces are part of an address, not patterns.
        if url.contains(where: { "[]{}".contains($0) }) { parts.append("--globoff") }
        parts.append(Self.quoted(url))
        for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            // 'Name:' would tell curl to leave the header out; 'Name;' sends it empty.
            let header = value.isEmpty ? "\(name);" : "\(name): \(Credentials.masked(header: name, value: value))"
            parts.append("-H \(Self.quoted(header))")
        }
        parts += Self.body(of: request)
        text = parts.joined(separator: " ")
    }

    /// The arguments for the body. One that is not shown is to be put into a file; a comment says so.
    private static func body(of request: URLRequest) -> [String] {
        if request.httpBodyStream != nil { return ["--data-binary @body  # The body is a stream, which is not shown."] }
        guard let body = request.httpBody, !body.isEmpty else { return [] }
        let type = request.value(forHTTPHeaderField: "Content-Type")?.lowercased() ?? ""
        guard let shown = shown(body, ofType: type) else {
            return ["--data-binary @body  # The body of \(body.count.bytes) is not shown."]
        }
        // '--data-raw' and not '--data-binary', for which an '@' at the beginning names a file.
        return ["--data-raw \(quoted(shown))"]
    }

    /// The body with its credentials masked; `nil` where they could not be told from the rest, or where it is not plain
    /// text.
    private static func shown(_ body: Data, ofType type: String) -> String? {
        guard let text = String(data: body, encoding: .utf8), !text.unicodeScalars.contains(where: isControl) else {
            return nil
        }
        if type.contains("json") { return Credentials.masked(json: text) }
        return type.contains("x-www-form-urlencoded") ? Credentials.masked(form: text) : nil
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t" && scalar != "\r"
    }

    /// The text as one word of a POSIX shell: between single quotes nothing has a meaning but the quote itself.
    static func quoted(_ text: String) -> String { "'" + text.replacingOccurrences(of: "'", with: #"'\''"#) + "'" }
}

extension Int {
    /// So many bytes, in words: `1 byte`, `5 bytes`.
    var bytes: String { self == 1 ? "1 byte" : "\(self) bytes" }
}

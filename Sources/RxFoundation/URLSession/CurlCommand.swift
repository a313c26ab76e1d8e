import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The `curl` command that repeats a request, with masked credentials.
struct CurlCommand {
    /// The method of the request. GET if the request does not specify one.
    let method: String
    /// The masked URL of the request.
    let url: String
    /// The command for a shell. It is one line, unless the body has several lines.
    let text: String

    init(_ request: URLRequest) {
        method = request.httpMethod ?? "GET"
        url = request.url.map(Credentials.masked) ?? ""
        var parts = ["curl"]
        // With '-X HEAD', curl would wait for a body.
        parts.append(method == "HEAD" ? "--head" : "-X \(Self.quoted(method))")
        // Brackets and braces are part of the URL, not patterns.
        if url.contains(where: { "[]{}".contains($0) }) { parts.append("--globoff") }
        parts.append(Self.quoted(url))
        for (name, value) in (request.allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            // 'Name:' would make curl omit the header. 'Name;' sends it with an empty value.
            let header = value.isEmpty ? "\(name);" : "\(name): \(Credentials.masked(header: name, value: value))"
            parts.append("-H \(Self.quoted(header))")
        }
        parts += Self.body(of: request)
        text = parts.joined(separator: " ")
    }

    /// Returns the arguments for the body. A body that is not shown must be saved to a file. A comment in the command
    /// says this.
    private static func body(of request: URLRequest) -> [String] {
        if request.httpBodyStream != nil { return ["--data-binary @body  # The body is a stream, which is not shown."] }
        guard let body = request.httpBody, !body.isEmpty else { return [] }
        let type = request.value(forHTTPHeaderField: "Content-Type")?.lowercased() ?? ""
        guard let shown = shown(body, ofType: type) else {
            return ["--data-binary @body  # The body of \(body.count.bytes) is not shown."]
        }
        // '--data-raw', because '--data-binary' would interpret an '@' at the beginning as a file name.
        return ["--data-raw \(quoted(shown))"]
    }

    /// Returns the body with masked credentials. Returns `nil` if the credentials cannot be identified, or if the body
    /// is not plain text.
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

    /// Quotes the text as one word of a POSIX shell. Between single quotes, only the single quote has a special
    /// meaning.
    static func quoted(_ text: String) -> String { "'" + text.replacingOccurrences(of: "'", with: #"'\''"#) + "'" }
}

extension Int {
    /// A text such as `1 byte` or `5 bytes`.
    var bytes: String { self == 1 ? "1 byte" : "\(self) bytes" }
}

/// Identifies credentials by their names and masks them.
///
/// It prefers to mask too much: a request can also be repeated without its `Idempotency-Key`.
enum Credentials {
    /// The replacement for a credential.
    static let mask = "***"

    /// Substrings that indicate a credential anywhere in a name. The separators of the name are removed first.
    private static let fragments = [
        "authoriz", "authenticat", "cookie", "token", "secret", "password", "passwd", "passphrase", "credential",
        "session", "signature", "apikey", "accesskey", "privatekey", "authkey",
    ]
    /// Words that indicate a credential only as a whole word of a name, because they are too short for a substring
    /// match.
    private static let words: Set<Substring> = [
        "auth", "key", "pass", "pwd", "sig", "sid", "jwt", "csrf", "xsrf", "otp", "pin", "code", "assertion",
    ]

    /// The words at the beginning of a header value that indicate a credential, regardless of the header name.
    private static let schemes: Set<String> = ["basic", "bearer", "digest", "negotiate", "ntlm", "hmac"]

    /// Returns whether a header, a query field, a form field or a JSON member with this name is a credential. Ignores
    /// case.
    static func areNamed(_ name: some StringProtocol) -> Bool {
        let parts = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        if parts.contains(where: words.contains) { return true }
        let squashed = parts.joined()
        return fragments.contains { squashed.contains($0) }
    }

    /// Returns the header value with credentials masked. A URL in it is masked as a URL.
    static func masked(header name: String, value: String) -> String {
        if areNamed(name) || schemes.contains(value.prefix { $0 != " " }.lowercased()) { return mask }
        guard value.lowercased().hasPrefix("http"), let url = URL(string: value) else { return value }
        return masked(url)
    }

    /// Returns the URL without its password and fragment, and with its user and query masked.
    static func masked(_ url: URL) -> String {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return mask }
        if components.user != nil || components.password != nil {
            components.percentEncodedPassword = nil
            components.percentEncodedUser = mask
        }
        components.percentEncodedQuery = components.percentEncodedQuery.map(masked(form:))
        components.fragment = nil  // Only the client uses it: it is never sent to a server.
        return components.string ?? mask
    }

    /// Returns a query or form such as `a=1&b=2` with credentials masked.
    static func masked(form: String) -> String {
        let fields = form.split(separator: "&", omittingEmptySubsequences: false).map { field in
            guard let equals = field.firstIndex(of: "=") else { return String(field) }
            let name = field[..<equals]
            return areNamed(name.removingPercentEncoding ?? String(name)) ? "\(name)=\(mask)" : String(field)
        }
        return fields.joined(separator: "&")
    }

    /// Returns JSON with credentials masked, or `nil` if the text is not JSON. If it contains no credential, returns it
    /// unchanged.
    static func masked(json text: String) -> String? {
        guard let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) else {
            return nil
        }
        var hasCredentials = false
        let masked = maskedMembers(of: value, &hasCredentials)
        guard hasCredentials else { return text }
        let data = try? JSONSerialization.data(withJSONObject: masked, options: [.sortedKeys, .withoutEscapingSlashes])
        return data.flatMap { String(data: $0, encoding: .utf8) }
    }

    // The depth of the recursion is bounded: the parser rejects JSON that is nested more than 512 levels deep.
    private static func maskedMembers(of value: Any, _ hasCredentials: inout Bool) -> Any {
        if let array = value as? [Any] { return array.map { maskedMembers(of: $0, &hasCredentials) } }
        guard let object = value as? [String: Any] else { return value }
        var result: [String: Any] = [:]
        for (name, member) in object {
            if areNamed(name) {
                hasCredentials = true
                result[name] = mask
            } else {
                result[name] = maskedMembers(of: member, &hasCredentials)
            }
        }
        return result
    }
}

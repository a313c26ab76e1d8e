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

/// Knows credentials by the names they go by, and hides them.
///
/// It rather hides too much than too little: a request can be repeated without knowing an `Idempotency-Key`, too.
enum Credentials {
    /// Stands in the place of a credential.
    static let mask = "***"

    /// In any part of a name, its separators left out.
    private static let fragments = [
        "authoriz", "authenticat", "cookie", "token", "secret", "password", "passwd", "passphrase", "credential",
        "session", "signature", "apikey", "accesskey", "privatekey", "authkey",
    ]
    /// As a word of a name: too short to be sought in the middle of one.
    private static let words: Set<Substring> = [
        "auth", "key", "pass", "pwd", "sig", "sid", "jwt", "csrf", "xsrf", "otp", "pin", "code", "assertion",
    ]

    /// The words with which credentials begin in a header of any name.
    private static let schemes: Set<String> = ["basic", "bearer", "digest", "negotiate", "ntlm", "hmac"]

    /// Whether what goes by this name in a header, a query, a form or a JSON object is a credential. Case does not
    /// matter.
    static func areNamed(_ name: some StringProtocol) -> Bool {
        let parts = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        if parts.contains(where: words.contains) { return true }
        let squashed = parts.joined()
        return fragments.contains { squashed.contains($0) }
    }

    /// The value of a header, fit to be printed. A URL in it is masked as a URL.
    static func masked(header name: String, value: String) -> String {
        if areNamed(name) || schemes.contains(value.prefix { $0 != " " }.lowercased()) { return mask }
        guard value.lowercased().hasPrefix("http"), let url = URL(string: value) else { return value }
        return masked(url)
    }

    /// The URL, fit to be printed: without its user, password and fragment, and with the query masked.
    static func masked(_ url: URL) -> String {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return mask }
        if components.user != nil || components.password != nil {
            components.percentEncodedPassword = nil
            components.percentEncodedUser = mask
        }
        components.percentEncodedQuery = components.percentEncodedQuery.map(masked(form:))
        components.fragment = nil  // It stays with the client: a server never sees it.
        return components.string ?? mask
    }

    /// A query or form, `a=1&b=2`, fit to be printed.
    static func masked(form: String) -> String {
        let fields = form.split(separator: "&", omittingEmptySubsequences: false).map { field in
            guard let equals = field.firstIndex(of: "=") else { return String(field) }
            let name = field[..<equals]
            return areNamed(name.removingPercentEncoding ?? String(name)) ? "\(name)=\(mask)" : String(field)
        }
        return fields.joined(separator: "&")
    }

    /// JSON, fit to be printed; `nil` if it is none. As it was written, if nothing in it is a credential.
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

    // Recursive, but not in the length of the data: the parser refuses JSON that is nested more than 512 deep.
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

import Foundation

/// Knows credentials by the names they go by, and hides them.
///
/// It rather hides too much than too little: a request can be repeated without knowing an `Idempotency-Key`, too.
enum Credentials {
    /// Stands in the place of a credential.
    static let mask = "***"

    /// In any part of a name, its separators left out.
    private static let fragments = [
        "authoriz", "authenticat", "cookie", "token", "secret", "password", "passwd", "passphrase", "credential",
        "session", "signature",
        "apikey", "accesskey", "privatekey", "authkey",
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

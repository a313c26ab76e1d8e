import Foundation
import Rx

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Reactive where Base: URLSession {
    /// Decides whether a request that `URLSession.rx` sends is logged. By default, all requests are logged in debug
    /// builds, and no requests are logged in other builds.
    ///
    /// ```swift compiled
    /// URLSession.rx.shouldLogRequest = { $0.url?.host == "api.example.com" }
    /// ```
    ///
    /// A logged request prints two lines. The first is the `curl` command that repeats the request and can be pasted
    /// into a shell. The second, printed when the request ends, is its outcome and duration.
    ///
    /// ```text
    /// curl -X 'POST' 'https://api.example.com/users?api_key=***' -H 'Authorization: ***' --data-raw '{"name":"Ada"}'
    /// 201 after 12.3 ms, 34 bytes: POST https://api.example.com/users?api_key=***
    /// ```
    ///
    /// Credentials are never printed. `***` replaces the following:
    /// - the values of headers, of query and form fields and of JSON members whose name indicates credentials:
    ///   `Authorization`, `Proxy-Authorization`, `Cookie`, `Set-Cookie`, and any name that contains `token`, `secret`,
    ///   `password`, `session`, `api-key`, `signature` or a similar word, regardless of case;
    /// - header values that begin with `Bearer`, `Basic` or a similar scheme, regardless of the header name;
    /// - the user and the password in a URL.
    ///
    /// The command shows JSON and form bodies. The parts of other bodies have no names, so the command shows only their
    /// size in bytes. Headers that the session adds (its cookies, its `httpAdditionalHeaders`) are not shown. A path is
    /// printed unchanged.
    ///
    /// The closure is called on the thread that subscribes. The setting is process-wide and may be set from any thread.
    // `@preconcurrency`: clients in Swift 5 mode can then use any function.
    @preconcurrency public static var shouldLogRequest: @Sendable (URLRequest) -> Bool {
        get { RequestLog.settings.withLock { $0 }.isWanted }
        set { RequestLog.settings.change { $0.isWanted = newValue } }
    }

    /// Receives the lines of logged requests. By default, the lines are written to standard error.
    ///
    /// ```swift compiled
    /// URLSession.rx.logOutput = { line in print("network:", line) }
    /// ```
    ///
    /// The closure is called with one line at a time, without a line break, on the thread that subscribes and on the
    /// delegate queue of the session. The setting is process-wide and may be set from any thread.
    // `@preconcurrency`: for the same reason as above.
    @preconcurrency public static var logOutput: @Sendable (String) -> Void {
        get { RequestLog.settings.withLock { $0 }.output }
        set { RequestLog.settings.change { $0.output = newValue } }
    }
}

struct RequestLog: Sendable {
    struct Settings {
        var isWanted: @Sendable (URLRequest) -> Bool = { _ in isDebugBuild }
        var output: @Sendable (String) -> Void = { FileHandle.standardError.write(Data(($0 + "\n").utf8)) }
    }

    static let settings = Guarded(Settings())

    #if DEBUG
        private static let isDebugBuild = true
    #else
        private static let isDebugBuild = false
    #endif

    private let summary: String
    private let start = ContinuousClock.now

    /// Prints the command that repeats the request. Returns `nil` if the request should not be logged.
    init?(ifWantedFor request: URLRequest) {
        // The closure is user code, so it is called outside the lock.
        let settings = Self.settings.withLock { $0 }
        guard settings.isWanted(request) else { return nil }
        let command = CurlCommand(request)
        summary = "\(command.method) \(command.url)"
        settings.output(command.text)
    }

    /// Prints the outcome of the request, its duration and the size of the response body.
    func requestEnded(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
        let took = (ContinuousClock.now - start) / .milliseconds(1)
        let output = Self.settings.withLock { $0 }.output
        output(
            """
            \(Self.outcome(response, error)) after \(String(format: "%.1f", took)) ms, \((data?.count ?? 0).bytes): \
            \(summary)
            """)
    }

    private static func outcome(_ response: URLResponse?, _ error: (any Error)?) -> String {
        if let error {
            if (error as? URLError)?.code == .cancelled { return "Cancelled" }
            // Does not print the description, because it may contain the URL.
            return "\((error as NSError).domain) \((error as NSError).code)"
        }
        guard let response else { return "Nothing" }
        return (response as? HTTPURLResponse).map { "\($0.statusCode)" } ?? "Not an HTTP response"
    }
}

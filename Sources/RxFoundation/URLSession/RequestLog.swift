import Foundation
import Rx

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Reactive where Base: URLSession {
    /// Decides for each request that `URLSession.rx` sends whether it is logged: by default all are in debug builds and
    /// none in others.
    ///
    /// ```swift compiled
    /// URLSession.rx.shouldLogRequest = { $0.url?.host == "api.example.com" }
    /// ```
    ///
    /// A logged request gives two lines: the `curl` command that repeats it, ready to be pasted into a shell, and, once
    /// it has ended, what came of it after how long.
    ///
    /// ```text
    /// curl -X 'POST' 'https://api.example.com/users?api_key=***' -H 'Authorization: ***' --data-raw '{"name":"Ada"}'
    /// 201 after 12.3 ms, 34 bytes: POST https://api.example.com/users?api_key=***
    /// ```
    ///
    /// Credentials are never printed. `***` stands for
    /// - the values of headers, of query and form fields and of JSON members whose name speaks of credentials:
    ///   `Authorization`, `Proxy-Authorization`, `Cookie`, `Set-Cookie`, and any name with `token`, `secret`,
    ///   `password`, `session`, `api-key`, `signature` and the like in it, in whatever case;
    /// - headers of any name that begin with `Bearer`, `Basic` and the like;
    /// - user and password in a URL.
    ///
    /// The command shows JSON and form bodies; of others, whose parts have no names, it says only how many bytes there
    /// are. Headers that the session adds by itself (its cookies, its `httpAdditionalHeaders`) are not shown. A
    /// path is printed as it is.
    ///
    /// Called on the thread that subscribes. Process-wide; may be set from any thread.
    // `@preconcurrency`: for clients in Swift 5 mode it is any function.
    @preconcurrency public static var shouldLogRequest: @Sendable (URLRequest) -> Bool {
        get { RequestLog.settings.withLock { $0 }.isWanted }
        set { RequestLog.settings.change { $0.isWanted = newValue } }
    }

    /// Where the lines of logged requests go: to standard error, unless it is replaced.
    ///
    /// ```swift compiled
    /// URLSession.rx.logOutput = { line in print("network:", line) }
    /// ```
    ///
    /// Called with one line at a time, without its end, on the thread that subscribes and on the session's delegate
    /// queue. Process-wide; may be set from any thread.
    // `@preconcurrency`: as above.
    @preconcurrency public static var logOutput: @Sendable (String) -> Void {
        get { RequestLog.settings.withLock { $0 }.output }
        set { RequestLog.settings.change { $0.output = newValue } }
    }
}

/// The log of one request.
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

    /// Prints the command that repeats the request; `nil` if the request is not to be logged.
    init?(ifWantedFor request: URLRequest) {
        // Called outside the lock, as it is the user's.
        let settings = Self.settings.withLock { $0 }
        guard settings.isWanted(request) else { return nil }
        let command = CurlCommand(request)
        summary = "\(command.method) \(command.url)"
        settings.output(command.text)
    }

    /// Prints the outcome of the request.
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
            // Not the description: it may name the URL.
            return "\((error as NSError).domain) \((error as NSError).code)"
        }
        guard let response else { return "Nothing" }
        return (response as? HTTPURLResponse).map { "\($0.statusCode)" } ?? "Not an HTTP response"
    }
}

import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import Rx

/// The old home of `URLSession.rx.shouldLogRequest`.
@available(*, deprecated, message: "Use 'URLSession.rx.shouldLogRequest'.")
public enum Logging {
    /// Decides whether a request is logged.
    public typealias LogURLRequest = @Sendable (URLRequest) -> Bool

    /// The old name of `URLSession.rx.shouldLogRequest`: one value under both.
    @available(*, deprecated, message: "Use 'URLSession.rx.shouldLogRequest'.", renamed: "URLSession.rx.shouldLogRequest")
    public static var URLRequests: LogURLRequest {
        get { URLSession.rx.shouldLogRequest }
        set { URLSession.rx.shouldLogRequest = newValue }
    }
}

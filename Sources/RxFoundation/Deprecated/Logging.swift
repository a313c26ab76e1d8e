import Foundation
import Rx

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The old home of `URLSession.rx.shouldLogRequest`, which compiles without a warning as it always has.
public enum Logging {
    /// Decides whether a request is logged.
    @preconcurrency public typealias LogURLRequest = @Sendable (URLRequest) -> Bool

    /// The old name of `URLSession.rx.shouldLogRequest`: one value under both.
    // `@preconcurrency`: for clients in Swift 5 mode it is any function.
    @preconcurrency public static var URLRequests: LogURLRequest {
        get { URLSession.rx.shouldLogRequest }
        set { URLSession.rx.shouldLogRequest = newValue }
    }
}

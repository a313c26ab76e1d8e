import Foundation
import Rx

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The names that were used instead of `rx.` before version 3.

extension NotificationCenter {
    /// Delivers the notifications that the center posts, until the subscription is disposed.
    @available(*, deprecated, renamed: "rx.notification(_:object:)")
    public func rx_notification(_ name: Notification.Name?, object: AnyObject? = nil) -> Observable<Notification> {
        rx.notification(name, object: object)
    }

    /// Delivers the notifications of this name that the center posts, until the subscription is disposed.
    @available(*, deprecated, message: "Use 'rx.notification(Notification.Name(name), object: object)'.")
    public func rx_notification(_ name: String, object: AnyObject? = nil) -> Observable<Notification> {
        rx.notification(Notification.Name(name), object: object)
    }
}

extension URLSession {
    /// Delivers the body of the response to `request`, regardless of the status code, and the response. The order in
    /// the tuple is the order before version 3.
    @available(*, deprecated, message: "Use 'rx.response(request:)', which gives the response first.")
    public func rx_response(_ request: URLRequest) -> Observable<(Data, HTTPURLResponse)> {
        rx.response(request: request).map { ($0.data, $0.response) }
    }

    /// Delivers the body of the response to `request` if its status code is in 200..<300.
    @available(*, deprecated, renamed: "rx.data(request:)")
    public func rx_data(_ request: URLRequest) -> Observable<Data> { rx.data(request: request) }

    /// Delivers the JSON of the response to `request` if its status code is in 200..<300.
    @available(*, deprecated, renamed: "rx.json(request:)")
    public func rx_JSON(_ request: URLRequest) -> Observable<Any> { rx.json(request: request) }

    /// Delivers the JSON in the response to a GET request for `url`.
    @available(*, deprecated, renamed: "rx.json(url:)")
    public func rx_JSON(_ url: URL) -> Observable<Any> { rx.json(url: url) }
}

extension DeallocationObservable {
    /// Sends one element and completes when the object is deallocated.
    @available(*, deprecated, renamed: "rx.deallocated")
    public var rx_deallocated: Observable<Void> { rx.deallocated }
}

/// The former namespace of `URLSession.rx.shouldLogRequest`. As before, it compiles without a warning.
public enum Logging {
    /// Decides whether a request is logged.
    @preconcurrency public typealias LogURLRequest = @Sendable (URLRequest) -> Bool

    /// The former name of `URLSession.rx.shouldLogRequest`. Both names refer to the same value.
    // `@preconcurrency`: clients in Swift 5 mode can then use any function.
    @preconcurrency public static var URLRequests: LogURLRequest {
        get { URLSession.rx.shouldLogRequest }
        set { URLSession.rx.shouldLogRequest = newValue }
    }
}

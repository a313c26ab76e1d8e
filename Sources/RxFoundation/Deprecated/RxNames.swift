import Foundation
import Rx

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The names that stood in place of `rx.` before version 3.

extension NotificationCenter {
    /// The notifications that the center posts, until the subscription is disposed.
    @available(*, deprecated, renamed: "rx.notification(_:object:)")
    public func rx_notification(_ name: Notification.Name?, object: AnyObject? = nil) -> Observable<Notification> {
        rx.notification(name, object: object)
    }

    /// The notifications of the name that the center posts, until the subscription is disposed.
    @available(*, deprecated, message: "Use 'rx.notification(Notification.Name(name), object: object)'.")
    public func rx_notification(_ name: String, object: AnyObject? = nil) -> Observable<Notification> {
        rx.notification(Notification.Name(name), object: object)
    }
}

extension URLSession {
    /// The body of the response to `request`, whatever its status, and the response: in this order, as it was then.
    @available(*, deprecated, message: "Use 'rx.response(request:)', which gives the response first.")
    public func rx_response(_ request: URLRequest) -> Observable<(Data, HTTPURLResponse)> {
        rx.response(request: request).map { ($0.data, $0.response) }
    }

    /// The body of the response to `request`, if its status is in 200..<300.
    @available(*, deprecated, renamed: "rx.data(request:)")
    public func rx_data(_ request: URLRequest) -> Observable<Data> { rx.data(request: request) }

    /// The JSON of the response to `request`, if its status is in 200..<300.
    @available(*, deprecated, renamed: "rx.json(request:)")
    public func rx_JSON(_ request: URLRequest) -> Observable<Any> { rx.json(request: request) }

    /// The JSON that a GET of `url` answers with.
    @available(*, deprecated, renamed: "rx.json(url:)")
    public func rx_JSON(_ url: URL) -> Observable<Any> { rx.json(url: url) }
}

extension DeallocationObservable {
    /// One element and completion when the object goes.
    @available(*, deprecated, renamed: "rx.deallocated")
    public var rx_deallocated: Observable<Void> { rx.deallocated }
}

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

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The reason why a request of `URLSession.rx` has failed, if the session itself does not report an error.
///
///     _ = session.rx.data(request: request).subscribe(onError: { error in
///         if case RxCocoaURLError.httpRequestFailed(let response, _) = error { print(response.statusCode) }  // 404
///     })
///
/// An error of the session (no connection, a truncated response, a timeout) is forwarded unchanged, as a `URLError`.
public enum RxCocoaURLError: Error {
    /// The session delivered neither a response nor an error.
    case unknown
    /// The response is not an HTTP response. For example, the URL has the scheme `file`.
    case nonHTTPResponse(response: URLResponse)
    /// The status code is outside 200..<300. `data` is the body, or `nil` if there was no body.
    case httpRequestFailed(response: HTTPURLResponse, data: Data?)
    /// The body cannot be read as JSON with the requested options. `error` gives the position.
    case deserializationError(error: any Error)
}

extension RxCocoaURLError: CustomDebugStringConvertible {
    /// A description of the error. It includes neither the URL nor the body, because they may contain credentials.
    public var debugDescription: String {
        switch self {
        case .unknown: "The session gave neither a response nor an error."
        case .nonHTTPResponse(let response):
            """
            The answer did not come over HTTP but over '\(response.url?.scheme ?? "an unknown scheme")'. Use an \
            http or https URL.
            """
        case .httpRequestFailed(let response, let data):
            """
            The server answered with status \(response.statusCode) and \((data?.count ?? 0).bytes). Use \
            'response(request:)' to accept every status.
            """
        case .deserializationError(let error): "The body is not JSON: \(error)"
        }
    }
}

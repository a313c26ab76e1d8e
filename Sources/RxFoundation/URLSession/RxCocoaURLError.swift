import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why a request of `URLSession.rx` has failed, where the session itself reports no error.
///
///     _ = session.rx.data(request: request).subscribe(onError: { error in
///         if case RxCocoaURLError.httpRequestFailed(let response, _) = error { print(response.statusCode) }  // 404
///     })
///
/// An error of the session (no connection, a response cut short, a timeout) is passed on as it is, as a `URLError`.
public enum RxCocoaURLError: Error {
    /// The session gave neither a response nor an error.
    case unknown
    /// The answer did not come over HTTP: the URL has the scheme `file`, for example.
    case nonHTTPResponse(response: URLResponse)
    /// The status is outside 200..<300. `data` is the body, `nil` if there was none.
    case httpRequestFailed(response: HTTPURLResponse, data: Data?)
    /// The body is not the JSON that was asked for; `error` says where.
    case deserializationError(error: any Error)
}

extension RxCocoaURLError: CustomDebugStringConvertible {
    /// The error in words. Names neither the URL nor the body, which may carry credentials.
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

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers requests to `pigeon:` URLs with a response that is not an HTTP response.
final class PigeonProtocol: URLProtocol {
    static let url = URL(string: "pigeon://loft/message")!

    override static func canInit(with request: URLRequest) -> Bool { request.url?.scheme == "pigeon" }
    override static func canInit(with task: URLSessionTask) -> Bool { task.originalRequest?.url?.scheme == "pigeon" }
    override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let response = URLResponse(url: Self.url, mimeType: nil, expectedContentLength: 4, textEncodingName: nil)
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data("coos".utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers every request of a session with a person called Ada, without a network.
class CannedAnswer: URLProtocol {
    var status: Int { 200 }
    var body: String { #"{"name":"Ada"}"# }

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Data(body.utf8))
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

/// Answers every request with 404 and an empty body.
final class NotFoundAnswer: CannedAnswer {
    override var status: Int { 404 }
    override var body: String { "" }
}

extension URLSession {
    /// Returns a session that answers every request with this type.
    static func answering(with answer: CannedAnswer.Type) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [answer]
        return URLSession(configuration: configuration)
    }
}

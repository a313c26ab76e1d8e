import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension PublishedLeak {
    /// A common report about `URLSession`, and in Apple's documentation of it: a session retains its delegate until it
    /// is invalidated. The published mend calls `finishTasksAndInvalidate()`.
    static let sessionDelegate = PublishedLeak(
        name: "session-delegate",
        expected: Expectation(
            "DownloadClient", heldBy: "DownloadClient.session", "URLSession",
            change: "finishTasksAndInvalidate"),
        innocents: { count in (0..<count).map { _ in DownloadClient() } },
        leaky: .synchronous {
            let client = DownloadClient()
            client.prepare(URL(string: "http://127.0.0.1:1/file")!)
        },
        fixed: .synchronous {
            let client = DownloadClient()
            client.prepare(URL(string: "http://127.0.0.1:1/file")!)
            client.invalidate()
        })
}

private final class DownloadClient: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private var session: URLSession?
    private var received = Data()
    private var requests: [URLRequest] = []

    func prepare(_ url: URL) {
        let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
        self.session = session
        var request = URLRequest(url: url)
        request.setValue("published-leaks", forHTTPHeaderField: "User-Agent")
        requests.append(request)
    }

    func invalidate() {
        session?.finishTasksAndInvalidate()
        session = nil
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        received.append(data)
    }
}

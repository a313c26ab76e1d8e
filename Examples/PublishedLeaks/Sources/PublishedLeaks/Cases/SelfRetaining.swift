extension PublishedLeak {
    /// A common report about objects that keep themselves alive until they have finished: one path forgets to clear the
    /// property. The published mend clears it with `defer`.
    static let selfRetaining = PublishedLeak(
        name: "self-retaining",
        expected: Expectation("PageLoader", heldBy: "PageLoader.keepAlive", change: "PageLoader.keepAlive"),
        innocents: { count in (0..<count).map { _ in PageLoader() } },
        leaky: .synchronous { PageLoader().load("missing", clearsAlways: false) },
        fixed: .synchronous { PageLoader().load("missing", clearsAlways: true) })
}

private final class PageLoader {
    private var keepAlive: PageLoader?
    private var content = ""

    func load(_ page: String, clearsAlways: Bool) {
        keepAlive = self
        if page == "missing" {
            if clearsAlways { keepAlive = nil }
            return
        }
        content = "text of \(page)"
        keepAlive = nil
    }
}

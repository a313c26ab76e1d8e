extension PublishedLeak {
    /// A common report about deep links: each screen registers a closure in a static array, and nothing takes it out.
    /// The published mend returns a token that removes the closure.
    static let staticCallbacks = PublishedLeak(
        name: "static-callbacks",
        expected: Expectation(
            "OfferScreen", heldBy: "DeepLinks.handlers", change: "DeepLinks.handlers",
            "closure in OfferScreen.register()"),
        innocents: { count in (0..<count).map { _ in OfferScreen() } },
        leaky: .synchronous {
            let screen = OfferScreen()
            _ = screen.register()
            DeepLinks.open("shop://offers/1")
        },
        fixed: .synchronous {
            let screen = OfferScreen()
            let token = screen.register()
            DeepLinks.open("shop://offers/1")
            DeepLinks.remove(token)
        })
}

private enum DeepLinks {
    private static var handlers: [(token: Int, handle: (String) -> Bool)] = []
    private static var lastToken = 0

    static func onOpen(_ handle: @escaping (String) -> Bool) -> Int {
        lastToken += 1
        handlers.append((lastToken, handle))
        return lastToken
    }

    static func remove(_ token: Int) { handlers.removeAll { $0.token == token } }

    static func open(_ link: String) { for handler in handlers where handler.handle(link) { return } }
}

private final class OfferScreen {
    private var shownLink: String?

    func register() -> Int {
        DeepLinks.onOpen { link in
            self.shownLink = link
            return false
        }
    }
}

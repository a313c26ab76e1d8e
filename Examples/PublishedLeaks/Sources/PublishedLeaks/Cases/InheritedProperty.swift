extension PublishedLeak {
    /// A common report about base classes of screens: the base class keeps an action for its retry button, and the
    /// subclass sets it to a closure that captures `self`. The published mend is `[weak self]`.
    static let inheritedProperty = PublishedLeak(
        name: "inherited-property",
        expected: Expectation(
            "InvoiceScreen", heldBy: "BaseScreen.retryAction", "InvoiceScreen.retryAction",
            change: "closure in InvoiceScreen.load()"),
        innocents: { count in
            (0..<count).map { _ in
                let screen = InvoiceScreen()
                screen.loadWeakly()
                return screen
            }
        },
        leaky: .synchronous {
            let screen = InvoiceScreen()
            screen.load()
            screen.tapRetry()
        },
        fixed: .synchronous {
            let screen = InvoiceScreen()
            screen.loadWeakly()
            screen.tapRetry()
        })
}

private class BaseScreen {
    var title = ""
    var retryAction: (() -> Void)?

    func tapRetry() { retryAction?() }
}

private class PagedScreen<Page>: BaseScreen {
    var pages: [Page] = []
}

private final class InvoiceScreen: PagedScreen<Int> {
    func load() {
        title = "Invoices"
        retryAction = { self.pages.append(self.pages.count) }
    }

    func loadWeakly() {
        title = "Invoices"
        retryAction = { [weak self] in
            guard let self else { return }
            pages.append(pages.count)
        }
    }
}

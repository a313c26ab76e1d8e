import Foundation

extension PublishedLeak {
    /// A common report about observers of `NotificationCenter` with a block: the centre keeps the block, the block
    /// captures `self`, and the observer is removed in a `deinit` that never runs. The published mend is `[weak self]`.
    static let notificationObserver = PublishedLeak(
        name: "notification-observer",
        expected: Expectation(
            "ReaderSettings", heldBy: "NotificationCenter", change: "closure in ReaderSettings.observe()"),
        innocents: { count in
            (0..<count).map { _ in
                let settings = ReaderSettings()
                settings.observeWeakly()
                return settings
            }
        },
        leaky: .synchronous {
            let settings = ReaderSettings()
            settings.observe()
            NotificationCenter.default.post(name: .fontSizeDidChange, object: 18)
        },
        fixed: .synchronous {
            let settings = ReaderSettings()
            settings.observeWeakly()
            NotificationCenter.default.post(name: .fontSizeDidChange, object: 18)
        })
}

extension Notification.Name {
    fileprivate static let fontSizeDidChange = Notification.Name("fontSizeDidChange")
    fileprivate static let themeDidChange = Notification.Name("readerThemeDidChange")
}

private final class ReaderSettings {
    private var fontSize = 12
    private var theme = "light"
    private var tokens: [any NSObjectProtocol] = []

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }

    func observe() {
        let center = NotificationCenter.default
        tokens = [
            center.addObserver(forName: .fontSizeDidChange, object: nil, queue: nil) { notification in
                self.fontSize = notification.object as? Int ?? self.fontSize
            }
        ]
    }

    func observeWeakly() {
        let center = NotificationCenter.default
        tokens = [
            center.addObserver(forName: .fontSizeDidChange, object: nil, queue: nil) { [weak self] notification in
                guard let self else { return }
                fontSize = notification.object as? Int ?? fontSize
            },
            center.addObserver(forName: .themeDidChange, object: nil, queue: nil) { [weak self] _ in
                self?.theme = "dark"
            },
        ]
    }
}

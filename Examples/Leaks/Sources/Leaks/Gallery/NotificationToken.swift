import Foundation
import Rx

extension PlantedLeak {
    static let notificationToken = PlantedLeak(
        "notification-token",
        mistake: "An observer of notifications captures self strongly, and is never removed.",
        remedy: "Remove the observer when the screen closes.",
        grade: .likely, names: ["NotificationCenter: observer", "ThemeScreen", "removeObserver"]
    ) { leaking in
        let screen = ThemeScreen()
        let token = screen.open()
        NotificationCenter.default.post(name: .themeHasChanged, object: nil)
        if !leaking { NotificationCenter.default.removeObserver(token) }
    }
}

extension Notification.Name {
    fileprivate static let themeHasChanged = Notification.Name("themeHasChanged")
}

private final class ThemeScreen: Sendable {
    let theme = BehaviorRelay(value: "light")

    func open() -> any NSObjectProtocol {
        let center = NotificationCenter.default
        return center.addObserver(forName: .themeHasChanged, object: nil, queue: nil) { _ in self.theme.accept("dark") }
    }
}

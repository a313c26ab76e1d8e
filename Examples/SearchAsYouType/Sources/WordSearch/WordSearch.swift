import Rx

/// The content of the terminal.
public enum Screen: Equatable, Sendable {
    case empty
    case searching(String)
    case found(String, [String])
    case failed(String)
}

public enum WordSearch {
    /// The key that deletes a letter.
    public static let backspace: Character = "\u{7F}"

    /// Returns the screens to show while the user types. The sequence completes when there are no more keys.
    ///
    /// - Parameters:
    ///   - find: Looks a text up. Its errors become screens, and the next key searches again.
    ///   - scheduler: The scheduler on which keys are throttled and searched for.
    public static func screens(
        typing keys: Observable<Character>, scheduler: any SchedulerType,
        find: @escaping (String) -> Observable<[String]>
    ) -> Observable<Screen> {
        keys.scan("") { text, key in key == backspace ? String(text.dropLast()) : text + String(key) }
            .throttle(.milliseconds(200), scheduler: scheduler)
            .distinctUntilChanged()
            .flatMapLatest { text -> Observable<Screen> in
                guard !text.isEmpty else { return .just(.empty) }
                return find(text).map { .found(text, $0) }
                    .catchAndReturn(.failed(text))
                    .startWith(.searching(text))
            }
    }
}

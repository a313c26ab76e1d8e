import Rx

/// The content of the terminal.
public enum Screen: Equatable, Sendable {
    case empty
    case searching(String)
    case found(String, [String])
    case failed(String)
}

public enum WordSearch {
    /// The key that takes a letter back.
    public static let backspace: Character = "\u{7F}"

    /// The screens to show while the user types, until there are no more keys.
    ///
    /// - Parameters:
    ///   - find: looks a text up. Its errors become screens, and the next key searches again.
    ///   - scheduler: the time in which keys are throttled, and where they are searched for.
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

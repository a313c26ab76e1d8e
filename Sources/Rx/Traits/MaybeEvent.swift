/// What a `Maybe` has to say: its value, that there is none, or why not.
@frozen
public enum MaybeEvent<Element> {
    /// The value.
    case success(Element)
    /// The sequence has failed.
    case error(any Error)
    /// There is no value.
    case completed
}

extension MaybeEvent: Sendable where Element: Sendable {}

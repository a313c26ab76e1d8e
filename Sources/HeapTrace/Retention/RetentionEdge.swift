/// How a holder refers to the next object.
public struct RetentionEdge: Sendable {
    /// The kinds of references.
    public enum Kind: String, Sendable, Codable {
        /// A stored property: `.bag`.
        case property
        /// A part of a stored property's value: `.rows[3]`, `.state.parent`.
        case partOfProperty
        /// An element of a collection: `[3]`.
        case element
        /// A variable that a closure has captured.
        case capture
        /// A local variable of a task.
        case localVariable
        /// A subscription or a timer, which keeps itself until it is disposed.
        case untilDisposed
        /// An observer of a subject, a relay or a notification center.
        case observer
        /// An element that is kept for later subscribers.
        case rememberedElement
        /// Work that waits in a scheduler.
        case scheduledWork
        /// A subscription in a disposable.
        case subscription
        /// The task that waits for a continuation.
        case waitingTask
        /// The handler of a timer, a signal or a file descriptor.
        case handler
        /// Memory that refers to itself.
        case itself
        /// A reference of which nothing is known.
        case unknown

        /// The words for a kind without a name.
        var text: String {
            switch self {
            case .property, .partOfProperty, .element, .unknown: ""
            case .capture: "capture"
            case .localVariable: "local variable"
            case .untilDisposed: "until it is disposed"
            case .observer: "observer"
            case .rememberedElement: "remembered element"
            case .scheduledWork: "scheduled work"
            case .subscription: "subscription"
            case .waitingTask: "the task that waits for it"
            case .handler: "handler"
            case .itself: "itself"
            }
        }
    }

    /// The kind of the reference.
    public let kind: Kind
    /// `.bag`, `[3]`, `capture self`.
    public let text: String
    /// The text without positions in collections and without names that only debug information contains.
    let stableText: String
    /// Whether the text ends in a position in a collection.
    private let hasPosition: Bool

    init(_ kind: Kind, _ text: String? = nil, stableText: String? = nil) {
        self.kind = kind
        self.text = text ?? kind.text
        self.stableText = stableText ?? self.text
        hasPosition = false
    }

    /// A property, with parts that are separated by periods, and a position in the collection that it leads to. Either
    /// may be missing.
    init(property: String, position: String? = nil) {
        let prefix = property.isEmpty ? "" : "." + property
        kind =
            if property.isEmpty {
                position == nil ? .unknown : .element
            } else {
                position == nil && !property.contains(".") ? .property : .partOfProperty
            }
        text = prefix + (position.map { "[\($0)]" } ?? "")
        stableText = prefix + (position == nil ? "" : "[]")
        hasPosition = position != nil
    }

    private init(kind: Kind, text: String, stableText: String, hasPosition: Bool) {
        self.kind = kind
        self.text = text
        self.stableText = stableText
        self.hasPosition = hasPosition
    }

    /// This edge with a position in the collection, or a property of the value, that it leads to. `nil` if the two do
    /// not follow one another: an edge has one position at most.
    func appending(_ part: RetentionEdge) -> RetentionEdge? {
        guard part.kind != .unknown, !(hasPosition && part.hasPosition) else { return nil }
        switch kind {
        case .unknown: return part
        case .property, .partOfProperty:
            return RetentionEdge(
                kind: .partOfProperty, text: text + part.text, stableText: stableText + part.stableText,
                hasPosition: hasPosition || part.hasPosition)
        default: return nil
        }
    }
}

extension RetentionEdge: Hashable {
    /// Whether the two have the same kind and read the same.
    public static func == (one: RetentionEdge, other: RetentionEdge) -> Bool {
        (one.kind, one.text, one.stableText) == (other.kind, other.text, other.stableText)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(text)
    }
}

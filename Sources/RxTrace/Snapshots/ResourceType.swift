import Rx

/// A type of resource, as its user knows it: the operator that made it, or its class.
public struct ResourceType: Hashable, Sendable {
    /// `map<Int, String>`, `PublishSubject<Int>`, `DisposeBag`. Of an operator's two element types the second is left
    /// out if it is the first.
    public let name: String
    /// What kind of resource it is.
    public let kind: Resources.Kind

    public init(name: String, kind: Resources.Kind) {
        self.name = name
        self.kind = kind
    }
}

extension ResourceType: CustomStringConvertible {
    /// `map<Int, String> (sink)`, for example.
    public var description: String { "\(name) (\(kind))" }
}

/// Where resources of one type were made.
public struct ResourceOrigin: Hashable, Sendable {
    /// What was made.
    public let type: ResourceType
    /// The calls that made it; `nil` if they could not be seen.
    public let stack: CallStack?

    public init(type: ResourceType, stack: CallStack?) {
        self.type = type
        self.stack = stack
    }
}

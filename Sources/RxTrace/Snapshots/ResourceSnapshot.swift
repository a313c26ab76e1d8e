import Rx

/// How many reactive resources were alive at one moment, in total and by kind.
///
///     let before = ResourceSnapshot()
///     let held = Observable.just(1).map { $0 + 1 }
///     print(ResourceSnapshot().difference(from: before))  // total +2: observable +2
///     withExtendedLifetime(held) {}
///
/// In a build that does not trace resources every count is `nil` and the text says *unavailable*, with the remedy.
/// The counts are those of the whole process.
public struct ResourceSnapshot: Equatable, Sendable {
    /// One count per kind, in the order of `Resources.Kind.allCases`; `nil` if the build does not trace.
    private let counts: [Int]?

    /// The counts by type and place, where the build traces.
    let details: ResourceCounts

    /// The counts of this moment, and of what was made while stacks were recorded those of each place. From any thread.
    ///
    /// O(t) for *t* threads and each type, and O(n) for *n* resources that are registered. They are read one after
    /// another: while other threads make and drop resources, the snapshot is not one instant of theirs.
    public init() {
        #if TRACE_RESOURCES
            let details = ResourceCounts.current(withOrigins: true)
            self.init(counts: details.byKind, details: details)
        #else
            self.init(counts: nil)
        #endif
    }

    /// A snapshot of given counts, one per kind; `nil` stands for a build that does not trace.
    package init(counts: [Int]?) { self.init(counts: counts, details: ResourceCounts(byType: [])) }

    private init(counts: [Int]?, details: ResourceCounts) {
        self.counts = counts
        self.details = details
    }

    /// The number of live resources, which is the sum of all kinds; `nil` if the build does not trace.
    public var total: Int? { counts?.reduce(0, +) }

    /// The number of live resources of one kind; `nil` if the build does not trace.
    public func count(of kind: Resources.Kind) -> Int? { counts?[kind.rawValue] }

    /// The number of live resources of each type of which there are any; empty if the build does not trace. O(t) for
    /// *t* types.
    public var types: [ResourceType: Int] {
        #if TRACE_RESOURCES
            details.named
        #else
            [:]
        #endif
    }

    /// The number of live resources by where they were made, of those that were made while stacks were recorded. O(n)
    /// for *n* places.
    public var origins: [ResourceOrigin: Int] {
        #if TRACE_RESOURCES
            details.origins
        #else
            [:]
        #endif
    }

    /// The change since `earlier`: this snapshot's counts less those of `earlier`.
    public func difference(from earlier: ResourceSnapshot) -> ResourceDifference {
        guard let counts, let before = earlier.counts else { return ResourceDifference(changes: nil) }
        return ResourceDifference(
            changes: zip(counts, before).map { $0 - $1 }, details: details.subtracting(earlier.details))
    }
}

extension ResourceSnapshot: CustomStringConvertible {
    /// `total 3: observable 1, sink 2`, without the kinds of which there are none.
    public var description: String { CountsText.text(of: counts) { String($0) } }
}

/// A type of resource, as its user knows it: the operator that made it, or its class.
public struct ResourceType: Hashable, Sendable {
    /// `map<Int, String>`, `PublishSubject<Int>`, `DisposeBag`. Of an operator's two element types the second is left
    /// out if it is the first.
    public let name: String
    /// The kind of resource.
    public let kind: Resources.Kind

    /// The type of this name and kind.
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
    /// The type of the resources.
    public let type: ResourceType
    /// The calls that made it; `nil` if they could not be seen.
    public let stack: CallStack?

    /// The place that `stack` leads to.
    public init(type: ResourceType, stack: CallStack?) {
        self.type = type
        self.stack = stack
    }
}

import Rx

/// The number of live reactive resources at one moment, in total and by kind.
///
///     let before = ResourceSnapshot()
///     let held = Observable.just(1).map { $0 + 1 }
///     print(ResourceSnapshot().difference(from: before))  // total +2: observable +2
///     withExtendedLifetime(held) {}
///
/// In a build that does not trace resources every count is `nil`, and the description is *unavailable* with the remedy.
/// The counts cover the whole process.
public struct ResourceSnapshot: Equatable, Sendable {
    /// One count per kind, in the order of `Resources.Kind.allCases`; `nil` if the build does not trace.
    private let counts: [Int]?

    /// The counts by type and place; empty if the build does not trace.
    let details: ResourceCounts

    /// Takes a snapshot: the counts by kind and type, and by place for resources that were made while stacks were
    /// recorded. Call it from any thread.
    ///
    /// O(t) for *t* threads and each type, and O(n) for *n* registered resources. The counts are read one after
    /// another, so they are not of a single instant if other threads make or release resources at the same time.
    public init() {
        #if TRACE_RESOURCES
            let details = ResourceCounts.current(withOrigins: true)
            self.init(counts: details.byKind, details: details)
        #else
            self.init(counts: nil)
        #endif
    }

    /// Creates a snapshot with the given counts, one for each kind; `nil` for a build that does not trace.
    package init(counts: [Int]?) { self.init(counts: counts, details: ResourceCounts(byType: [])) }

    private init(counts: [Int]?, details: ResourceCounts) {
        self.counts = counts
        self.details = details
    }

    /// The number of live resources, which is the sum of all kinds; `nil` if the build does not trace.
    public var total: Int? { counts?.reduce(0, +) }

    /// The number of live resources of one kind; `nil` if the build does not trace.
    public func count(of kind: Resources.Kind) -> Int? { counts?[kind.rawValue] }

    /// The number of live resources of each type that has live resources; empty if the build does not trace. O(t) for
    /// *t* types.
    public var types: [ResourceType: Int] { details.named }

    /// The number of live resources by the place where they were made. Covers resources that were made while stacks
    /// were recorded. O(n) for *n* places.
    public var origins: [ResourceOrigin: Int] { details.origins }

    /// The change since `earlier`: the counts of this snapshot minus the counts of `earlier`.
    public func difference(from earlier: ResourceSnapshot) -> ResourceDifference {
        guard let counts, let before = earlier.counts else { return ResourceDifference(changes: nil) }
        return ResourceDifference(
            changes: zip(counts, before).map { $0 - $1 }, details: details.subtracting(earlier.details))
    }
}

extension ResourceSnapshot: CustomStringConvertible {
    /// `total 3: observable 1, sink 2`, without the kinds that have no live resources.
    public var description: String { CountsText.text(of: counts) { String($0) } }
}

/// A type of resource, by the name that users know: the operator that made it, or its class.
public struct ResourceType: Hashable, Sendable {
    /// `map<Int, String>`, `PublishSubject<Int>`, `DisposeBag`. If both element types of an operator are the same, the
    /// name has only one.
    public let name: String
    /// The kind of resource.
    public let kind: Resources.Kind

    /// Creates a type with this name and kind.
    public init(name: String, kind: Resources.Kind) { (self.name, self.kind) = (name, kind) }
}

extension ResourceType: CustomStringConvertible {
    /// `map<Int, String> (sink)`, for example.
    public var description: String { "\(name) (\(kind))" }
}

/// The place where resources of one type were made.
public struct ResourceOrigin: Hashable, Sendable {
    /// The type of the resources.
    public let type: ResourceType
    /// The calls that made the resources; `nil` if they are not known.
    public let stack: CallStack?

    /// Creates an origin from a type and the calls that made the resources.
    public init(type: ResourceType, stack: CallStack?) { (self.type, self.stack) = (type, stack) }
}

extension ResourceCounts {
    #if TRACE_RESOURCES
        /// The counts by kind, in the order of `Resources.Kind.allCases`.
        fileprivate var byKind: [Int] {
            var result = Resources.Kind.allCases.map { _ in 0 }
            for (type, count) in byType.enumerated() where count != 0 {
                if let kind = TracedResources.kind(ofType: UInt32(type)) { result[kind.rawValue] += count }
            }
            return result
        }

        /// The counts that are not 0, by the names of their types. Several type numbers may have the same name.
        fileprivate var named: [ResourceType: Int] {
            var result: [ResourceType: Int] = [:]
            for (type, count) in byType.enumerated() where count != 0 {
                if let type = Self.type(UInt32(type)) { result[type, default: 0] += count }
            }
            return result
        }

        /// The counts of registered resources, by the names of their types and the calls that made them.
        fileprivate var origins: [ResourceOrigin: Int] {
            var result: [ResourceOrigin: Int] = [:]
            for (origin, count) in byOrigin where count != 0 {
                guard let type = Self.type(origin.type) else { continue }
                result[ResourceOrigin(type: type, stack: TracedResources.callStack(origin.stack)), default: 0] += count
            }
            return result
        }

        private static func type(_ number: UInt32) -> ResourceType? {
            TracedResources.kind(ofType: number).map {
                ResourceType(name: TracedResources.name(ofType: number), kind: Resources.Kind($0))
            }
        }
    #else
        fileprivate var named: [ResourceType: Int] { [:] }
        fileprivate var origins: [ResourceOrigin: Int] { [:] }
    #endif
}

/// The change of the number of live reactive resources, in total and by kind.
///
/// The change of a kind is positive if there are more resources, and negative if there are fewer. In a build that does
/// not trace, every change is `nil` and not 0.
public struct ResourceDifference: Equatable, Sendable {
    /// One change per kind, in the order of `Resources.Kind.allCases`; `nil` if the build does not trace.
    private let changes: [Int]?

    private let details: ResourceCounts

    /// Creates a difference with the given changes, one for each kind; `nil` for a build that does not trace.
    package init(changes: [Int]?) { self.init(changes: changes, details: ResourceCounts(byType: [])) }

    init(changes: [Int]?, details: ResourceCounts) {
        self.changes = changes
        self.details = details
    }

    /// The change of the number of live resources; `nil` if the build does not trace.
    ///
    /// It can be 0 although kinds have changed, in opposite directions. `isEmpty` distinguishes these cases.
    public var total: Int? { changes?.reduce(0, +) }

    /// The change of the number of live resources of one kind; `nil` if the build does not trace.
    public func change(of kind: Resources.Kind) -> Int? { changes?[kind.rawValue] }

    /// Whether no kind has changed; `nil` if the build does not trace.
    public var isEmpty: Bool? { changes?.allSatisfy { $0 == 0 } }

    /// The types whose number has changed, with the change, the largest growth first; empty if the build does not
    /// trace.
    ///
    ///     let earlier = ResourceSnapshot()
    ///     let held = Observable.just(1).map { "\($0)" }
    ///     let found = ResourceSnapshot().difference(from: earlier)
    ///     print(found.types.map(\.type.name))  // ["just<Int>", "map<Int, String>"]
    ///     withExtendedLifetime(held) {}
    public var types: [(type: ResourceType, change: Int)] {
        details.named.map { (type: $0.key, change: $0.value) }.filter { $0.change != 0 }
            .sorted { ($1.change, $0.type.description) < ($0.change, $1.type.description) }
    }

    /// The places at which the number of resources has changed, with the change, the largest growth first. Covers
    /// resources that were made while stacks were recorded; empty if none were.
    public var origins: [(origin: ResourceOrigin, change: Int)] {
        details.origins.map { (origin: $0.key, change: $0.value) }.filter { $0.change != 0 }
            .sorted { ($1.change, $0.origin.type.description) < ($0.change, $1.origin.type.description) }
    }

    /// The changes as lines: the total, the change of each type, and below each type the changes by the place where the
    /// resources were made. The largest growth is first.
    ///
    /// - Parameter frames: the number of your own calls to show of each stack.
    public func details(frames: Int = 3) -> String {
        var lines = [description]
        for (type, change) in types {
            lines.append("  \(CountsText.signed(change)) \(type)")
            for (origin, change) in origins where origin.type == type && frames > 0 {
                let calls = origin.stack?.framesOfYours.prefix(frames).map { "        \($0)" } ?? []
                lines.append("    \(CountsText.signed(change)) made by")
                lines += calls.isEmpty ? ["        code that could not be seen"] : calls
            }
        }
        return lines.joined(separator: "\n")
    }
}

extension ResourceDifference: CustomStringConvertible {
    /// `total +1: sink +2, disposable -1`, without the kinds that have not changed.
    public var description: String { CountsText.text(of: changes, number: CountsText.signed) }
}

/// The text of counts by kind.
enum CountsText {
    static func signed(_ count: Int) -> String { count > 0 ? "+\(count)" : "\(count)" }

    static func text(of counts: [Int]?, number: (Int) -> String) -> String {
        guard let counts else {
            return """
                unavailable: this build does not trace resources. Build for debugging, or with '--traits \
                default,TRACE_RESOURCES'.
                """
        }
        let kinds = zip(Resources.Kind.allCases, counts).filter { $0.1 != 0 }.map { "\($0.0) \(number($0.1))" }
        let total = "total " + number(counts.reduce(0, +))
        return kinds.isEmpty ? total : total + ": " + kinds.joined(separator: ", ")
    }
}

extension Resources.Kind {
    /// The kind of a traced resource. The compiler checks that both modules have the same kinds.
    init(_ kind: TracedKind) {
        self =
            switch kind {
            case .observable: .observable
            case .subject: .subject
            case .sink: .sink
            case .disposable: .disposable
            case .connection: .connection
            case .scheduler: .scheduler
            }
    }
}

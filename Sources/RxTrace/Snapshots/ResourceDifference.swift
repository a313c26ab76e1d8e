import Rx

/// How many reactive resources are alive more than before, in total and by kind.
///
/// A kind that has grown counts positive, one that has shrunk negative. Without tracing there is no difference to tell:
/// every change is `nil`, never 0.
public struct ResourceDifference: Equatable, Sendable {
    /// One change per kind, in the order of `Resources.Kind.allCases`; `nil` if the build does not trace.
    private let changes: [Int]?

    private let details: ResourceCounts

    /// A difference of given changes, one per kind; `nil` stands for a build that does not trace.
    package init(changes: [Int]?) { self.init(changes: changes, details: ResourceCounts(byType: [])) }

    init(changes: [Int]?, details: ResourceCounts) {
        self.changes = changes
        self.details = details
    }

    /// The change of the number of live resources; `nil` if the build does not trace.
    ///
    /// It can be 0 although kinds have changed, in opposite directions: `isEmpty` tells.
    public var total: Int? { changes?.reduce(0, +) }

    /// The change of the number of live resources of one kind; `nil` if the build does not trace.
    public func change(of kind: Resources.Kind) -> Int? { changes?[kind.rawValue] }

    /// Whether no kind has changed; `nil` if the build does not trace.
    public var isEmpty: Bool? { changes?.allSatisfy { $0 == 0 } }

    /// The types that have changed, by what their number has changed, what has grown most first; empty if the build
    /// does not trace.
    ///
    ///     let earlier = ResourceSnapshot()
    ///     let held = Observable.just(1).map { "\($0)" }
    ///     let found = ResourceSnapshot().difference(from: earlier)
    ///     print(found.types.map(\.type.name))  // ["just<Int>", "map<Int, String>"]
    ///     withExtendedLifetime(held) {}
    public var types: [(type: ResourceType, change: Int)] {
        #if TRACE_RESOURCES
            details.named.map { (type: $0.key, change: $0.value) }.filter { $0.change != 0 }
                .sorted { ($1.change, $0.type.description) < ($0.change, $1.type.description) }
        #else
            []
        #endif
    }

    /// The places at which resources were made that have changed in number, what has grown most first; of resources
    /// that were made while stacks were recorded, and empty if none were.
    public var origins: [(origin: ResourceOrigin, change: Int)] {
        #if TRACE_RESOURCES
            details.origins.map { (origin: $0.key, change: $0.value) }.filter { $0.change != 0 }
                .sorted { ($1.change, $0.origin.type.description) < ($0.change, $1.origin.type.description) }
        #else
            []
        #endif
    }

    /// The changes in lines: in total, by type, and below each type where what has been added was made; what has grown
    /// most comes first.
    ///
    /// - Parameter frames: how many calls of your own code are shown of each stack.
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
            return
                """
                unavailable: this build does not trace resources. Build for debugging, or with '--traits \
                default,TRACE_RESOURCES'.
                """
        }
        let kinds = zip(Resources.Kind.allCases, counts).filter { $0.1 != 0 }.map { "\($0.0) \(number($0.1))" }
        let total = "total " + number(counts.reduce(0, +))
        return kinds.isEmpty ? total : total + ": " + kinds.joined(separator: ", ")
    }
}

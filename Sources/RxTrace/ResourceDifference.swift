import Rx

/// How many reactive resources are alive more than before, in total and by kind.
///
/// A kind that has grown counts positive, one that has shrunk negative. Without tracing there is no difference to tell: every
/// change is `nil`, never 0.
public struct ResourceDifference: Equatable, Sendable {
    /// One change per kind, in the order of `Resources.Kind.allCases`; `nil` if the build does not trace.
    private let changes: [Int]?

    /// A difference of given changes, one per kind; `nil` stands for a build that does not trace.
    package init(changes: [Int]?) { self.changes = changes }

    /// The change of the number of live resources; `nil` if the build does not trace.
    ///
    /// It can be 0 although kinds have changed, in opposite directions: `isEmpty` tells.
    public var total: Int? { changes?.reduce(0, +) }

    /// The change of the number of live resources of one kind; `nil` if the build does not trace.
    public func change(of kind: Resources.Kind) -> Int? { changes?[kind.rawValue] }

    /// Whether no kind has changed; `nil` if the build does not trace.
    public var isEmpty: Bool? { changes?.allSatisfy { $0 == 0 } }
}

extension ResourceDifference: CustomStringConvertible {
    /// `total +1: sink +2, disposable -1`, without the kinds that have not changed.
    public var description: String { CountsText.text(of: changes) { $0 > 0 ? "+\($0)" : "\($0)" } }
}

/// The text of counts by kind.
enum CountsText {
    static func text(of counts: [Int]?, number: (Int) -> String) -> String {
        guard let counts else {
            return "unavailable: this build does not trace resources. Build for debugging, or with '--traits default,TRACE_RESOURCES'."
        }
        let kinds = zip(Resources.Kind.allCases, counts).filter { $0.1 != 0 }.map { "\($0.0) \(number($0.1))" }
        let total = "total " + number(counts.reduce(0, +))
        return kinds.isEmpty ? total : total + ": " + kinds.joined(separator: ", ")
    }
}

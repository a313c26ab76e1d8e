import Rx

/// Counts the live Swift objects of this process by type, so that `detectGrowth` can follow them beside reactive resources.
///
/// The product `RxTraceObjects` has one: `RxTrace.followsObjects` turns it on.
public protocol LiveObjectCounter: Sendable {
    /// Why objects are not counted in this process, and what to do; `nil` if they are.
    var obstacle: String? { get }

    /// How many objects of each type are alive, by an identity of the type that holds as long as the process. From any thread.
    ///
    /// Asked for again and again while a run settles: it takes no names, and keeps nothing.
    func liveObjects() -> [UInt: Int]

    /// The full name of a type of `liveObjects()`, such as `App.ViewModel`: the same across runs and builds.
    func name(of type: UInt) -> String
}

extension RxTrace {
    private static let counter = Guarded<(any LiveObjectCounter)?>(nil)

    /// What counts Swift objects in this process; `nil` until `RxTrace.followsObjects`, of the product `RxTraceObjects`, turns it on.
    public static var objectCounter: (any LiveObjectCounter)? {
        get { counter.withLock { $0 } }
        set { counter.exchange(\.self, newValue) }
    }
}

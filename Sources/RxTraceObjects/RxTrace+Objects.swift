import RxTrace

extension RxTrace {
    /// Whether `detectGrowth` follows the Swift objects of every type beside reactive resources. Off at first.
    ///
    ///     RxTrace.followsObjects = true
    ///     print(RxTrace.followsObjects)  // true
    ///
    /// So it finds leaks of the program's own classes too. Process-wide. Where objects are not counted, reports say so, with the reason.
    public static var followsObjects: Bool {
        get { objectCounter != nil }
        set { objectCounter = newValue ? InterposedCounter() : nil }
    }
}

/// The counter of this product, as `detectGrowth` asks it.
struct InterposedCounter: LiveObjectCounter {
    var obstacle: String? { ObjectCounts.obstacle }

    func liveObjects() -> [UInt: Int] { TypeTable.counts() }

    func name(of type: UInt) -> String { TypeName.text(of: type) }
}

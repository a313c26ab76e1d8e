import Rx
public import RxTrace

extension RxTrace {
    /// Whether `detectGrowth` follows the Swift objects of every type beside reactive resources. Off at first.
    ///
    ///     RxTrace.followsObjects = true
    ///     print(RxTrace.followsObjects)  // true
    ///     RxTrace.followsObjects = false
    ///
    /// So it finds leaks of the program's own classes too. Process-wide. Where objects are not counted, reports say so,
    /// with the reason.
    public static var followsObjects: Bool {
        get { following.withLock { $0 } }
        set {
            following.withLock { $0 = newValue }
            if newValue { follow(ObjectCounter()) } else { unfollow(named: ObjectCounter().name) }
        }
    }

    private static let following = Guarded(false)
}

/// The counter of live Swift objects, as `detectGrowth` asks it.
struct ObjectCounter: GrowthCounter {
    let name = "objects"

    func read() -> GrowthReading {
        if let obstacle = ObjectCounts.obstacle { return .unavailable(obstacle) }
        return .counts(
            Dictionary(TypeTable.counts().map { (.objects(TypeName.text(of: $0.key)), $0.value) }, uniquingKeysWith: +))
    }

    /// Found in the heap, as nothing is kept of single objects. Empty for closures, which have no type to look for.
    func addresses(of metric: GrowthMetric, in heap: HeapSnapshot) -> [UInt] {
        guard case .objects(let name) = metric else { return [] }
        return TypeTable.types(named: name).flatMap { heap.addresses(of: $0) }
    }
}

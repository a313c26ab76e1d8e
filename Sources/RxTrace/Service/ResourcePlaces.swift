import CRx
import Rx

/// Live resources of one type that were made at one place.
public struct ResourcePlace: Sendable {
    /// The type: `map<Int, String> (sink)`.
    public let metric: GrowthMetric
    /// How many of them are alive.
    public let count: Int
    /// The innermost call of yours that made them, `Screen.open() at Screen.swift:42`; `nil` where none is known.
    public let maker: String?
    /// The holders of one of them; `nil` below the level `paranoid`, and where none was found.
    public let retention: Retention?

    /// A place of given figures: for tests of what is made of them.
    public init(metric: GrowthMetric, count: Int, maker: String?, retention: Retention? = nil) {
        self.metric = metric
        self.count = count
        self.maker = maker
        self.retention = retention
    }
}

extension ResourcePlace: CustomStringConvertible {
    /// `500  PublishSubject<Int> (subject), made by Screen.init() at Screen.swift:12`, and below it who holds one of
    /// them, if that is known.
    public var description: String {
        let line = "\(count)  \(metric), made by \(maker ?? "calls of which none is yours")"
        return retention.map { "\(line)\n    \($0.headline)" } ?? line
    }
}

#if TRACE_RESOURCES
    extension ResourcePlace {
        /// The number of stacks that are named, those with the most resources: each takes up to some milliseconds.
        private static let stackLimit = 256
        /// The number of places whose holders are looked up.
        private static let holderLimit = 20

        /// The places at which the resources were made that are registered now, those with the most first.
        ///
        /// O(n) for *n* registered resources. At the level `paranoid` the heap is read besides.
        static func registered() -> [ResourcePlace] {
            struct Made: Hashable { let type, stack: UInt32 }
            struct Place: Hashable { let metric: GrowthMetric, maker: String? }
            var made: [Made: [UInt]] = [:]
            var places: [Place: [UInt]] = [:]
            TracedResources.forEachRegistered { resource in
                made[Made(type: resource.type, stack: resource.stack), default: []].append(UInt(resource.address))
            }
            for (key, addresses) in made.sorted(by: { $0.value.count > $1.value.count }).prefix(stackLimit) {
                guard let kind = TracedResources.kind(ofType: key.type) else { continue }
                let maker = TracedResources.callStack(key.stack)?.framesOfYours.first?.description
                let metric = GrowthMetric.type(TracedResources.name(ofType: key.type), kind)
                places[Place(metric: metric, maker: maker), default: []] += addresses
            }
            let sorted = places.sorted { ($1.value.count, "\($0.key)") < ($0.value.count, "\($1.key)") }
            let heap = RxTrace.level == .paranoid && !sorted.isEmpty ? try? HeapSnapshot.capture() : nil
            return sorted.enumerated().map { index, place in
                let retention = index < holderLimit ? heap?.retention(of: Array(place.value.prefix(8))) : nil
                return ResourcePlace(
                    metric: place.key.metric, count: place.value.count, maker: place.key.maker, retention: retention)
            }
        }
    }
#endif

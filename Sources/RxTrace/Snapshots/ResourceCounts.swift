import CRx
import Rx

/// How many resources there are, by the numbers of their types and stacks: quick to take and to compare, names come
/// later.
struct ResourceCounts: Equatable, Sendable {
    /// A type and where resources of it were made, by number.
    struct Origin: Hashable, Sendable {
        let type: UInt32
        let stack: UInt32
    }

    /// By the number of the type; without zeroes at its end.
    let byType: [Int]
    /// Those that are registered; empty unless stacks are recorded.
    let byOrigin: [Origin: Int]

    init(byType: [Int], byOrigin: [Origin: Int] = [:]) {
        self.byType = byType
        self.byOrigin = byOrigin
    }

    #if TRACE_RESOURCES
        /// The counts of this moment.
        ///
        /// - Parameter withOrigins: whether to look through the registry, which is O(n) for *n* resources in it.
        static func current(withOrigins: Bool) -> ResourceCounts {
            var counts = TracedResources.countsByType()
            while counts.last == 0 { counts.removeLast() }
            var byOrigin: [Origin: Int] = [:]
            if withOrigins {
                TracedResources.forEachRegistered { byOrigin[Origin(type: $0.type, stack: $0.stack), default: 0] += 1 }
            }
            return ResourceCounts(byType: counts, byOrigin: byOrigin)
        }

        /// The changes by kind, in the order of `Resources.Kind.allCases`.
        var byKind: [Int] {
            var result = Resources.Kind.allCases.map { _ in 0 }
            for (type, count) in byType.enumerated() where count != 0 {
                if let kind = TracedResources.kind(ofType: UInt32(type)) { result[kind.rawValue] += count }
            }
            return result
        }

        /// Those that are not 0, under the names of their types: several numbers may have one.
        var named: [ResourceType: Int] {
            var result: [ResourceType: Int] = [:]
            for (type, count) in byType.enumerated() where count != 0 {
                if let type = Self.type(UInt32(type)) { result[type, default: 0] += count }
            }
            return result
        }

        /// Those that are registered, under the names of their types.
        var origins: [ResourceOrigin: Int] {
            var result: [ResourceOrigin: Int] = [:]
            for (origin, count) in byOrigin where count != 0 {
                guard let type = Self.type(origin.type) else { continue }
                result[ResourceOrigin(type: type, stack: TracedResources.callStack(origin.stack)), default: 0] += count
            }
            return result
        }

        private static func type(_ number: UInt32) -> ResourceType? {
            TracedResources.kind(ofType: number).map {
                ResourceType(name: TracedResources.name(ofType: number), kind: $0)
            }
        }
    #endif

    /// Whether the counts by type are equal, however many types there are by now.
    func isSame(as other: ResourceCounts) -> Bool { subtracting(other).byType.allSatisfy { $0 == 0 } }

    /// These counts less others.
    func subtracting(_ others: ResourceCounts) -> ResourceCounts {
        let length = max(byType.count, others.byType.count)
        func count(_ counts: [Int], _ index: Int) -> Int { index < counts.count ? counts[index] : 0 }
        return ResourceCounts(
            byType: (0..<length).map { count(byType, $0) - count(others.byType, $0) },
            byOrigin: byOrigin.merging(others.byOrigin.mapValues { -$0 }, uniquingKeysWith: +))
    }
}

/// The counts of resources by the numbers of their types and stacks. They are quick to take and to compare, because
/// names are looked up later.
package struct ResourceCounts: Equatable, Sendable {
    /// The numbers of a type and of the stack that made its resources.
    package struct Origin: Hashable, Sendable {
        package let type: UInt32
        package let stack: UInt32
    }

    /// The counts by the number of the type, without trailing zeroes.
    package let byType: [Int]
    /// The counts of registered resources; empty unless stacks are recorded.
    package let byOrigin: [Origin: Int]

    package init(byType: [Int], byOrigin: [Origin: Int] = [:]) { (self.byType, self.byOrigin) = (byType, byOrigin) }

    /// Returns the present counts; no counts in a program that does not trace resources.
    ///
    /// - Parameter withOrigins: whether to count the registered resources, which is O(n) for *n* of them.
    package static func current(withOrigins: Bool) -> ResourceCounts {
        var counts = TracedResources.countsByType()
        while counts.last == 0 { counts.removeLast() }
        var byOrigin: [Origin: Int] = [:]
        if withOrigins {
            TracedResources.forEachRegistered { byOrigin[Origin(type: $0.type, stack: $0.stack), default: 0] += 1 }
        }
        return ResourceCounts(byType: counts, byOrigin: byOrigin)
    }

    /// Whether the counts by type are equal, even if the numbers of types differ.
    func isSame(as other: ResourceCounts) -> Bool { subtracting(other).byType.allSatisfy { $0 == 0 } }

    /// Returns these counts minus other counts.
    package func subtracting(_ others: ResourceCounts) -> ResourceCounts {
        let length = max(byType.count, others.byType.count)
        func count(_ counts: [Int], _ index: Int) -> Int { index < counts.count ? counts[index] : 0 }
        return ResourceCounts(
            byType: (0..<length).map { count(byType, $0) - count(others.byType, $0) },
            byOrigin: byOrigin.merging(others.byOrigin.mapValues { -$0 }, uniquingKeysWith: +))
    }
}

/// Puts what grows for one cause into one group.
enum GrowthCauses {
    /// The groups, those that grow with who holds them, and those with the same cause as one.
    static func explained(_ groups: GrowthGroups) -> [GrowthGroup] {
        let found = groups.found()
        guard found.contains(where: \.mayBeExplained), let heap = try? HeapSnapshot.capture() else {
            return found.map(\.group)
        }
        // Rx's own classes say nothing that their resources do not.
        let knowsResources = found.contains { $0.group.verdict.isGrowing && !$0.addresses.isEmpty }
        var leaks: [ExplainedGroup] = []
        var rest: [GrowthGroup] = []
        for found in found where !(knowsResources && found.group.subject.isObjectsOfOurs) {
            if found.mayBeExplained, let leak = ExplainedGroup(found, in: heap) {
                leaks.append(leak)
            } else {
                rest.append(found.group)
            }
        }
        let causes = ExplainedGroup.causes(of: leaks).map(\.group)
        // Closures are counted as one: some that grow belong to what else does.
        return causes + rest.filter { causes.isEmpty || $0.subject != .closures }
    }
}

extension GrowthGroups.Found {
    /// Whether somebody may be found who holds it.
    fileprivate var mayBeExplained: Bool {
        guard group.verdict.isGrowing else { return false }
        if case .objects = group.subject { return group.subject != .closures }
        return !addresses.isEmpty
    }
}

/// Puts what grows for one cause into one group.
enum GrowthCauses {
    /// The groups, those that grow with who holds them, and those with the same holder as one.
    static func explained(_ groups: GrowthGroups) -> [GrowthGroup] {
        let found = groups.found()
        guard found.contains(where: { $0.group.verdict.isGrowing && !$0.addresses.isEmpty }), let heap = try? HeapSnapshot.capture() else {
            return found.map(\.group)
        }
        let held = found.map { found in
            let isHeld = found.group.verdict.isGrowing && !found.addresses.isEmpty
            return isHeld ? found.group.held(by: heap.retention(of: found.addresses)) : found.group
        }
        return merged(held)
    }

    /// One group for each cause, where the first group of it was: the one whose holder is nearest to the cause.
    static func merged(_ groups: [GrowthGroup]) -> [GrowthGroup] {
        let causes = groups.filter { $0.retention != nil }.sorted(by: isNearer)
        var members: [Int: [GrowthSubject]] = [:]
        var rest = groups.filter { $0.retention == nil }
        var chosen: [GrowthGroup] = []
        for group in causes {
            if let index = chosen.firstIndex(where: { isCause($0.retention!, of: group.retention!) }) {
                members[index, default: []].append(group.subject)
            } else {
                chosen.append(group)
            }
        }
        for (index, subjects) in members { chosen[index] = chosen[index].accompanied(by: subjects) }
        rest.insert(contentsOf: chosen, at: 0)
        return rest
    }

    private static func isNearer(_ one: GrowthGroup, _ other: GrowthGroup) -> Bool {
        (one.retention!.steps.count, one.subject.description) < (other.retention!.steps.count, other.subject.description)
    }

    /// Whether what `nearer` explains keeps what `farther` does: they hang on one cycle, or the one chain goes on from the other.
    private static func isCause(_ nearer: Retention, of farther: Retention) -> Bool {
        guard nearer.isCycle == farther.isCycle else { return false }
        func names(_ retention: Retention, _ count: Int) -> [String] { retention.steps.prefix(count).map(\.stableName) }
        if nearer.isCycle {
            // Two cycles that one change breaks.
            if nearer.advice == farther.advice { return true }
            return Set(names(nearer, nearer.cycleLength)) == Set(names(farther, farther.cycleLength))
        }
        return names(farther, nearer.steps.count) == names(nearer, nearer.steps.count)
    }
}

extension GrowthGroup {
    fileprivate func held(by retention: Retention?) -> GrowthGroup {
        GrowthGroup(subject: subject, counts: counts, verdict: verdict, creationStack: creationStack, retention: retention)
    }

    fileprivate func accompanied(by companions: [GrowthSubject]) -> GrowthGroup {
        GrowthGroup(
            subject: subject, counts: counts, verdict: verdict, creationStack: creationStack, retention: retention,
            companions: companions.sorted { $0.description < $1.description })
    }
}

import CRaces

/// Makes a failing schedule as short as it gets: fewest preemptions, then turns, then steps.
struct RaceShrinking {
    private let execution: RaceExecution
    private let fault: RaceFault
    private var best: (schedule: RaceSchedule, cost: Cost)?

    private struct Cost: Comparable {
        let preemptions, turns, steps: Int

        static func < (first: Cost, second: Cost) -> Bool {
            (first.preemptions, first.turns, first.steps) < (second.preemptions, second.turns, second.steps)
        }
    }

    init(_ execution: RaceExecution, _ fault: RaceFault) {
        self.execution = execution
        self.fault = fault
    }

    /// The shortest schedule that was found to end in the same fault; O(t²) executions for *t* turns.
    mutating func shrunk(_ schedule: RaceSchedule) -> RaceSchedule {
        guard attempt(schedule) else { return schedule }
        var isShorter = true
        while isShorter { isShorter = removeTurn() || shiftTurn() }
        return best?.schedule ?? schedule
    }

    private mutating func removeTurn() -> Bool {
        guard let turns = best?.schedule.turns else { return false }
        for index in turns.indices.reversed() {
            var fewer = turns
            fewer.remove(at: index)
            if !fewer.isEmpty, attempt(RaceSchedule(turns: fewer)) { return true }
        }
        return false
    }

    /// Ends a turn earlier, so that less happens before the next.
    private mutating func shiftTurn() -> Bool {
        guard let turns = best?.schedule.turns else { return false }
        for index in turns.indices where turns[index].steps > 1 {
            for steps in 1..<turns[index].steps {
                var shorter = turns
                shorter[index].steps = steps
                if attempt(RaceSchedule(turns: shorter)) { return true }
            }
        }
        return false
    }

    /// Whether `schedule` ends in the same fault and is shorter than the best.
    private mutating func attempt(_ schedule: RaceSchedule) -> Bool {
        guard case .failed(let found) = execution.follow(schedule), found == fault else { return false }
        let whole = RaceSearch.lastSchedule
        let cost = Cost(
            preemptions: Int(rxraces_preemptions()), turns: whole.turns.count, steps: Int(rxraces_length()))
        if let best, best.cost <= cost { return false }
        best = (whole, cost)
        return true
    }
}

import CRaces
import RxBench

/// Searches one race with bounds on preemptions, without a bound, or at random. The search ends when a fault is found
/// or the time limit has passed.
package final class RaceSearch {
    private let request: RaceRequest
    private let execution: RaceExecution
    private let shouldStop: () -> Bool
    private var stages: [RaceStage] = []
    /// The name of the stage that is running.
    private(set) var stage = ""
    private var outcomes: [RaceGrade: UInt64] = [:]
    private var fault: (fault: RaceFault, schedule: RaceSchedule, executions: Int, stage: String?)?
    private var refusal: String?
    /// The call stack of an actor that ran without taking a step, and the number of times that this happened. The
    /// search ends after the third time.
    private var unfinished: RaceCalls?
    private var unfinishedCount = 0
    /// Whether an actor waited until a point in time.
    private var waitsForTime = false
    /// Whether there was a store that later loads of the same actor may overtake.
    private var hasStores = false
    private let start = MonotonicClock.nanoseconds
    private var notes: [String] = []

    /// - Parameter shouldStop: A closure that is called from time to time. If it returns `true`, the search ends with
    ///   the results so far.
    package init(
        _ race: Race, _ request: RaceRequest, invariants: [RaceInvariant], shouldStop: @escaping () -> Bool
    ) {
        self.request = request
        self.shouldStop = shouldStop
        execution = RaceExecution(race, invariants: invariants)
    }

    /// Searches the race, shrinks the schedule of a fault, and describes its steps.
    package func record() -> RaceRecord {
        warmUp()
        if let replay = request.replay.flatMap({ RaceSchedule($0) }) {
            follow(replay)
        } else {
            search()
        }
        var finding: RaceFinding?
        if let fault {
            // A fault that was found late is still shrunk for a while.
            rxraces_limit(max(request.seconds - Double(MonotonicClock.nanoseconds - start) / 1e9, 0.5))
            var shrinking = RaceShrinking(execution, fault.fault)
            let schedule = request.replay == nil ? shrinking.shrunk(fault.schedule) : fault.schedule
            finding = RaceNarration(execution).finding(fault.fault, schedule)
            finding?.executions = fault.executions
            finding?.stage = fault.stage
        }
        return RaceRecord(
            id: request.id, stages: stages,
            outcomes: outcomes.sorted { ($1.value, $0.key.label) < ($0.value, $1.key.label) }.map {
                RaceOutcome(label: $0.key.label, expectation: $0.key.expectation, count: $0.value)
            },
            finding: finding, refusal: refusal, unfinished: unfinished, notes: notes, instrumentation: .current)
    }

    /// Runs executions that create type metadata, initialise globals, and learn locks and choices, so that later
    /// executions do not need to do this.
    private func warmUp() {
        rxraces_forget_choices()
        for (strategy, count) in [(rxraces_depth_first, 3), (rxraces_random, request.isRandom ? 0 : 100)] {
            var plan = Self.plan(strategy, bound: 0)
            plan.detects_races = false
            rxraces_start(&plan)
            if strategy == rxraces_depth_first { rxraces_limit(request.seconds) }
            for _ in 0..<count where !isDecided && !rxraces_is_over() {
                switch execution.run() {
                case .refused(let name): refusal = name
                case .unfinished(let calls):
                    unfinished = calls
                    return
                case .graded, .failed: break
                }
                _ = rxraces_next()
            }
        }
    }

    /// Whether more schedules would not change the result.
    private var isDecided: Bool { fault != nil || refusal != nil || unfinishedCount == 3 }

    private func search() {
        guard !isDecided else { return }
        func deadline(_ share: Double) -> UInt64 { start + UInt64(request.seconds * share * 1e9) }
        if !request.isRandom {
            let bounds = 0...max(request.bound, 0)
            for bound in bounds {
                guard run(.bound, Self.plan(rxraces_depth_first, bound: bound), until: deadline(0.8)) else {
                    break
                }
            }
            let isCovered = stages.count == bounds.count && stages.allSatisfy(\.isExhausted)
            if request.isExhaustive, isCovered, waitsForTime {
                notes.append(
                    "Not searched without a bound: it waits for times, which may come before any step. "
                        + "Raise '--bound' instead.")
            } else if request.isExhaustive, isCovered {
                _ = run(.reduced, Self.plan(rxraces_reduced, bound: -1), until: deadline(0.9))
            }
            var counting = Self.plan(rxraces_depth_first, bound: min(request.bound, 1))
            counting.counts_references = true
            if isCovered { _ = run(.boundWithReferences, counting, until: deadline(1)) }
            var delaying = Self.plan(rxraces_depth_first, bound: request.bound)
            delaying.delays_stores = true
            if isCovered, hasStores, request.bound > 0 {
                _ = run(.boundWithDelayedStore, delaying, until: deadline(1))
            }
            if isCovered { return }
        }
        let middle = (MonotonicClock.nanoseconds + deadline(1)) / 2
        _ = run(.priorities, Self.plan(rxraces_priorities, bound: 2, seed: request.seed), until: middle)
        _ = run(.random, Self.plan(rxraces_random, bound: -1, seed: request.seed), until: deadline(1))
    }

    /// Runs one stage of the search. Returns whether the next stage may follow.
    private func run(_ method: RaceStage.Method, _ plan: rxraces_plan, until deadline: UInt64) -> Bool {
        guard !isDecided, !shouldStop(), MonotonicClock.nanoseconds < deadline else { return false }
        let bound = plan.strategy == rxraces_depth_first && plan.bound >= 0 ? Int(plan.bound) : nil
        stage = method.name(bound: bound)
        var plan = plan
        let begin = MonotonicClock.nanoseconds
        rxraces_start(&plan)
        var isExhausted = false
        repeat {
            switch execution.run() {
            case .graded(let grade): outcomes[grade, default: 0] += 1
            case .refused(let name): refusal = name
            case .unfinished(let calls):
                unfinished = unfinished ?? calls
                unfinishedCount += 1
            // The schedule of this fault does not include the newly learnt steps. The fault will be found again with
            // them.
            case .failed where rxraces_has_new_steps(): break
            case .failed(let found):
                fault = (found, Self.lastSchedule, Int(rxraces_counts().executions), stage)
            }
            if isDecided || rxraces_is_over() { break }
            if rxraces_counts().executions % 64 == 0, shouldStop() || MonotonicClock.nanoseconds > deadline { break }
            isExhausted = !rxraces_next()
        } while !isExhausted
        let counts = rxraces_counts()
        waitsForTime = waitsForTime || counts.has_times
        hasStores = hasStores || counts.has_stores
        if counts.is_nondeterministic {
            isExhausted = false
            notes.append("Equal schedules took different ways, so that nothing is called exhausted.")
        }
        stages.append(
            RaceStage(
                method: method, bound: bound, executions: counts.executions, isExhausted: isExhausted,
                seconds: Double(MonotonicClock.nanoseconds - begin) / 1e9, mostSteps: Int(counts.most_steps)))
        return !isDecided
    }

    private func follow(_ schedule: RaceSchedule) {
        execution.becomeUsual(schedule)
        var times: UInt64 = 0
        while times < max(request.repetitions, 1), keeps(execution.follow(schedule), after: times) { times += 1 }
        if let build = schedule.build, build != RaceBuild.current {
            notes.append("The schedule was found in the build \(build), and this is \(RaceBuild.current).")
        }
        if rxraces_strayed() > 0 {
            notes.append("\(rxraces_strayed()) steps of the schedule were not possible; others took their place.")
        }
        stages = [RaceStage(method: .replay, executions: times, isExhausted: false, seconds: 0, mostSteps: 0)]
    }

    /// Records the end of a replay. Returns whether it is the same as the first end.
    private func keeps(_ end: RaceExecution.End, after times: UInt64) -> Bool {
        switch end {
        case .graded(let grade):
            outcomes[grade, default: 0] += 1
            return fault == nil && outcomes.count == 1
        case .refused(let name):
            refusal = name
            return times == 0
        case .unfinished(let calls):
            unfinished = calls
            return false
        case .failed(let found):
            if times > 0, fault?.fault != found { return false }
            fault = (found, Self.lastSchedule, 1, nil)
            return true
        }
    }

    static func plan(_ strategy: rxraces_strategy, bound: Int, seed: UInt64 = 1) -> rxraces_plan {
        rxraces_plan(
            strategy: strategy, bound: Int32(bound), seed: seed, counts_references: false, records_stacks: false,
            detects_races: true, delays_stores: false, classifies: strategy == rxraces_reduced)
    }

    /// The schedule of the last execution.
    static var lastSchedule: RaceSchedule {
        RaceSchedule((0..<rxraces_length()).lazy.map { rxraces_step_at($0).choice })
    }
}

/// The identifier of the running program's build, which schedules contain.
package enum RaceBuild {
    package static let current = String(rxraces_build() & 0xff_ffff, radix: 16)
}

extension RaceExecution {
    /// Follows `schedule` until its steps are the same as in the previous execution. The first execution in
    /// a new process has additional steps, because type metadata and witness tables are created once.
    func becomeUsual(_ schedule: RaceSchedule) {
        var before: [UInt]?
        for _ in 0..<16 where !rxraces_is_over() {
            _ = follow(schedule)
            let places = (0..<rxraces_length()).map { rxraces_step_at($0).pc }
            if places == before { return }
            before = places
        }
    }

    /// Executes the race once, following `schedule`.
    func follow(_ schedule: RaceSchedule, recordingStacks: Bool = false, countingReferences: Bool = false) -> End {
        var plan = RaceSearch.plan(rxraces_replay, bound: -1)
        plan.records_stacks = recordingStacks
        plan.counts_references = countingReferences
        plan.delays_stores = schedule.delaysStores
        let choices = schedule.choices
        var end: End
        var attempts = 0
        // Accesses that are learnt during an execution become steps of the schedule, so the execution is repeated.
        repeat {
            if wasGivenUp { comeToAnEnd() }
            rxraces_start(&plan)
            rxraces_follow(choices, Int32(choices.count))
            end = run()
            attempts += 1
        } while rxraces_has_new_steps() && attempts < 8
        return end
    }

    /// Executes the race once to its end, one actor after the other. Globals then have the same values as after each
    /// execution of the search, so that a schedule takes the same steps again.
    private func comeToAnEnd() {
        var plan = RaceSearch.plan(rxraces_replay, bound: -1)
        rxraces_start(&plan)
        rxraces_follow([], 0)
        _ = run()
    }
}

/// Makes a failing schedule as short as possible. It first minimises preemptions, then turns, and then steps.
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

    /// Returns the shortest schedule found that ends in the same fault. Takes O(t²) executions for *t* turns.
    mutating func shrunk(_ schedule: RaceSchedule) -> RaceSchedule {
        guard attempt(schedule) else { return schedule }
        // A long schedule is first shortened by halves.
        while let turns = best?.schedule.turns, turns.count > 16,
            attempt(RaceSchedule(turns: Array(turns.prefix(turns.count / 2))))
        {}
        var isShorter = true
        while isShorter { isShorter = removeTurn() || shiftTurn() }
        return best?.schedule ?? schedule
    }

    private mutating func removeTurn() -> Bool {
        guard let turns = best?.schedule.turns else { return false }
        for index in turns.indices.reversed() where !rxraces_is_over() {
            var fewer = turns
            fewer.remove(at: index)
            if !fewer.isEmpty, attempt(RaceSchedule(turns: fewer)) { return true }
        }
        return false
    }

    /// Ends a turn earlier, so that fewer steps are executed before the next turn.
    private mutating func shiftTurn() -> Bool {
        guard let turns = best?.schedule.turns else { return false }
        for index in turns.indices where turns[index].steps > 1 {
            for steps in 1..<turns[index].steps where !rxraces_is_over() {
                var shorter = turns
                shorter[index].steps = steps
                if attempt(RaceSchedule(turns: shorter)) { return true }
            }
        }
        return false
    }

    /// Returns whether `schedule` ends in the same fault and is shorter than the best schedule so far.
    private mutating func attempt(_ schedule: RaceSchedule) -> Bool {
        guard !rxraces_is_over(), case .failed(let found) = execution.follow(schedule), found == fault else {
            return false
        }
        let whole = RaceSearch.lastSchedule
        let cost = Cost(
            preemptions: Int(rxraces_preemptions()), turns: whole.turns.count, steps: Int(rxraces_length()))
        if let best, best.cost <= cost { return false }
        best = (whole, cost)
        return true
    }
}

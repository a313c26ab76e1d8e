import CRaces
import CRx

/// Tells the steps of a failing execution: it is run again, with all calls recorded.
struct RaceNarration {
    private let execution: RaceExecution

    init(_ execution: RaceExecution) { self.execution = execution }

    /// The finding of `fault`, by the way of `schedule`.
    func finding(_ fault: RaceFault, _ schedule: RaceSchedule) -> RaceFinding {
        rxraces_limit(1)
        let result = execution.follow(schedule, recordingStacks: true)
        var schedule = schedule
        schedule.build = RaceBuild.current
        var finding = RaceFinding(
            kind: fault.kind, sentence: fault.sentence, replay: schedule.text, preemptions: Int(rxraces_preemptions()))
        guard case .failed(let found) = result, found == fault else { return finding }
        var names: [UInt: String] = [:]
        // The beginning and the end of a long way say what it does between them.
        let (length, begin, end) = (rxraces_length(), Int32(40), Int32(60))
        let told = length > begin + end ? Array(0..<begin) + Array(length - end..<length) : Array(0..<length)
        finding.steps = told.map { step(rxraces_step_at($0), &names) }
        finding.stepCount = Int(length)
        finding.stacks = stacks(of: fault.kind)
        return finding
    }

    private func step(_ step: rxraces_step, _ names: inout [UInt: String]) -> RaceStep {
        var variable: String?
        if step.address != 0, step.kind != rxraces_call {
            variable = names[step.address] ?? "v\(names.count + 1)"
            names[step.address] = variable
        }
        let frames = Self.frames(of: step.stack)
        return RaceStep(
            actor: Int(step.actor), action: Self.action(step.kind, in: frames.first), variable: variable,
            before: step.before, after: step.after, frames: frames)
    }

    private func stacks(of kind: RaceFinding.Kind) -> [RaceCalls] {
        let failure = rxraces_failed()
        let actor = RaceSchedule.letter(of: Int(max(failure.actor, 0)))
        let other = RaceSchedule.letter(of: Int(max(failure.other, 0)))
        let (first, second) = (Self.frames(of: failure.stack), Self.frames(of: failure.other_stack))
        switch kind {
        case .dataRace:
            return [
                RaceCalls(title: "\(other) \(Self.verb(failure.other_writes))", frames: second),
                RaceCalls(title: "\(actor) \(Self.verb(failure.writes))", frames: first),
            ]
        case .useAfterFree where failure.kind == rxraces_racing_free:
            return [
                RaceCalls(title: "\(other) \(Self.verb(failure.other_writes))", frames: second),
                RaceCalls(title: "\(actor) frees it", frames: first),
            ]
        case .useAfterFree where failure.kind == rxraces_use_after_return:
            return [RaceCalls(title: "\(actor) \(Self.verb(failure.writes)) it", frames: first)]
        case .useAfterFree, .doubleFree:
            return [
                RaceCalls(title: "\(other) has freed it", frames: second),
                RaceCalls(title: "\(actor) uses it", frames: first),
            ]
        case .crash: return [RaceCalls(title: "\(actor) crashes", frames: first)]
        case .deadlock, .livelock:
            return (0..<Int32(rxraces_most_actors)).compactMap { index in
                let addresses = Self.addresses { rxraces_actor_stack(index, $0, $1) }
                guard !addresses.isEmpty else { return nil }
                let what = Self.action(rxraces_pending(index).kind)
                return RaceCalls(
                    title: "\(RaceSchedule.letter(of: Int(index))) waits to \(what)", frames: Self.told(addresses))
            }
        case .forbidden, .leak: return []
        }
    }

    /// Where the actor is that did not come to an end.
    static func unfinished(_ failure: rxraces_failure) -> RaceCalls {
        RaceCalls(
            title: RaceSchedule.letter(of: Int(failure.actor)),
            frames: told(addresses { rxraces_actor_stack(failure.actor, $0, $1) }))
    }

    /// The data race that ThreadSanitizer's own library has reported, if it has.
    static var reported: RaceFinding? {
        let report = rxraces_reported()
        guard report.kind == rxraces_data_race else { return nil }
        var finding = RaceFinding(
            kind: .dataRace, sentence: sentence(of: report, "One thread", "another"), replay: "", preemptions: 0)
        func calls(_ title: String, isOther: Bool) -> RaceCalls {
            RaceCalls(title: title, frames: told(addresses { rxraces_reported_stack(isOther, $0, $1) }))
        }
        finding.stacks = [
            calls("One \(verb(report.writes))", isOther: false),
            calls("Another \(verb(report.other_writes))", isOther: true),
        ]
        return finding
    }

    /// A sentence that says how `one` and `another` race.
    static func sentence(of race: rxraces_failure, _ one: String, _ another: String) -> String {
        """
        \(one) \(verb(race.writes)) memory that \(another) \(verb(race.other_writes)) without an order between the two.
        """
    }

    static func verb(_ writes: Bool) -> String { writes ? "writes" : "reads" }

    private static func frames(of stack: UInt32) -> [RaceFrame] { told(addresses { rxraces_stack(stack, $0, $1) }) }

    /// The addresses that `write` writes into the room that it is given, and counts.
    private static func addresses(_ write: (UnsafeMutablePointer<UInt>, UInt32) -> UInt32) -> ArraySlice<UInt> {
        var addresses = [UInt](repeating: 0, count: Int(rxraces_frames))
        let count = write(&addresses, UInt32(rxraces_frames))
        return addresses.prefix(Int(count))
    }

    /// The functions down to those that the search itself calls.
    private static func told(_ addresses: some Sequence<UInt>) -> [RaceFrame] {
        addresses.flatMap(RaceFrame.all(at:)).prefix { !$0.function.hasPrefix("$s12RxBenchRaces") }.filter {
            !["live", "run_job"].contains($0.function)
        }
    }

    private static func action(_ kind: rxraces_kind, in frame: RaceFrame? = nil) -> String {
        switch kind {
        case rxraces_load: "load"
        case rxraces_store: "store"
        case rxraces_exchange: "exchange"
        case rxraces_compare: "compare"
        case rxraces_lock: "lock"
        case rxraces_unlock: "unlock"
        case rxraces_wait: "wait"
        case rxraces_wake: "wake"
        case rxraces_resume: "resume"
        case rxraces_retain: "retain"
        case rxraces_release: "release"
        case rxraces_yield: "yield"
        case rxraces_begin: "begin"
        case rxraces_weak_load: "weak load"
        case rxraces_call: frame?.runtimeAction ?? "call"
        default: "enqueue"
        }
    }
}

extension RaceFrame {
    /// The action of a function of the runtime of Swift's concurrency.
    fileprivate var runtimeAction: String? {
        // The first that fits.
        let actions = [
            ("swift_task_create", "start"), ("asyncLet_begin", "start"), ("completeTask", "complete"),
            ("completeFuture", "complete"), ("DefaultActorImpl6unlock", "leave"), ("swift_task_switch", "hop"),
            ("continuation_await", "await"), ("continuation", "resume"), ("ContinuationJob", "resume"),
            ("6resume", "resume"), ("swift_task_enqueue", "enqueue"), ("waitFuture", "await"),
            ("future_wait", "await"), ("asyncLet", "await"), ("taskGroup", "await"), ("5yield", "yield"),
            ("sleep", "sleep"), ("isCancelled", "load"), ("cancel", "cancel"), ("CancellationHandler", "register"),
            ("StatusRecord", "await"),
        ]
        return actions.first { function.contains($0.0) }?.1
    }

    /// The functions at a return address, inlined ones first.
    static func all(at address: UInt) -> [RaceFrame] {
        guard address > 1 else { return [] }
        // The call, not where it returns to.
        let address = address - 1
        var image: UnsafePointer<CChar>?
        let function = rx_function_at(address, &image).map { String(cString: $0) } ?? "0x\(String(address, radix: 16))"
        var line = rx_line()
        guard rx_lines_at(address, &line) == rx_lines_found else {
            return [RaceFrame(function: function, path: nil, line: 0)]
        }
        var place = line.place
        var found: [RaceFrame] = []
        for index in 0..<line.inlined_count {
            guard let inlined = rx_inlined_at(&line, index)?.pointee else { break }
            found.append(RaceFrame(inlined.name.map { String(cString: $0) } ?? "?", place))
            place = inlined.call
        }
        return found + [RaceFrame(function, place)]
    }

    private init(_ function: String, _ place: rx_source_location) {
        self.function = function
        line = Int(place.line)
        guard var path = place.file.map({ String(cString: $0) }) else {
            self.path = nil
            return
        }
        // A part that is absolute needs none before it.
        for part in [place.directory, place.base] {
            guard !path.hasPrefix("/"), let part else { continue }
            path = String(cString: part) + "/" + path
        }
        self.path = path
    }
}

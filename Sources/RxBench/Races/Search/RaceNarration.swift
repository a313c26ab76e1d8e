import CRaces
import CRx
import CRxTrace
import Foundation
import Synchronization

/// Describes the steps of a failing execution by running it again with all calls recorded.
struct RaceNarration {
    private let execution: RaceExecution

    init(_ execution: RaceExecution) { self.execution = execution }

    /// Returns the finding for `fault`, to which `schedule` leads.
    func finding(_ fault: RaceFault, _ schedule: RaceSchedule) -> RaceFinding {
        rxraces_limit(1)
        let errors = fault.kind == .crash ? CapturedErrors() : nil
        let result = execution.follow(schedule, recordingStacks: true)
        let message = errors?.text
        var (fault, schedule) = (fault, schedule)
        var isRepeated = false
        if case .failed(let found) = result, found.kind == fault.kind {
            isRepeated = true
            // The order has changed because steps were learnt in the meantime. The finding then describes the new fault
            // and the new schedule.
            if found != fault { (fault, schedule) = (found, RaceSearch.lastSchedule) }
        }
        schedule.build = RaceBuild.current
        var finding = RaceFinding(
            kind: fault.kind, sentence: fault.sentence, replay: schedule.text, preemptions: Int(rxraces_preemptions()))
        finding.message = message
        guard isRepeated else { return finding }
        let steps = (0..<rxraces_length()).map { rxraces_step_at($0) }
        var names = RaceNames(steps + (0..<Int32(rxraces_most_actors)).map { rxraces_pending($0) })
        // The beginning and the end of a long execution are enough to understand it.
        let (begin, end) = (40, 60)
        let told = steps.count > begin + end ? steps.prefix(begin) + steps.suffix(end) : steps[...]
        finding.steps = told.map { step($0, &names) }
        finding.stepCount = steps.count
        finding.stacks = stacks(of: fault.kind, steps, &names)
        return finding
    }

    private func step(_ step: rxraces_step, _ names: inout RaceNames) -> RaceStep {
        let frames = Self.frames(of: step.stack)
        if step.kind == rxraces_pass {
            let time = Duration.nanoseconds(Int64(clamping: step.after))
            return RaceStep(
                actor: Int(step.actor), action: "time passes to", variable: "\(time)", isThing: true,
                before: step.before, after: step.after, frames: frames)
        }
        let variable = names.name(of: step)
        let isThing = names.isThing(step)
        let action = isThing ? Self.action(on: step) : Self.action(step.kind, in: frames.first)
        var told = RaceStep(
            actor: Int(step.actor), action: action, variable: variable, isThing: isThing, before: step.before,
            after: step.after, frames: frames)
        if !isThing {
            let isNamelessCall = step.kind == rxraces_call && frames.first?.runtimeAction == nil
            told.isIncidental = isNamelessCall || step.kind == rxraces_load && told.place == nil
        }
        return told
    }

    private func stacks(
        of kind: RaceFinding.Kind, _ steps: [rxraces_step], _ names: inout RaceNames
    ) -> [RaceCalls] {
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
                return RaceCalls(title: wait(of: index, after: steps, &names), frames: Self.told(addresses))
            }
        case .leak: return Self.blocksLeft
        case .forbidden, .hang: return []
        }
    }

    /// Returns a text such as `A waits for Mutex b, which B holds`.
    private func wait(of index: Int32, after steps: [rxraces_step], _ names: inout RaceNames) -> String {
        let pending = rxraces_pending(index)
        let actor = RaceSchedule.letter(of: Int(index))
        guard names.isThing(pending), let name = names.name(of: pending) else {
            return "\(actor) waits to \(Self.action(pending.kind))"
        }
        let last = steps.last { $0.address == pending.address && Self.isLocking($0) != nil }
        guard let last, Self.isLocking(last) == true else { return "\(actor) waits for \(name)" }
        let holder =
            last.actor == UInt8(index) ? "it holds itself" : "\(RaceSchedule.letter(of: Int(last.actor))) holds"
        return "\(actor) waits for \(name), which \(holder)"
    }

    /// Returns `true` if the step locks an object, `false` if it unlocks one, and `nil` for any other step.
    private static func isLocking(_ step: rxraces_step) -> Bool? {
        switch step.kind {
        case rxraces_lock: true
        case rxraces_unlock: false
        // The first attempt to lock a Mutex is an atomic operation in the program's own code.
        case rxraces_compare, rxraces_exchange: step.before == step.after ? nil : step.after != 0
        default: nil
        }
    }

    /// The blocks that an execution did not free, with the call stacks that allocated them, in the order of allocation.
    /// At most eight blocks are shown.
    private static var blocksLeft: [RaceCalls] {
        var blocks = [rxraces_block](repeating: rxraces_block(), count: 64)
        let count = Int(rxraces_blocks_alive(&blocks, UInt32(blocks.count)))
        let calls = blocks.prefix(min(count, blocks.count)).map { block in
            let allocator = block.actor < 0 ? "makeState" : RaceSchedule.letter(of: Int(block.actor))
            let name = block.metadata.flatMap(Self.className).map { "\($0), \(block.size) bytes," }
            return RaceCalls(
                title: "\(name ?? "\(block.size) bytes") that \(allocator) has allocated",
                frames: frames(of: block.stack))
        }
        // A few blocks are enough, because other blocks are allocated together with the blocks that refer to them.
        return Array(calls.prefix(8))
    }

    /// Returns the name of the class of objects with this metadata, or `nil` for a box or a closure context.
    private static func className(_ metadata: UnsafeRawPointer) -> String? {
        // The first word is the kind of the metadata. On Linux, 0 is a class.
        guard metadata.load(as: UInt.self) == 0 else { return nil }
        // This is the metadata of a class, and the runtime itself passes a type as a pointer to its metadata.
        return "\(unsafeBitCast(metadata, to: Any.Type.self))"
    }

    /// Returns the call stack of the actor that did not end.
    static func unfinished(_ failure: rxraces_failure) -> RaceCalls {
        RaceCalls(
            title: RaceSchedule.letter(of: Int(failure.actor)),
            frames: told(addresses { rxraces_actor_stack(failure.actor, $0, $1) }))
    }

    /// The data race that ThreadSanitizer's own library has reported, if any.
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

    /// Returns a sentence that describes how `one` and `another` race.
    static func sentence(of race: rxraces_failure, _ one: String, _ another: String) -> String {
        """
        \(one) \(verb(race.writes)) memory that \(another) \(verb(race.other_writes)) without an order between the two.
        """
    }

    static func verb(_ writes: Bool) -> String { writes ? "writes" : "reads" }

    private static func frames(of stack: UInt32) -> [RaceFrame] { told(addresses { rxraces_stack(stack, $0, $1) }) }

    /// Returns the addresses that `write` stores in the given buffer. `write` returns the number of addresses.
    private static func addresses(_ write: (UnsafeMutablePointer<UInt>, UInt32) -> UInt32) -> ArraySlice<UInt> {
        var addresses = [UInt](repeating: 0, count: Int(rxraces_frames))
        let count = write(&addresses, UInt32(rxraces_frames))
        return addresses.prefix(Int(count))
    }

    /// Returns the functions of a stack up to the search's own functions. Leaves out a function that only repeats the
    /// previous line. The innermost frame is kept even if it is C code of the search, because it may show the action.
    private static func told(_ addresses: some Sequence<UInt>) -> [RaceFrame] {
        let shown = addresses.enumerated().filter { $0.offset == 0 || !rxraces_is_own_code($0.element) }
        let frames = shown.flatMap { RaceFrame.all(at: $0.element) }.prefix { !$0.isOfSearch }
        return frames.indices.filter { $0 == 0 || frames[$0] != frames[$0 - 1] }.map { frames[$0] }
    }

    /// Returns the action of a step on an object that is locked or waited for.
    private static func action(on step: rxraces_step) -> String {
        if step.is_timed_out { return "stops waiting for" }
        if let isLocking = isLocking(step) { return isLocking ? "locks" : "unlocks" }
        return switch step.kind {
        case rxraces_wait: "waits for"
        case rxraces_wake: "signals"
        case rxraces_resume: "goes on after"
        case rxraces_load: "looks at"
        case rxraces_enqueue: "listens to"
        default: "changes"
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
        case rxraces_plain: "access"
        case rxraces_delay: "delay store"
        case rxraces_late_store: "delayed store"
        case rxraces_call: frame?.runtimeAction ?? "call"
        default: "enqueue"
        }
    }
}

/// Assigns names to memory locations, and to objects that are locked or waited for.
private struct RaceNames {
    private var names: [UInt: String] = [:]
    private var variables = 0
    private var things: [String: Int] = [:]
    private let kinds: [UInt: String]
    private let labels: [UInt: String]

    /// Creates the names for `steps`. If any step has a kind or a label, it applies to all steps at the same address.
    init(_ steps: [rxraces_step]) {
        var (kinds, labels): ([UInt: String], [UInt: String]) = ([:], [:])
        for step in steps {
            if let thing = step.thing { kinds[step.address] = String(cString: thing) }
            if let label = step.label { labels[step.address] = String(cString: label) }
        }
        (self.kinds, self.labels) = (kinds, labels)
    }

    func isThing(_ step: rxraces_step) -> Bool { kinds[step.address] != nil }

    /// Returns a name such as `v1`, `Mutex a` or `queue 'label'`, or `nil` for a step without a memory location.
    mutating func name(of step: rxraces_step) -> String? {
        let isAnnounced = [rxraces_call, rxraces_enqueue, rxraces_begin].contains(step.kind)
        guard step.address != 0, !isAnnounced || isThing(step) else { return nil }
        if let known = names[step.address] { return known }
        let name: String
        if let kind = kinds[step.address] {
            let label = labels[step.address] ?? ""
            if label.isEmpty {
                let index = things[kind, default: 0]
                things[kind] = index + 1
                name = "\(kind) \(index < 26 ? String(UnicodeScalar(UInt8(97 + index))) : "\(index + 1)")"
            } else {
                name = "\(kind) '\(label)'"
            }
        } else {
            variables += 1
            name = "v\(variables)"
        }
        names[step.address] = name
        return name
    }
}

/// Captures standard error during the object's lifetime. A program prints a message there before it terminates itself.
private final class CapturedErrors {
    private let usual = dup(2)
    private let file = tmpfile()

    init() {
        fflush(nil)
        if let file { dup2(fileno(file), 2) }
    }

    /// Ends the capture and returns the first line that is not empty.
    var text: String? {
        fflush(nil)
        dup2(usual, 2)
        guard let file else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = pread(fileno(file), &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let lines = String(decoding: bytes.prefix(count), as: UTF8.self).split(separator: "\n")
        return lines.first.map { String($0.prefix(300)) }
    }

    deinit {
        close(usual)
        if let file { fclose(file) }
    }
}

extension RaceFrame {
    /// The folder with the sources of this module.
    private static let ownFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path

    /// Whether the function is defined in a source file of this module, regardless of the module in which it was
    /// specialised.
    fileprivate var isOfSearch: Bool { path.map { $0.hasPrefix(Self.ownFolder + "/") } ?? false }

    /// The action of a function of the Swift concurrency runtime, in words.
    fileprivate var runtimeAction: String? {
        // The first entry that matches is used.
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

    /// A cache of the frames of addresses. The steps of an execution are at few addresses.
    private static let known = Mutex<[UInt: [RaceFrame]]>([:])

    /// Returns the functions at a return address, with inlined functions first.
    static func all(at address: UInt) -> [RaceFrame] {
        if let known = known.withLock({ $0[address] }) { return known }
        let found = read(at: address)
        known.withLock { $0[address] = found }
        return found
    }

    private static func read(at address: UInt) -> [RaceFrame] {
        guard address > 1 else { return [] }
        // This is the address of the call, not its return address.
        let address = address - 1
        var image: UnsafePointer<CChar>?
        let function =
            rxtrace_function_at(address, &image).map { String(cString: $0) } ?? "0x\(String(address, radix: 16))"
        var line = rx_line()
        guard rxtrace_lines_at(address, &line) == rx_lines_found else {
            return [RaceFrame(function: function, path: nil, line: 0)]
        }
        var place = line.place
        var found: [RaceFrame] = []
        for index in 0..<line.inlined_count {
            guard let inlined = rx_inlined_at(&line, index)?.pointee else { break }
            found.append(RaceFrame(inlined.name.map { String(cString: $0) } ?? "?", place))
            place = inlined.call
        }
        let last = RaceFrame(function, place)
        if isAwaitPart(last.function) { return found + [line.inlined_count == 0 ? awaited(last, at: address) : last] }
        return found + [last.line == 0 ? nearest(to: last, at: address) ?? last : last]
    }

    /// Returns the frame with the line of an earlier instruction. Used for an instruction without a line, which the
    /// compiler has moved.
    private static func nearest(to frame: RaceFrame, at address: UInt) -> RaceFrame? {
        let furthest: UInt = 64
        var image: UnsafePointer<CChar>?
        for next in stride(from: address, to: address - min(address, furthest), by: -4) {
            var line = rx_line()
            guard let name = rxtrace_function_at(next, &image), String(cString: name) == frame.function else {
                return nil
            }
            guard rxtrace_lines_at(next, &line) == rx_lines_found else { continue }
            let outermost = line.inlined_count > 0 ? rx_inlined_at(&line, line.inlined_count - 1)?.pointee.call : nil
            let found = RaceFrame(frame.function, outermost ?? line.place)
            if found.line != 0, found.path == frame.path { return found }
        }
        return nil
    }

    /// Returns whether the compiler's name for the function marks it as a part of an asynchronous function.
    private static func isAwaitPart(_ function: String) -> Bool { function.contains(#/T[QY]\d+_$/#) }

    /// If `frame` is the beginning of the part after an await, returns the frame with the line of the await. The
    /// beginning of that part has the line of the whole function, but its first instructions have the line of the
    /// await.
    private static func awaited(_ frame: RaceFrame, at address: UInt) -> RaceFrame {
        var described = rxtrace_described_function()
        guard rxtrace_function_described(address, frame.function, &described), Int(described.place.line) == frame.line
        else { return frame }
        let furthest: UInt = 256
        var image: UnsafePointer<CChar>?
        for next in stride(from: address, to: address + furthest, by: 8) {
            var line = rx_line()
            guard let name = rxtrace_function_at(next, &image), String(cString: name) == frame.function else { break }
            guard rxtrace_lines_at(next, &line) == rx_lines_found else { continue }
            let place = line.inlined_count > 0 ? line.inlined.0.call : line.place
            let found = RaceFrame(frame.function, place)
            if found.line != 0, found.line != frame.line, found.path == frame.path { return found }
        }
        return frame
    }

    private init(_ function: String, _ place: rx_source_location) {
        self.function = function
        line = Int(place.line)
        guard var path = place.file.map({ String(cString: $0) }) else {
            self.path = nil
            return
        }
        // An absolute path needs no folder before it.
        for part in [place.directory, place.base] {
            guard !path.hasPrefix("/"), let part else { continue }
            path = String(cString: part) + "/" + path
        }
        self.path = path
    }
}

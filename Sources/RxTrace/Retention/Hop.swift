/// One object on a path, and through what it holds the next.
struct Hop {
    enum Kind {
        /// Outside the heap.
        case global
        /// An instance of a class of the user's, or of a library.
        case instance
        /// An instance of a public class of `Rx`.
        case ours
        /// A notification center, which keeps its observers until they are removed.
        case center
        /// Work of `Rx` that waits for its time, and keeps itself until then.
        case timer
        /// An object that `Rx` makes for itself: a sink, a closure of an operator.
        case kernel
        /// Elements behind an array, dictionary or set.
        case storage
        /// A captured variable, or a value in an existential.
        case box
        /// A closure of the user's.
        case closure
        /// A closure that adapts another one.
        case thunk
        /// A task, with the local variables of its functions.
        case task
        /// What a task waits for that suspended in `withCheckedContinuation` or `withUnsafeContinuation`.
        case continuation
        /// The buffer of an `AsyncStream`, which its continuation and its iterator share.
        case stream
        /// A `URLSession`, which keeps its delegate until it is invalidated.
        case session
        /// A `Timer` of Foundation, which a run loop keeps until it is invalidated.
        case runLoopTimer
        /// A source of libdispatch: a timer, a signal, a file descriptor.
        case source
        /// Work that libdispatch was given for later.
        case delayedWork
        /// Memory that is no object.
        case block
    }

    /// How a subscription or timer holds itself.
    static let untilDisposed = "until it is disposed"
    /// How a replay, or a subject with a value, holds what it sends to who comes later.
    static let remembered = "remembered element"
    /// The holder that a task is.
    static let task = "Task"
    /// The holder that stands for a count without a reference.
    static let retain = "a retain without a reference"
    /// The holder of all that timers and queued work refer to.
    static let dispatch = "a timer or a queue of libdispatch"

    var kind: Kind
    var name: String
    /// Who wrote it.
    var origin = CodeOrigin.user
    /// The address of the object; 0 for a variable, and for a closure that has none of its own.
    var address: UInt = 0
    /// The function that a closure or a task stands in, as its symbol tells it.
    var function: FunctionName?
    var file: String?
    var line: Int?
    /// The field, or the number of the capture.
    var label = ""
    var index: Int?
    var isTyped = true
    /// The type of what a closure has captured.
    var captured: String?
    /// The name of the captured variable, where the binary tells it.
    var variable: String?
    /// Whether a task was added to a group.
    var isOfGroup = false
    /// The type of what a captured variable holds that a closure shares with others.
    var boxed: String?

    /// Whether it is a variable, an object or a closure of the user's.
    var isUsers: Bool {
        switch kind {
        case .global, .instance, .closure, .task: origin == .user
        default: false
        }
    }

    /// The function in words; empty where no symbol tells it.
    var functionName: String { function?.text ?? "" }

    /// Whether a closure is a method that was given for one.
    var isMethod: Bool { function?.isMethod ?? false }

    /// Whether it keeps elements to send them to who comes later.
    var isMemory: Bool {
        (kind == .kernel || kind == .ours) && ["Remembering", "Replay", "Behavior"].contains(where: name.hasPrefix)
    }

    /// Whether it holds the next one as an element that it sends to who comes later.
    var remembersNext: Bool { isMemory && label.hasPrefix("memory") }

    /// `.bag`, `[3]`, `capture self`.
    var edge: String {
        let position = index.map { label == "key" || label == "value" ? "[\(label)]" : "[\($0)]" } ?? ""
        switch kind {
        case .closure: return "capture " + (variable ?? boxed.map { "a variable that holds \($0)" } ?? capture)
        case .storage: return position
        case .timer: return Self.untilDisposed
        case .center: return "observer"
        case .task: return "local variable"
        case .continuation: return "the task that waits for it"
        case .source, .delayedWork: return "handler"
        default: return label.isEmpty ? position : "." + Self.visible(label) + position
        }
    }

    /// The part of a way through values that users see: `bytes` of `bytes._representation.slice.storage`.
    private static func visible(_ label: String) -> String {
        let parts = label.split(separator: ".")
        let end = parts.dropFirst().firstIndex { $0.hasPrefix("_") } ?? parts.endIndex
        return parts[..<end].joined(separator: ".")
    }

    /// The edge without what only debug information tells; of a task, with its function.
    var stableEdge: String {
        switch kind {
        case .closure: "capture " + capture
        case .task: functionName.isEmpty ? edge : "\(edge) of \(functionName)"
        default: edge
        }
    }

    /// Whether its name tells it from others.
    var isNamed: Bool {
        switch kind {
        case .global: isTyped || origin == .user
        case .closure, .task: function != nil
        case .instance, .ours, .center, .session, .runLoopTimer, .stream: true
        case .timer, .kernel, .storage, .box, .thunk, .block, .continuation, .source, .delayedWork: false
        }
    }

    /// `self`, if it can be nothing else; else the type of what is captured.
    private var capture: String {
        guard let captured else { return "a variable" }
        let type = captured.prefix { $0 != "<" }
        return function?.isSelf(type) == true ? "self" : captured
    }

    /// Whether a closure has captured the object whose function it stands in.
    var capturesSelf: Bool { (variable ?? capture) == "self" }

    /// `ViewModel.swift:42`; `nil` where the binary does not tell.
    var sourcePlace: String? { StackFrame.place(file, line) }

    /// Where the code is to be looked for: `at ViewModel.swift:42`, or `in ViewModel.bind()`.
    var location: String { sourcePlace.map { "at \($0)" } ?? "in \(functionName)" }
}

/// Leaves out what the user has not written: storage of collections, boxes, thunks, and the kernel of `Rx` between a
/// subject and a closure.
enum PathShortening {
    /// Classes of `Rx` that users name; all others are its own business.
    static let publicTypes: Set<String> = [
        "AsyncSubject", "BehaviorRelay", "BehaviorSubject", "BooleanDisposable", "CompositeDisposable",
        "ConcurrentDispatchQueueScheduler", "DisposeBag", "HistoricalScheduler", "MainScheduler",
        "OperationQueueScheduler", "PublishRelay", "PublishSubject", "RefCountDisposable", "ReplayRelay",
        "ReplaySubject", "ScheduledDisposable", "SerialDispatchQueueScheduler", "SerialDisposable",
        "SingleAssignmentDisposable", "VirtualTimeScheduler",
    ]

    static func steps(of hops: [Hop]) -> [RetentionStep] {
        // Where the user knows nothing of it all, the objects are better than silence.
        let areShown = hops.contains(where: isShown)
        var kept: [RetentionStep] = []
        for hop in hops {
            if areShown ? isShown(hop) : hop.kind != .thunk {
                kept.append(
                    RetentionStep(
                        holder: hop.name, edge: edge(hop, hop.edge), stableEdge: edge(hop, hop.stableEdge),
                        file: hop.file, line: hop.line, isTyped: hop.isTyped))
            } else if !kept.isEmpty {
                if hop.kind == .storage { append(hop.edge, to: &kept) }
                if hop.remembersNext, kept[kept.count - 1].edge == "observer" {
                    kept[kept.count - 1] = kept[kept.count - 1].changed(edge: Hop.remembered)
                }
                if !hop.isTyped { kept[kept.count - 1] = kept[kept.count - 1].changed(isTyped: false) }
            }
        }
        return kept
    }

    /// A cycle that the user knows nothing of is that of a subscription: it holds itself until it ends.
    static func cycleSteps(of hops: [Hop]) -> [RetentionStep] {
        if !isSubscriptions(hops) { return steps(of: hops) }
        let isTyped = hops.allSatisfy(\.isTyped)
        if isOfRx(hops) { return [RetentionStep(holder: "a subscription", edge: Hop.untilDisposed, isTyped: isTyped)] }
        return [RetentionStep(holder: "memory of a library", edge: "itself", isTyped: isTyped)]
    }

    /// Whether `Rx` has a part in a path.
    static func isOfRx(_ hops: [Hop]) -> Bool { hops.contains { [.kernel, .timer, .ours].contains($0.kind) } }

    /// Whether a cycle is that of a subscription, and the user has no part in it.
    private static func isSubscriptions(_ hops: [Hop]) -> Bool { !hops.isEmpty && !hops.contains(where: isShown) }

    /// Whether the user has a part in a cycle.
    static func isUsers(_ hops: [Hop]) -> Bool { hops.contains { isShown($0) && $0.kind != .timer } }

    /// Whether it is something that the user has written, or knows by name.
    static func isShown(_ hop: Hop) -> Bool {
        switch hop.kind {
        case .global, .instance, .ours, .center, .timer, .closure, .task, .continuation, .stream, .session,
            .runLoopTimer, .source, .delayedWork:
            true
        case .kernel, .block, .storage, .box, .thunk: false
        }
    }

    /// Fields inside classes of `Rx` have names that users do not know.
    private static func edge(_ hop: Hop, _ own: String) -> String {
        guard hop.kind == .ours else { return own }
        if hop.name.contains("Subject") || hop.name.contains("Relay") { return "observer" }
        if hop.name.contains("Scheduler") { return "scheduled work" }
        return "subscription"
    }

    private static func append(_ position: String, to steps: inout [RetentionStep]) {
        let step = steps[steps.count - 1]
        if step.edge.hasSuffix("]") || !step.edge.hasPrefix(".") && !step.edge.isEmpty { return }
        steps[steps.count - 1] = step.changed(edge: step.edge + position)
    }
}

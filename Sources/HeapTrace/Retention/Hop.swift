/// One object on a path, and the reference through which it holds the next object.
struct Hop {
    enum Kind {
        /// Outside the heap.
        case global
        /// An instance of one of the user's classes or of a library's class.
        case instance
        /// An instance of a public class of `Rx`.
        case ours
        /// A notification center, which keeps its observers until they are removed.
        case center
        /// Work of `Rx` that waits for its due time and keeps itself alive until then.
        case timer
        /// An internal object of `Rx`, such as a sink or an operator's closure.
        case kernel
        /// The element storage of an array, dictionary or set.
        case storage
        /// A captured variable, or a value in an existential.
        case box
        /// One of the user's closures.
        case closure
        /// A closure that adapts another one.
        case thunk
        /// A task, with the local variables of its functions.
        case task
        /// The continuation of a task that suspended in `withCheckedContinuation` or `withUnsafeContinuation`.
        case continuation
        /// The buffer of an `AsyncStream`, which its continuation and its iterator share.
        case stream
        /// A `URLSession`, which keeps its delegate until it is invalidated.
        case session
        /// A `Timer` of Foundation, which a run loop keeps until it is invalidated.
        case runLoopTimer
        /// A source of libdispatch: a timer, a signal, a file descriptor.
        case source
        /// Work that was submitted to libdispatch for later.
        case delayedWork
        /// A dispatch group whose `notify` closure waits until all of its work has left.
        case dispatchGroup
        /// Memory that is not an object.
        case block
    }

    var kind: Kind
    var name: String
    /// The name of a global variable, without the word `global`.
    var variableName: String?
    /// The role of the object, if its class belongs to `Rx` and has one.
    var role: HeapRole?
    /// Whether this is libdispatch's memory, which contains timers and queued work.
    var isOfDispatch = false
    /// The origin of its code.
    var origin = CodeOrigin.user
    /// The address of the object; 0 for a variable, and for a closure without a context.
    var address: UInt = 0
    /// The function of a task, or the function that contains a closure, by its symbol.
    var function: FunctionName?
    var file: String?
    var line: Int?
    /// The field, or a property of the value in a box.
    var label = ""
    /// The index of a closure's capture.
    var captureIndex: Int?
    var index: Int?
    var isTyped = true
    /// The type of the captured value of a closure.
    var captured: String?
    /// The name of the captured variable, if the binary has it.
    var variable: String?
    /// Whether a task was added to a group.
    var isOfGroup = false
    /// Whether a task of a group has ended. If it has, `function` and `line` show the code that has the group.
    var hasEnded = false
    /// The type of the content of a captured variable that a closure shares with others.
    var boxed: String?
    /// Whether a box holds the value of an existential or an error. Its label is then a property of that value.
    var isOfValue = false

    /// Whether it is one of the user's variables, objects, closures or tasks.
    var isUsers: Bool {
        switch kind {
        case .global, .instance, .closure, .task: origin == .user
        default: false
        }
    }

    /// The function's demangled name; empty without a symbol.
    var functionName: String { function?.text ?? "" }

    /// Whether a closure is a method that was passed as a closure.
    var isMethod: Bool { function?.isMethod ?? false }

    /// Whether it keeps elements for later subscribers.
    var isMemory: Bool { role?.keepsElements ?? false }

    /// Whether it holds the next hop as an element for later subscribers.
    var remembersNext: Bool { role == .memory && holdsByRole }

    /// Whether it holds the next hop as the subject of a group of `groupBy`.
    var isGroupTable: Bool { role == .groupTable && holdsByRole }

    /// Whether it holds the next hop through the property that its role names.
    private var holdsByRole: Bool { label.split(separator: ".").first.map(String.init) == role?.property }

    /// The name that the advice uses for the hop. A name is quoted; a description is not.
    func reference(withEdge: Bool) -> String {
        let edge = withEdge ? edge.text : ""
        switch kind {
        case .global: return variableName.map { "'\($0)'" } ?? name
        case .instance, .ours: return "'\(name)\(edge)'"
        case .center, .session, .runLoopTimer, .stream, .task: return "'\(name)'"
        case .timer, .kernel, .storage, .box, .closure, .thunk, .continuation, .source, .delayedWork, .dispatchGroup,
            .block:
            return name
        }
    }

    /// The reference through which it holds the next hop.
    var edge: RetentionEdge {
        switch kind {
        case .closure:
            let captured = "capture " + (variable ?? boxed.map { "a variable that holds \($0)" } ?? capture)
            return RetentionEdge(.capture, captured, stableText: "capture " + capture)
        case .storage: return RetentionEdge(property: "", position: position)
        case .timer: return RetentionEdge(.untilDisposed)
        case .center: return RetentionEdge(.observer)
        case .task:
            let kind = RetentionEdge.Kind.localVariable
            return RetentionEdge(
                kind, kind.text, stableText: functionName.isEmpty ? kind.text : "\(kind.text) of \(functionName)")
        case .continuation: return RetentionEdge(.waitingTask)
        case .source, .delayedWork, .dispatchGroup: return RetentionEdge(.handler)
        // Users do not know the names of fields inside classes of `Rx`.
        case .ours:
            return switch role {
            case .subject, .currentValue, .replay: RetentionEdge(.observer)
            case .scheduler: RetentionEdge(.scheduledWork)
            default: RetentionEdge(.subscription)
            }
        case .global, .instance, .kernel, .box, .thunk, .stream, .session, .runLoopTimer, .block:
            return RetentionEdge(property: label.isEmpty ? "" : Self.visible(label), position: position)
        }
    }

    private var position: String? { index.map { label == "key" || label == "value" ? label : "\($0)" } }

    /// The part of a path through nested values that users see: `bytes` for `bytes._representation.slice.storage`.
    private static func visible(_ label: String) -> String {
        let parts = label.split(separator: ".")
        let end = parts.dropFirst().firstIndex { $0.hasPrefix("_") } ?? parts.endIndex
        return parts[..<end].joined(separator: ".")
    }

    /// Whether its name distinguishes it from other hops.
    var isNamed: Bool {
        switch kind {
        case .global: isTyped || origin == .user
        case .closure, .task: function != nil
        case .instance, .ours, .center, .session, .runLoopTimer, .stream: true
        case .timer, .kernel, .storage, .box, .thunk, .block, .continuation, .source, .delayedWork, .dispatchGroup:
            false
        }
    }

    /// The captured value: `self`, if the type allows no other value; otherwise its type.
    private var capture: String {
        guard let captured else { return "a variable" }
        let type = captured.prefix { $0 != "<" }
        return function?.isSelf(type) == true ? "self" : captured
    }

    /// Whether a closure has captured the object whose function contains it.
    var capturesSelf: Bool { (variable ?? capture) == "self" }

    /// `ViewModel.swift:42`; `nil` if the binary has no line.
    var sourcePlace: String? { StackFrame.place(file, line) }

    /// The place of the code: `at ViewModel.swift:42`, or `in ViewModel.bind()`.
    var location: String { sourcePlace.map { "at \($0)" } ?? "in \(functionName)" }
}

extension Hop {
    /// A global variable that has a name.
    init(global name: String, origin: CodeOrigin, isTyped: Bool) {
        self.init(kind: .global, name: "global \(name)", variableName: name, origin: origin, isTyped: isTyped)
    }
}

/// Omits hops that the user has not written: storage of collections, boxes, thunks, and the kernel of `Rx` between a
/// subject and a closure.
enum PathShortening {
    static func steps(of hops: [Hop]) -> [RetentionStep] {
        // If the user knows none of the objects, showing them all is better than showing nothing.
        let areShown = hops.contains(where: isShown)
        var kept: [RetentionStep] = []
        for hop in hops {
            if areShown ? isShown(hop) : hop.kind != .thunk {
                kept.append(
                    RetentionStep(
                        holder: hop.name, through: hop.edge, file: hop.file, line: hop.line, isTyped: hop.isTyped,
                        isNamedClosure: hop.kind == .closure && hop.function != nil))
            } else if !kept.isEmpty {
                let last = kept.count - 1
                if hop.kind == .storage || hop.isOfValue, let edge = kept[last].through.appending(hop.edge) {
                    kept[last] = kept[last].changed(edge: edge)
                }
                if hop.remembersNext, kept[last].kind == .observer {
                    kept[last] = kept[last].changed(edge: RetentionEdge(.rememberedElement))
                }
                if !hop.isTyped { kept[last] = kept[last].changed(isTyped: false) }
            }
        }
        return kept
    }

    /// Returns the steps of a cycle. A cycle without a hop that the user knows has a single step: a subscription, which
    /// holds itself until it ends, or memory of a library.
    static func cycleSteps(of hops: [Hop]) -> [RetentionStep] {
        if !isSubscriptions(hops) { return steps(of: hops) }
        let isTyped = hops.allSatisfy(\.isTyped)
        let step =
            isOfRx(hops)
            ? RetentionStep(holder: "a subscription", through: RetentionEdge(.untilDisposed), isTyped: isTyped)
            : RetentionStep(holder: "memory of a library", through: RetentionEdge(.itself), isTyped: isTyped)
        return [step]
    }

    /// Whether a path contains objects of `Rx`.
    static func isOfRx(_ hops: [Hop]) -> Bool { hops.contains { [.kernel, .timer, .ours].contains($0.kind) } }

    /// Whether a cycle contains no hop that the user knows.
    private static func isSubscriptions(_ hops: [Hop]) -> Bool { !hops.isEmpty && !hops.contains(where: isShown) }

    /// Whether a cycle contains a hop, other than a timer, that the user knows.
    static func isUsers(_ hops: [Hop]) -> Bool { hops.contains { isShown($0) && $0.kind != .timer } }

    /// Whether the user wrote the hop's object or knows it by name.
    static func isShown(_ hop: Hop) -> Bool {
        switch hop.kind {
        case .global, .instance, .ours, .center, .timer, .closure, .task, .continuation, .stream, .session,
            .runLoopTimer, .source, .delayedWork, .dispatchGroup:
            true
        case .kernel, .block, .storage, .box, .thunk: false
        }
    }
}

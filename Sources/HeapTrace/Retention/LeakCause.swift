/// The known cause of a leak. Each kind is ended in a different way.
enum LeakCause: Hashable, Sendable {
    /// A cycle through a closure's capture.
    case capture(Capture, of: Code)
    /// A cycle through a property that leads back.
    case backReference(String, isProperty: Bool)
    /// A cycle through a property of a library's object, which keeps one of the user's objects.
    case keptByLibrary(property: String, object: String)
    /// A cycle in which a replay keeps the object that stores the replay in a property.
    case replayOfItself(property: String, holder: String, madeAt: String?)
    /// A cycle in which a sequence keeps the object that stores the sequence in a property.
    case sequenceOfItself(property: String, holder: String)
    /// A subscription of `Rx` that is not disposed.
    case subscription(Subscription)
    /// A replay without a bound.
    case unboundedReplay(String)
    /// The value of a relay or a subject, in which a collection grows.
    case growingValue(of: String)
    /// `groupBy`, which keeps a group for each key.
    case groups
    /// A task that does not end.
    case task(function: String, place: String?)
    /// A child task of a task group. The group keeps the task until its result is taken.
    case taskOfGroup(function: String, place: String?)
    /// A child task that has ended, in the task group of this function.
    case endedTaskOfGroup(function: String, place: String?, madeAt: String?)
    /// A task that waits for a continuation, which `holder` has not resumed.
    case continuation(holder: String?, waiting: Code?)
    /// A task that iterates a stream, which `holder` has not finished.
    case stream(holder: String?, waiting: Code?)
    /// A `Timer` that is not invalidated.
    case runLoopTimer(Code?)
    /// A source of libdispatch that is not cancelled.
    case dispatchSource(Code?)
    /// Work that was submitted to libdispatch for later.
    case delayedWork(Code?)
    /// A dispatch group that was entered more often than it was left.
    case dispatchGroup(Code?)
    /// A `URLSession` that is not invalidated.
    case session(delegate: String?)
    /// An observer of a notification center that is not removed.
    case observer(Code)
    /// A task of an event loop that is scheduled for later.
    case scheduledOnEventLoop(Code)
    /// A closure that was given to a library. `holder` leads to the library's object.
    case handler(Code, holder: String)
    /// A collection from which nothing is removed. If its elements are closures, one of them keeps the target.
    case collection(String, madeAt: String?, closure: Code? = nil)
    /// One of the user's variables or properties.
    case variable(String)
    /// A retain without a matching reference in memory.
    case unbalancedRetain(of: String)
    /// A block of memory to which no reference exists.
    case unfreed(madeAt: String?)
    /// The system's own code, without any user code.
    case system(module: String)
    /// A cycle of a library's objects that contains none of the user's objects.
    case library(module: String)
    /// Another cause, for which no reliable advice exists.
    case unknown

    /// A closure or a function: its place in the sources, `at Screen.swift:42`, or the function that contains it.
    struct Code: Hashable, Sendable { let location: String }

    /// The capture of a closure.
    enum Capture: Hashable, Sendable {
        /// The object of a method that was passed as a closure.
        case method(variable: String)
        /// A captured variable, which other code may change.
        case variable(name: String?, type: String)
        /// The variable that holds the closure itself.
        case itself(variable: String?)
        /// An object, by the name of the variable.
        case object(String)
        /// An object, by its type.
        case objectOfType(String)
        case unknown
    }

    struct Subscription: Hashable, Sendable {
        /// Whether this is a subscription to a group of `groupBy` whose sequence of groups is already disposed.
        var isOfGroup = false
        var madeAt: String?
        /// The subscription's closure, if the place where the subscription was made is not known.
        var closure: Code?
        var holder: String?
    }
}

extension LeakCause {
    /// Whether the cause is known, and is not a cycle within a library.
    var isKnown: Bool { if case .library = self { false } else { self != .unknown } }

    /// Whether the cause names the line of the user's code that contains the mistake.
    var namesLine: Bool {
        switch self {
        case .capture, .observer, .scheduledOnEventLoop, .handler: true
        case .subscription(let subscription): subscription.madeAt != nil || subscription.closure != nil
        case .task(_, let place), .taskOfGroup(_, let place): place != nil
        case .endedTaskOfGroup(_, let place, let madeAt): place != nil || madeAt != nil
        case .continuation(_, let code), .stream(_, let code), .runLoopTimer(let code), .dispatchSource(let code),
            .delayedWork(let code), .dispatchGroup(let code):
            code != nil
        case .collection(_, let place, let closure): place != nil || closure != nil
        case .unfreed(let place): place != nil
        default: false
        }
    }

    /// A sentence that names the change to make; empty if it is not known.
    var advice: String {
        switch self {
        case .capture(let capture, let code): Self.advice(capture, code.location)
        case .backReference(let name, let isProperty):
            isProperty ? "make '\(name)' weak" : "let '\(name)' be held weakly"
        case .keptByLibrary(let property, let object):
            """
            end what '\(property)' keeps the \(object) for when it is no longer needed, or give it an object that \
            refers to the \(object) weakly
            """
        case .replayOfItself(let property, let holder, let place):
            """
            map to what is needed of it before the replay\(Self.made(at: place)), so that '\(property)' does not \
            keep \(holder)
            """
        case .sequenceOfItself(let property, let holder):
            "let '\(property)' not hold \(holder): capture it weakly in what that is made of"
        case .subscription(let subscription): Self.advice(subscription)
        case .unboundedReplay(let keeper):
            "give the replay \(keeper) a bound, as 'create(bufferSize:)' does: it keeps every element"
        case .growingValue(let keeper):
            "remove what is no longer needed from the value of \(keeper), or give it a bound"
        case .groups:
            "let 'groupBy' see fewer keys: it keeps a group for each until its source ends or its subscription is "
                + "disposed"
        case .task(let function, let place):
            """
            cancel the task\(function.isEmpty ? "" : " of \(function)")\(place.map { " at \($0)" } ?? "") when it is \
            no longer needed, or capture weakly in it what it should not keep
            """
        case .taskOfGroup(let function, let place):
            """
            let the task\(function.isEmpty ? "" : " of \(function)")\(place.map { " at \($0)" } ?? "") end, and take \
            its result from the group, for example with 'next()', or use a discarding task group: until then the group \
            keeps the task
            """
        case .endedTaskOfGroup(let function, let place, let madeAt):
            """
            take the results of the task group\(function.isEmpty ? "" : " of \(function)")\
            \(place.map { " at \($0)" } ?? ""), for example with 'next()', or use a discarding task group: until then \
            the group keeps each task that has ended\(madeAt.map { ", such as the task that is made at \($0)" } ?? "")
            """
        case .continuation(let holder, let code):
            """
            resume the continuation\(holder.map { " that \($0) holds" } ?? "")\
            \(code.map { ", for which the task \($0.location) waits" } ?? ""), also when the task is cancelled: \
            cancelling alone does not end the wait
            """
        case .stream(let holder, let code):
            """
            finish the stream\(holder.map { " whose continuation \($0) holds" } ?? "")\
            \(code.map { ", for which the task \($0.location) waits" } ?? ""), or cancel the task
            """
        case .runLoopTimer(let code):
            "invalidate the timer\(Self.which(code)) when it is no longer needed\(Self.weakly(code))"
        case .dispatchSource(let code):
            "cancel the dispatch source\(Self.which(code)) when it is no longer needed\(Self.weakly(code))"
        case .delayedWork(let code):
            """
            cancel the work for later\(Self.which(code)), as a 'DispatchWorkItem', when it is no longer needed\
            \(Self.weakly(code))
            """
        case .dispatchGroup(let code):
            """
            call 'leave()' once for each 'enter()' of the dispatch group\
            \(code.map { " whose 'notify' closure is \($0.location)" } ?? ""): until then it keeps the closure
            """
        case .session(let delegate):
            """
            call 'finishTasksAndInvalidate()' or 'invalidateAndCancel()' on the session when it is no longer needed: \
            until then it keeps its delegate\(delegate.map { ", the \($0)" } ?? "")
            """
        case .observer(let code):
            "give the token of the observer \(code.location) to 'removeObserver' when it is no longer needed"
        case .scheduledOnEventLoop(let code):
            """
            cancel the scheduled task whose closure is \(code.location) when it is no longer needed, or capture \
            weakly in it what it should not keep
            """
        case .handler(let code, let holder):
            """
            end what the closure \(code.location) was given to, which \(holder) holds, when it is no longer needed, \
            or capture weakly in it what it should not keep
            """
        case .collection(let name, _, let closure?):
            """
            remove the closure \(closure.location) from \(name) when it is no longer needed, or capture weakly in it \
            what it should not keep
            """
        case .collection(let name, let place, nil):
            if let place {
                "remove from \(name) what is made at \(place) when it is no longer needed, or give it a bound"
            } else {
                "remove what is no longer needed from \(name), or give it a bound"
            }
        case .variable(let name): "release it from \(name) when it is no longer needed"
        case .unbalancedRetain(let type):
            """
            release what keeps the \(type): it is retained without a reference to it in memory, as \
            'Unmanaged.passRetained' does
            """
        case .unfreed(let place): "free the memory\(place.map { " that is allocated at \($0)" } ?? "")"
        case .system(let module): "this is a leak of \(module) on this system, and not of your code"
        case .library(let module):
            """
            nothing of your code is on the way: these are objects of \(module) that keep one another. Close or end \
            what you use of it, or tell its authors
            """
        case .unknown: ""
        }
    }

    private static func advice(_ capture: Capture, _ place: String) -> String {
        switch capture {
        case .method(let variable):
            "give a closure that captures '\(variable)' weakly instead of the method \(place)"
        case .variable(let name, let type):
            """
            set \(name.map { "'\($0)'" } ?? "the captured variable that holds '\(type)'") to nil when it is no longer \
            needed, or capture it weakly in the closure \(place)
            """
        case .itself(let variable):
            """
            set \(variable.map { "'\($0)'" } ?? "the variable that holds the closure \(place)") to nil when it is no \
            longer needed: the closure\(variable == nil ? "" : " \(place)") captures it
            """
        case .object(let name): "capture '\(name)' weakly in the closure \(place)"
        case .objectOfType(let type): "hold weakly the '\(type)' that the closure \(place) captures"
        case .unknown: "capture less in the closure \(place)"
        }
    }

    private static func advice(_ subscription: Subscription) -> String {
        let which =
            subscription.madeAt.map { made(at: $0) }
            ?? subscription.closure.map { " whose closure is \($0.location)" } ?? ""
        let keeping = subscription.holder.map { ", which \($0) holds" } ?? ""
        return """
            dispose \(subscription.isOfGroup ? "the group's own subscription" : "the subscription")\(which)\
            \(keeping), for example in a bag that goes with its owner
            """
    }

    private static func made(at place: String?) -> String { place.map { " made at \($0)" } ?? "" }

    private static func which(_ code: Code?) -> String { code.map { " whose closure is \($0.location)" } ?? "" }

    private static func weakly(_ code: Code?) -> String {
        code == nil ? "" : ", or capture weakly in it what it should not keep"
    }
}

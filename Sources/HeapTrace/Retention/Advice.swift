/// Finds the cause of a leak from the path that holds it: the user's frame or edge that is nearest to the target.
struct Advice {
    let steps: [RetentionStep]
    /// The number of steps at the beginning of `steps` that form the cycle.
    let cycleLength: Int
    /// The hops of the cycle, and the hops from a root or from the cycle to the target.
    let cycle: [Hop]
    let way: [Hop]
    /// The origin of the target's class, the name of its module, and whether the target is the memory of a value: the
    /// storage of a collection, or a block.
    var target: (origin: CodeOrigin, module: String, isMemory: Bool) = (.user, "", false)
    /// The target, if it is a task.
    var task: Hop?
    /// Whether no object is between the root or the cycle and the target. If the target is a task, only the system
    /// keeps it, and `way` contains only the target.
    var isRoot = false
    /// The cause if there is no path.
    var fixed: LeakCause?

    /// The places that the advice refers to, `Screen.swift:42`, if they are known.
    struct Sites {
        /// The subscription.
        var subscription: String?
        /// Whether this is a subscription to a group of `groupBy` whose sequence of groups is already disposed.
        var isOfGroup = false
        /// The object that is held.
        var held: String?
        /// The objects on the path that were created during the runs; `nil` if unknown.
        var new: Set<UInt>?
    }

    func cause(_ sites: Sites) -> LeakCause {
        if let fixed { return fixed }
        if isOfOthers(cycle), let kept = collectionOfNew(sites) { return kept }
        if isChain { return release(sites) }
        if PathShortening.isUsers(cycle) {
            // A library's own cycle, such as an event loop and its scheduled tasks, keeps the closures that it was
            // given.
            if !cycle.contains(where: \.isUsers), let handler { return handler }
            return breaking(sites)
        }
        return .subscription(subscription(sites))
    }

    /// Whether the first holder is one of the user's variables.
    var beginsAtUsersVariable: Bool { cycle.isEmpty && way.first.map { $0.kind == .global && $0.isUsers } ?? false }

    /// Whether the cycle contains neither the user's objects nor objects of `Rx`.
    private func isOfOthers(_ cycle: [Hop]) -> Bool {
        !cycle.contains(where: \.isUsers) && !PathShortening.isOfRx(cycle)
    }

    /// Whether the path begins outside the heap, or with a library's memory about which nothing more is known.
    private var isChain: Bool { !PathShortening.isUsers(cycle) && !PathShortening.isOfRx(cycle) }

    // MARK: Cycles

    /// The user's closure to change to break the cycle: preferably a closure that captures its own object, otherwise a
    /// closure that captures an object directly.
    private var closure: Hop? {
        let closures = cycle.filter { $0.kind == .closure && $0.isUsers }
        return closures.first(where: \.capturesSelf) ?? closures.first { $0.captured != nil } ?? closures.first
    }

    private static func capture(of closure: Hop) -> LeakCause {
        let code = LeakCause.Code(location: closure.location)
        if closure.isMethod { return .capture(.method(variable: closure.variable ?? "self"), of: code) }
        if let boxed = closure.boxed { return .capture(.variable(name: closure.variable, type: boxed), of: code) }
        if let variable = closure.variable ?? (closure.capturesSelf ? "self" : nil) {
            return .capture(.object(variable), of: code)
        }
        return .capture(closure.captured.map { .objectOfType($0) } ?? .unknown, of: code)
    }

    /// Whether the cycle consists of one closure and the variable that stores it.
    private var isOfVariableAlone: Bool {
        !cycle.contains { ![.closure, .box, .thunk].contains($0.kind) } && cycle.count { $0.kind == .closure } == 1
    }

    private func breaking(_ sites: Sites) -> LeakCause {
        if let collection = collectionOnCycle(sites) { return collection }
        if let session = cycle.firstIndex(where: { $0.kind == .session }) {
            let delegate = cycle[(session + 1)...].first(where: \.isUsers) ?? cycle.first(where: \.isUsers)
            return .session(delegate: delegate?.name)
        }
        if let closure, isOfVariableAlone {
            return .capture(.itself(variable: closure.variable), of: .init(location: closure.location))
        }
        if let closure { return Self.capture(of: closure) }
        if let keeper = steps.first, cycle.contains(where: \.isMemory) {
            return .replayOfItself(property: keeper.holder + keeper.edge, holder: keeper.holder, madeAt: sites.held)
        }
        if let keeper = steps.first, cycle.contains(where: { $0.kind == .kernel }) {
            return .sequenceOfItself(property: keeper.holder + keeper.edge, holder: keeper.holder)
        }
        if let back = backReference, Self.backReferences.contains(back.edge) {
            return .backReference(back.holder + back.edge, isProperty: back.kind == .property)
        }
        if let library = libraryBeforeUser { return library }
        guard let back = backReference else {
            return target.origin == .dependency && !way.contains(where: \.isUsers)
                ? .library(module: target.module) : .unknown
        }
        return .backReference(back.holder + back.edge, isProperty: back.kind == .property)
    }

    /// The library's property that leads back to the user's only object. The user cannot make that property weak.
    private var libraryBeforeUser: LeakCause? {
        let objects = cycle.filter { $0.kind == .instance }
        guard objects.count(where: \.isUsers) == 1, objects.count > 1,
            let index = objects.firstIndex(where: \.isUsers)
        else { return nil }
        let holder = objects[(index + objects.count - 1) % objects.count]
        return .keptByLibrary(property: holder.name + holder.edge.text, object: objects[index].name)
    }

    /// The user's property to make weak. A reference that leads back, to a parent or a delegate, is more likely to be
    /// the mistake. One property is easier to change than a collection. Only the user's own properties can be changed.
    private var backReference: RetentionStep? {
        let users = Set(cycle.filter(\.isUsers).map(\.name))
        let fields = steps.prefix(cycleLength).filter { $0.isThroughProperty && users.contains($0.holder) }
        let plain = fields.filter { $0.kind == .property }
        return plain.first { Self.backReferences.contains($0.edge) } ?? plain.last ?? fields.last
    }

    /// Usual names of properties that lead back to the object that owns their holder.
    private static let backReferences: Set<String> = [".parent", ".owner", ".delegate", ".context"]

    // MARK: Subscriptions

    /// Returns the subscription to dispose. Disposing it releases work that waits for an event, or for its due time.
    private func subscription(_ sites: Sites, from holder: String? = nil) -> LeakCause.Subscription {
        LeakCause.Subscription(
            isOfGroup: sites.isOfGroup, madeAt: sites.subscription,
            closure: sites.subscription == nil ? observer.map { .init(location: $0.location) } : nil, holder: holder)
    }

    /// The closure of the subscription that is nearest to the target. Other closures on the path may be unrelated.
    private var observer: Hop? {
        let last = way.lastIndex { $0.kind == .closure } ?? way.startIndex
        let sink = way[..<last].lastIndex { $0.kind == .kernel } ?? way.startIndex
        return way[sink...].first { $0.kind == .closure }
    }

    // MARK: Chains

    private func release(_ sites: Sites) -> LeakCause {
        guard !steps.isEmpty else { return .unknown }
        let first = way.first(where: PathShortening.isShown) ?? way.first
        let origin = first.map { $0.reference(withEdge: false) } ?? steps[0].holder
        if let waiting = ofTask(sites) { return waiting }
        if let removal { return removal }
        if let registered = registered(origin) { return registered }
        if sites.isOfGroup { return .subscription(subscription(sites, from: origin)) }
        if first?.isOfDispatch ?? false { return ofDispatch(sites) }
        if !isKept, let fewer = fewerGroups(sites, from: origin) { return fewer }
        if !isKept, let bound = boundOfMemory { return bound }
        if isSubscription { return .subscription(subscription(sites, from: origin)) }
        if let handler { return handler }
        if target.origin == .system, !target.isMemory, !way.contains(where: { $0.isUsers && $0.kind != .task }) {
            return .system(module: target.module)
        }
        return holder(sites) ?? perThread(sites) ?? .unknown
    }

    /// The dictionary of a `Thread`, in which the user's code keeps objects under its own keys.
    private func perThread(_ sites: Sites) -> LeakCause? {
        let isThread = { (hop: Hop) in
            hop.origin == .system && hop.name == "Thread" && hop.edge.text == ".threadDictionary"
        }
        return way.contains(where: isThread) ? .collection("'Thread.threadDictionary'", madeAt: sites.held) : nil
    }

    /// Whether the path contains objects of `Rx`.
    private var hasSubscription: Bool { PathShortening.isOfRx(way) }

    private func code(after index: Int) -> LeakCause.Code? {
        way[index...].first { $0.kind == .closure && $0.isUsers }.map { .init(location: $0.location) }
    }

    /// A task, and the continuation or stream that it waits for, which the holder must end.
    private func ofTask(_ sites: Sites) -> LeakCause? {
        let holder = way.lastIndex { $0.kind == .task }
        // Only its group keeps a task of a group that has ended.
        if let ended = self.task ?? holder.map({ way[$0] }), ended.hasEnded {
            return .endedTaskOfGroup(
                function: ended.functionName, place: ended.sourcePlace, madeAt: self.task == nil ? nil : sites.held)
        }
        guard let index = holder else { return nil }
        let task = way[index]
        let code = task.sourcePlace.map { LeakCause.Code(location: "at \($0)") }
        let before = way[..<index]
        let keeper = before.last { $0.isUsers && $0.kind != .task && $0.kind != .closure }
            .map { $0.reference(withEdge: true) }
        if before.contains(where: { $0.kind == .stream }) { return .stream(holder: keeper, waiting: code) }
        // Only a task's handle and a continuation refer to the task.
        let isContinuation = before.contains { $0.kind == .continuation }
        if isContinuation || before.last.map({ !$0.isTyped && $0.kind == .storage }) ?? false {
            return .continuation(holder: keeper, waiting: code)
        }
        if let child = self.task, !isRoot, child.isUsers, index == way.endIndex - 1 {
            return .taskOfGroup(function: child.functionName, place: child.sourcePlace)
        }
        // Do not report a test runner's task. Do not report a task that existed before the runs either, such as a task
        // of another test, unless it collects objects of the runs: a stale word in its memory may look like a
        // reference.
        let next = way[(index + 1)...].first
        guard task.isUsers, isNew(task, sites) || next?.kind == .storage else { return nil }
        // The memory of a task that runs, or has not begun, does not contain its function. Use its closure instead.
        let body = task.function != nil ? task : next.flatMap { $0.kind == .closure && $0.isUsers ? $0 : nil }
        guard let body, body.function != nil else { return nil }
        return .task(function: body.functionName, place: body.sourcePlace)
    }

    /// Whether the runs created the hop's object, or may have created it.
    private func isNew(_ hop: Hop, _ sites: Sites) -> Bool { sites.new?.contains(hop.address) ?? true }

    /// The cause if an object of the system keeps a closure until that object is ended. Of several such objects, the
    /// object nearest to the user's code is used.
    private func registered(_ origin: String) -> LeakCause? {
        if hasSubscription { return nil }
        let kinds: Set<Hop.Kind> = [.runLoopTimer, .source, .delayedWork, .dispatchGroup, .session]
        let ofSystem = way.prefix { !$0.isUsers || $0.kind == .task }
        guard
            let index = ofSystem.lastIndex(where: { kinds.contains($0.kind) })
                ?? way.firstIndex(where: { kinds.contains($0.kind) })
        else { return nil }
        return switch way[index].kind {
        // Foundation's own objects, without one of the user's closures, outlive an invalidated timer.
        case .runLoopTimer where target.origin == .system && !way.contains(where: \.isUsers): nil
        case .runLoopTimer: .runLoopTimer(code(after: index))
        case .source: .dispatchSource(code(after: index))
        case .delayedWork: .delayedWork(code(after: index))
        case .dispatchGroup: .dispatchGroup(code(after: index))
        default: .session(delegate: way[index...].first(where: \.isUsers)?.name)
        }
    }

    private func ofDispatch(_ sites: Sites) -> LeakCause {
        hasSubscription ? .subscription(subscription(sites)) : .delayedWork(code(after: 0))
    }

    /// The cause if a library's object holds one of the user's closures.
    private var handler: LeakCause? {
        guard
            let index = way.indices.last(where: { index in
                way[index].kind == .closure && way[index].isUsers
                    && (cycle + way[..<index]).last { $0.kind != .storage && $0.kind != .box }?.origin == .dependency
            })
        else { return nil }
        let code = LeakCause.Code(location: way[index].location)
        let before = cycle + way[..<index]
        if before.contains(where: Self.isScheduled) { return .scheduledOnEventLoop(code) }
        let holder = before.last(where: \.isUsers) ?? before[0]
        return .handler(code, holder: holder.reference(withEdge: true))
    }

    /// Whether an event loop holds the next hop as a scheduled task, and not as a channel or a task that is due.
    private static func isScheduled(_ hop: Hop) -> Bool {
        eventLoops.contains(hop.name) && hop.label.lowercased().contains("scheduledtasks")
    }

    /// The SwiftNIO classes that keep scheduled tasks.
    private static let eventLoops: Set<String> = [
        "SelectableEventLoop", "EmbeddedEventLoop", "NIOAsyncTestingEventLoop", "NIOTSEventLoop",
    ]

    /// The user's collection, property or variable that the new objects were added to. If it is unknown which objects
    /// are new, the outermost collection, property or variable.
    private func holder(_ sites: Sites) -> LeakCause? {
        let grown = firstNew(sites) ?? way.endIndex
        let before = way[..<grown]
        if let index = collection(in: reach(to: grown), sites), let owner = owner(ofStorageAt: index) {
            let element = way.dropFirst(index + 1).first(where: PathShortening.isShown)
            let closure = element.flatMap { element in
                element.kind == .closure && element.isUsers ? LeakCause.Code(location: element.location) : nil
            }
            return .collection(owner.reference(withEdge: true), madeAt: sites.held, closure: closure)
        }
        if target.isMemory, let owner = before.last(where: PathShortening.isShown), isOfUser(owner) {
            return .collection(owner.reference(withEdge: true), madeAt: sites.held)
        }
        guard
            let first = sites.new == nil
                ? way.first(where: isOfUser) : before.last(where: isOfUser) ?? way.first(where: isOfUser)
        else { return nil }
        return .variable(first.reference(withEdge: sites.new != nil))
    }

    /// The first hop that the runs have made, and that leads to the target without an older object in between. A new
    /// object that leads to an older one, such as the work for which a task waits, is not the object that piles up.
    private func firstNew(_ sites: Sites) -> Int? {
        guard let new = sites.new else { return nil }
        let oldest = way.lastIndex { $0.address != 0 && !new.contains($0.address) }.map { $0 + 1 } ?? way.startIndex
        return way[oldest...].firstIndex { new.contains($0.address) }
    }

    /// The hops that existed before the runs. The storage of a collection is new if it has grown.
    private func reach(to grown: Int) -> ArraySlice<Hop> {
        grown < way.endIndex && way[grown].kind == .storage ? way[...grown] : way[..<grown]
    }

    /// The index of the storage of one of the user's collections: the innermost if it is known which objects are new,
    /// otherwise the outermost.
    private func collection(in hops: ArraySlice<Hop>, _ sites: Sites) -> Int? {
        let isOfUsers = { (index: Int) in
            self.way[index].kind == .storage && self.owner(ofStorageAt: index).map(self.isOfUser) ?? false
        }
        return sites.new == nil ? hops.indices.first(where: isOfUsers) : hops.indices.last(where: isOfUsers)
    }

    /// The holder of a collection: for one of Foundation's classes the object that refers to it.
    private func owner(ofStorageAt index: Int) -> Hop? {
        way[..<index].last {
            PathShortening.isShown($0) && !($0.origin == .system && Self.foundationCollections.contains($0.name))
        }
    }

    private static let foundationCollections: Set<String> = [
        "NSArray", "NSDictionary", "NSMutableArray", "NSMutableDictionary", "NSMutableOrderedSet", "NSMutableSet",
        "NSOrderedSet", "NSSet",
    ]

    /// The user's collection that the runs have added to, unless its holder has its own end: a task, a closure, a
    /// timer. The path to the collection is not the mistake then.
    private func collectionOfNew(_ sites: Sites) -> LeakCause? {
        guard sites.new != nil else { return nil }
        let older = reach(to: firstNew(sites) ?? way.endIndex)
        let isMemoryOfOlder = target.isMemory && older.endIndex == way.endIndex
        let keeping: Set<Hop.Kind> = [.instance, .ours, .storage, .stream, .box, .block]
        // The storage may belong to a replay; then it is not a collection of the user.
        guard let storage = collection(in: older, sites) ?? (isMemoryOfOlder ? way.endIndex : nil),
            let owner = owner(ofStorageAt: storage), owner.isUsers, owner.kind == .global || owner.kind == .instance,
            way.dropFirst(storage + 1).allSatisfy({ keeping.contains($0.kind) })
        else { return nil }
        return .collection(owner.reference(withEdge: true), madeAt: sites.held)
    }

    /// The collection of an object that existed before the runs, on a cycle that the runs created. Other objects hold
    /// the collection too, and it keeps the elements that are added to it.
    private func collectionOnCycle(_ sites: Sites) -> LeakCause? {
        guard let new = sites.new, cycle.contains(where: { new.contains($0.address) }) else { return nil }
        for index in cycle.indices where cycle[index].kind == .storage {
            let before = cycle[..<index]
            guard
                let owner = before.last(where: PathShortening.isShown)
                    ?? cycle[index...].last(where: PathShortening.isShown),
                owner.kind == .instance, owner.isUsers, !new.contains(owner.address)
            else { continue }
            return .collection(owner.reference(withEdge: true), madeAt: sites.held)
        }
        return nil
    }

    private func isOfUser(_ hop: Hop) -> Bool { hop.isUsers && hop.kind != .task || hop.kind == .ours }

    /// A notification center keeps an observer until its token is removed, regardless of the observer's captures. A
    /// subscription removes its own observer.
    private var removal: LeakCause? {
        guard let center = way.firstIndex(where: { $0.kind == .center }),
            let observer = way[center...].first(where: { $0.kind == .closure || $0.kind == .kernel }),
            observer.kind == .closure
        else { return nil }
        return .observer(.init(location: observer.location))
    }

    /// `groupBy` keeps a group for each key. Its subscribers can be released one by one, but a group cannot.
    private func fewerGroups(_ sites: Sites, from origin: String) -> LeakCause? {
        guard let grouping = way.lastIndex(where: \.isGroupTable) else { return nil }
        guard way[way.index(after: grouping)...].contains(where: { $0.kind != .storage }) else { return .groups }
        var sites = sites
        sites.isOfGroup = true
        return .subscription(subscription(sites, from: origin))
    }

    /// The cause if a replay or a subject's value keeps the target. The buffer of an unbounded replay is released only
    /// with the replay. The content of a subject's value is released with that value.
    private var boundOfMemory: LeakCause? {
        guard let memory = way.firstIndex(where: \.remembersNext) else { return nil }
        let shown = way[..<memory].filter(PathShortening.isShown)
        guard let replay = shown.last, replay.kind == .ours else { return nil }
        let keeper = (shown.dropLast().last ?? replay).reference(withEdge: shown.count > 1)
        if replay.role == .replay { return .unboundedReplay(keeper) }
        guard way[memory...].contains(where: { $0.kind == .storage }) else { return nil }
        return .growingValue(of: keeper)
    }

    /// Whether disposing a subscription releases the target. It does not release remembered elements.
    private var isSubscription: Bool {
        if way.contains(where: \.remembersNext) { return false }
        // A shared connection has observers, like a subject, regardless of where the sequence itself is stored.
        let isSource = { (hop: Hop) in
            switch hop.role {
            case .subject, .currentValue, .replay, .connection: true
            default: hop.kind == .center
            }
        }
        if way.contains(where: isSource) { return true }
        return !isKept && way.contains { $0.kind == .kernel || $0.kind == .timer }
    }

    /// Whether a collection of the user's precedes the objects of `Rx`.
    private var isKept: Bool {
        let kernel = way.firstIndex { $0.kind == .kernel || $0.kind == .timer || $0.kind == .ours } ?? way.endIndex
        return way[..<kernel].contains { $0.kind == .storage }
    }
}

#if os(Linux)
    import CRxTrace
    import Glibc

    /// Describes a path through the heap. It names all hops, and then omits the hops that the user does not know.
    struct PathNaming {
        let contents: HeapContents

        func retention(_ path: HolderPath) -> Retention {
            var cycle = hops(path.cycle, function: path.cycle.last.map { contents.graph.edge($0.edge).function } ?? 0)
            var hops = (origin(path).map { [$0] } ?? []) + hops(path)
            if hops.isEmpty, cycle.isEmpty, path.root != nil {
                var target = hop(path.target, function: 0)
                target.address = contents.graph.node(path.target).address
                hops = [target]
            }
            if path.steps.isEmpty { rotate(&cycle) }
            let cycleSteps = PathShortening.cycleSteps(of: cycle)
            let steps = cycleSteps + PathShortening.steps(of: hops)
            let isForeign = path.root.map { !path.isRootTyped && $0.place != rxtrace_root_task } ?? false
            let target = path.steps.isEmpty && PathShortening.isUsers(cycle) ? cycle.first?.name : nil
            let adviser = Advice(
                steps: steps, cycleLength: cycleSteps.count, cycle: cycle, way: hops,
                target: (
                    origin(of: path.target) ?? .user, module(of: path.target),
                    isStorage(path.target) || contents.graph.node(path.target).metadata == 0
                ), task: task(path.target), isRoot: path.steps.isEmpty)
            let cause = adviser.cause(Advice.Sites())
            let trail = (path.cycle + path.steps).map(\.node) + [path.target]
            let classes = trail.filter(isUsers).map { (contents.graph.node($0).address, name(of: $0)) }
            return Retention(
                target: target ?? name(of: path.target), steps: steps, cycleLength: cycleSteps.count,
                grade: grade(path, cycle + hops), advice: cause.advice, owner: nil,
                found: Retention.Found(
                    classes: classes, trail: trail.map { contents.graph.node($0).address },
                    isOfTracer: trail.contains(where: isOfTracer), isOfSwiftTesting: isOfSwiftTesting(path),
                    guesses: isForeign ? (steps.lastIndex { !$0.isTyped } ?? -1) + 1 : 0,
                    isHeldByStack: path.root?.place == rxtrace_root_stack,
                    isInMemoryOfDispatch: (hops.first?.isOfDispatch ?? false)
                        && hops.dropFirst().allSatisfy { $0.kind == .block },
                    isAnonymous: !(cycle + hops).contains(where: \.isNamed), adviser: adviser, cause: cause))
        }

        /// The retention of an object that has a reference count, although no reference to it was found.
        func unheld(_ node: Int) -> Retention {
            let step = RetentionStep(
                holder: "a retain without a reference", through: RetentionEdge(.unknown), isTyped: false)
            let module = module(of: node)
            let isUsers = isUsers(node)
            let cause: LeakCause =
                isUsers
                ? .unbalancedRetain(of: name(of: node))
                : origin(of: node) == .system ? .system(module: module) : .unknown
            return Retention(
                target: name(of: node), steps: [step], cycleLength: 0,
                grade: .likely(because: "no reference to it was found, neither in objects nor in other memory"),
                advice: cause.advice, owner: nil,
                found: Retention.Found(
                    classes: isUsers ? [(contents.graph.node(node).address, name(of: node))] : [],
                    trail: [contents.graph.node(node).address], isAnonymous: true,
                    adviser: Advice(steps: [step], cycleLength: 0, cycle: [], way: [], fixed: cause), cause: cause))
        }

        /// Whether the target is a collection of Swift Testing's types, or a path leads from a variable of Swift
        /// Testing to an object that is not the user's.
        private func isOfSwiftTesting(_ path: HolderPath) -> Bool {
            if types(of: path.target).contains(where: { $0.descriptor?.module == "Testing" }) { return true }
            guard let root = path.root, !isUsers(path.target), let name = SymbolTable.symbol(at: root.address)?.name
            else { return false }
            return MangledName.module(name) == "Testing"
        }

        /// Whether an object is of a class of the tracer, or the storage of a collection of the tracer's types.
        private func isOfTracer(_ node: Int) -> Bool { types(of: node).contains(where: Self.isTracers) }

        /// Whether an object is the storage of a collection that only the tracer has.
        func isTracersAlone(_ node: Int) -> Bool { types(of: node).contains(where: \.isTracersAlone) }

        /// The class of an object, and the types of its elements.
        func types(of node: Int) -> [Metadata] {
            guard isInstance(node) else { return [] }
            let type = Metadata(contents.graph.node(node).metadata)
            return [type] + type.elements
        }

        /// Whether a path leads through a continuation to the task that waits for it.
        func leadsThroughContinuation(_ path: HolderPath) -> Bool {
            let kinds = path.steps.map { hop($0.node, function: 0).kind }
            guard let continuation = kinds.firstIndex(of: .continuation) else { return false }
            return kinds[continuation...].contains(.task)
        }

        /// The module of an object's class, as users import it.
        func module(of node: Int) -> String {
            guard isInstance(node) else { return "" }
            return Metadata(contents.graph.node(node).metadata).descriptor?.module ?? ""
        }

        private func grade(_ path: HolderPath, _ hops: [Hop]) -> RetentionGrade {
            switch path.evidence {
            case .complete: return .proven
            case .untyped:
                if path.root?.place == rxtrace_root_stack {
                    return .likely(
                        because: "a local variable of a running function seems to hold it; it may be one that is over")
                }
                let holder = hops.first { !$0.isTyped }?.name
                return .likely(
                    because: holder.map { "what \($0) holds is not described by its type" }
                        ?? "a reference on the way is not described by a type")
            case .unaccounted(let node, let found, let counted):
                return .likely(
                    because: """
                        \(name(of: node)) is held \(String.counted(counted, "time")), and \(found) of the references \
                        \(found == 1 ? "was" : "were") found: a local variable, another thread or memory that is not \
                        described by types may hold it too
                        """)
            }
        }

        /// Whether a node is the list of a subject's observers.
        func isListOfObservers(_ node: Int) -> Bool {
            guard isInstance(node),
                case .observers = contents.shapes.shape(
                    of: Metadata(contents.graph.node(node).metadata), object: contents.graph.node(node).address)
            else { return false }
            return true
        }

        /// Whether an object's class is the user's own, and does not belong to the language, a library or this package.
        func isUsers(_ node: Int) -> Bool { origin(of: node) == .user }

        /// The origin of an object's class; `nil` for memory without a class.
        func origin(of node: Int) -> CodeOrigin? {
            isInstance(node) ? Self.origin(of: Metadata(contents.graph.node(node).metadata)) : nil
        }

        static func origin(of type: Metadata) -> CodeOrigin {
            guard let module = type.descriptor?.module else { return .system }
            if KernelFields.modules.contains(module) { return .tracer }
            // The address of the function that destroys the objects is stored two words before the metadata.
            return CodeOrigin.of(module: module, near: word(type.address - 16))
        }

        /// Whether the first holder on a path is a task that runs one of the user's functions.
        func isUsersTask(_ path: HolderPath) -> Bool {
            let node = path.steps.first?.node ?? path.target
            return function(ofTaskAt: contents.graph.node(node).address) != nil
        }

        /// Whether a node is a child task that has ended and that its task group keeps.
        func isEndedTaskOfGroup(_ node: Int) -> Bool {
            let found = contents.graph.node(node)
            return found.metadata != 0 && Metadata(found.metadata).kind == .task
                && TaskFunction.parent(
                    ofEndedTaskAt: found.address, isReadable: contents.shapes.types.isReadable) != nil
        }

        /// Whether a path leads through a source or delayed work, which libdispatch itself keeps. A word in a task's
        /// memory that looks like a reference to it is no evidence.
        func leadsThroughDispatch(_ path: HolderPath) -> Bool {
            path.steps.contains { step in
                let node = contents.graph.node(step.node)
                return node.metadata == 0 && dispatchHop(node) != nil
            }
        }

        /// Whether a node is the storage of a collection of the standard library.
        func isStorage(_ node: Int) -> Bool { knownClass(of: node)?.isStorage ?? false }

        /// Whether an object is an instance of one of the tracer's classes.
        func isTracersInstance(_ node: Int) -> Bool { knownClass(of: node)?.isTracers ?? false }

        private struct KnownClass {
            var isStorage: Bool
            var isTracers: Bool
        }

        private func knownClass(of node: Int) -> KnownClass? {
            guard isInstance(node) else { return nil }
            let address = contents.graph.node(node).metadata
            if let known = Self.classes.withLock({ $0[address] }) { return known }
            let type = Metadata(address)
            let known = KnownClass(isStorage: instance(type).kind == .storage, isTracers: Self.isTracers(type))
            Self.classes.withLock { $0[address] = known }
            return known
        }

        /// The classes by the address of their metadata, which never changes.
        private static let classes = Locked<[UInt: KnownClass]>([:])

        /// Whether the tracer declares a type.
        private static func isTracers(_ type: Metadata) -> Bool {
            ["HeapTrace", "RxTraceObjects"].contains(type.descriptor?.module ?? "")
        }

        /// The type of an object, as the user writes it.
        func name(of node: Int) -> String {
            let found = contents.graph.node(node)
            let metadata = Metadata(found.metadata)
            if found.references == rxtrace_of_weak_references { return "a weak reference" }
            if found.metadata == 0 { return "a block of \(String.counted(found.size, "byte"))" }
            switch metadata.kind {
            case .aClass: return metadata.collectionName ?? metadata.name
            case .context: return "closure"
            case .error: return "error"
            case .task: return "Task"
            default: return "box"
            }
        }

        // MARK: Hops

        /// The hops from the root, or from the cycle, to the target.
        private func hops(_ path: HolderPath) -> [Hop] {
            guard let group = path.group else { return hops(path.steps, function: 0) }
            let holder = Hop(
                kind: .dispatchGroup, name: "a dispatch group that waits", origin: .system, address: group.address,
                isTyped: false)
            let first = path.steps.first?.node ?? path.target
            guard isInstance(first) else { return [holder] + hops(path.steps, function: group.closure) }
            return [holder, closure(group.closure, capturing: first)] + hops(path.steps, function: 0)
        }

        /// The dispatch groups whose `notify` closures wait, by the closures' contexts. O(b) for *b* blocks of the
        /// heap.
        ///
        /// A group leads to a piece of work, which leads to a block of the C runtime. The code and the context of a
        /// closure follow the header of such a block, 32 bytes (`Block_layout` in `Block_private.h` of libdispatch).
        var dispatchGroups: [UInt: HolderPath.DispatchGroup] {
            guard let creating = dlsym(nil, "dispatch_group_create"), let block = dlsym(nil, "_NSConcreteMallocBlock"),
                let functions = SymbolTable.address(
                    of: "__OS_dispatch_group_vtable", inImageOf: UInt(bitPattern: creating))
            else { return [:] }
            func pointers(at address: UInt, words: UInt) -> [UInt] {
                (1..<words).map { word(address + 8 * $0) }
                    .filter { $0 & 7 == 0 && contents.shapes.types.isReadable($0, 48) }
            }
            var groups: [UInt: HolderPath.DispatchGroup] = [:]
            for group in contents.blocks(beginningWith: functions) {
                let closures = pointers(at: group, words: 10).flatMap { pointers(at: $0, words: 6) }
                    .filter { word($0) == UInt(bitPattern: block) }
                for closure in closures {
                    groups[word(closure + 40)] = HolderPath.DispatchGroup(address: group, closure: word(closure + 32))
                }
            }
            return groups
        }

        /// - Parameter function: the code of the closure whose context is the first node.
        private func hops(_ steps: [HolderPath.Step], function: UInt) -> [Hop] {
            var hops: [Hop] = []
            var function = function
            for (index, step) in steps.enumerated() {
                let edge = contents.graph.edge(step.edge)
                var hop = hop(step.node, function: function)
                let layouts = contents.shapes.layouts
                hop.label = layouts.text(Int(edge.label))
                if let capture = layouts.capture(Int(edge.label)) {
                    hop.captureIndex = capture.index
                    if hop.kind == .box { (hop.label, hop.isOfValue) = (capture.part, true) }
                }
                hop.index = edge.index < 0 ? nil : Int(edge.index)
                hop.isTyped = edge.is_typed
                hop.address = contents.graph.node(step.node).address
                hops.append(hop)
                let code = function
                function = isFunction(edge.function) ? edge.function : 0
                // The context of a closure that captures a single object is that object itself.
                if function != 0, isInstance(Int(edge.target)) {
                    hops.append(closure(function, capturing: Int(edge.target)))
                    function = 0
                } else if hop.kind == .closure || hop.kind == .box {
                    describeCapture(&hops[hops.count - 1], of: code, steps[index...])
                }
            }
            return hops
        }

        /// Whether a function begins at an address. The word before an untyped reference may be any number that is an
        /// address of code by chance: for example 4 bytes of a lock, and 4 bytes that are left from earlier memory.
        private func isFunction(_ address: UInt) -> Bool {
            address != 0 && SymbolTable.symbol(at: address)?.address == address
        }

        /// Names the capture that is next on the path: an object, another closure, or a variable with a value.
        private func describeCapture(_ hop: inout Hop, of function: UInt, _ steps: ArraySlice<HolderPath.Step>) {
            guard let step = steps.first else { return }
            let edge = contents.graph.edge(step.edge)
            let metadata = Metadata(contents.graph.node(step.node).metadata)
            let layout = CaptureLayout(metadata, contents.shapes.types)
            // The context of a closure that captures a single variable is the variable's box.
            if layout == nil, hop.kind == .closure, hop.captureIndex == nil { hop.captureIndex = 0 }
            hop.variable = variable(hop, of: function, among: layout?.count ?? 1)
            if isInstance(Int(edge.target)) {
                hop.captured = name(of: Int(edge.target))
            } else if edge.function == 0 {
                let targets = steps.dropFirst().lazy.map { Int(contents.graph.edge($0.edge).target) }
                hop.boxed = targets.first(where: isInstance).map(name)
            }
        }

        /// The name of the variable that a closure's capture refers to.
        func variable(_ closure: Hop, of function: UInt, among count: Int) -> String? {
            guard closure.kind == .closure, let index = closure.captureIndex,
                let symbol = SymbolTable.symbol(at: function)
            else { return nil }
            return DescribedFunction.of(symbol)?.variable(ofCapture: index, among: count)
        }

        func isInstance(_ node: Int) -> Bool {
            let metadata = contents.graph.node(node).metadata
            return metadata != 0 && Metadata(metadata).kind == .aClass
        }

        /// The hop of a path's root; `nil` for a path without a root, and for a task, which is already a hop.
        func origin(_ path: HolderPath) -> Hop? {
            guard let root = path.root, root.place != rxtrace_root_task else { return nil }
            if root.place == rxtrace_root_stack {
                return Hop(kind: .global, name: "a local variable", origin: .system, isTyped: false)
            }
            if let first = path.steps.first?.node, isInstance(first),
                instance(Metadata(contents.graph.node(first).metadata)).kind == .center
            {
                // Foundation's own global variable has another name.
                return Hop(global: "NotificationCenter.default", origin: .user, isTyped: path.isRootTyped)
            }
            if let segment = contents.segment(at: root.address), String(cString: segment.path).contains("libdispatch") {
                return Hop(
                    kind: .global, name: "a timer or a queue of libdispatch", isOfDispatch: true, origin: .system,
                    isTyped: false)
            }
            let symbol = SymbolTable.symbol(at: root.address)
            let name = symbol.flatMap { GlobalName($0)?.name ?? FunctionName.demangled($0.name) }
            let origin = symbol.map { self.origin(ofVariable: $0) } ?? .system
            guard let name else {
                return Hop(kind: .global, name: "a global without a name", origin: origin, isTyped: path.isRootTyped)
            }
            return Hop(global: name, origin: origin, isTyped: path.isRootTyped)
        }

        /// The origin of a variable, by its name. A variable of C code counts as the system's.
        func origin(ofVariable symbol: SymbolTable.Symbol) -> CodeOrigin {
            guard let module = MangledName.module(symbol.name) else { return .system }
            // There is no code near a variable. Its accessor is in the same image, and has its name.
            let accessor = symbol.name.replacing(#/vpZ?$/#) { $0.output.hasSuffix("Z") ? "vgZ" : "vg" }
            let addressor = symbol.name.replacing(#/vpZ?$/#) { $0.output.hasSuffix("Z") ? "vauZ" : "vau" }
            let code = [accessor, addressor].lazy
                .compactMap { SymbolTable.address(of: $0, inImageOf: symbol.address) }.first
            return CodeOrigin.of(module: module, near: code ?? symbol.address)
        }

        /// Whether a variable belongs to the tracer, the harness or Swift Testing, which keeps the stack of each thrown
        /// error. The variables of `Rx` are not included because they may hold the user's objects.
        func isOfTracer(variableAt address: UInt) -> Bool {
            guard let name = SymbolTable.symbol(at: address)?.name, let module = MangledName.module(name) else {
                return false
            }
            return module == "Testing" || module != "Rx" && MangledName.internalModules.contains(module)
        }

        /// Rotates a cycle to begin at the hop that the user knows best. If several hops have the same name, it begins
        /// at the hop for which the texts of the cycle's edges are first in the alphabet. In this way each search
        /// reports a cycle of equal objects in the same order.
        private func rotate(_ hops: inout [Hop]) {
            for kind in [Hop.Kind.instance, .closure, .ours] {
                guard let first = hops.first(where: { $0.kind == kind }) else { continue }
                let turns = hops.indices.filter { hops[$0].kind == kind && hops[$0].name == first.name }.map {
                    Array(hops[$0...] + hops[..<$0])
                }
                hops = turns.min { $0.map(\.edge.text).lexicographicallyPrecedes($1.map(\.edge.text)) } ?? hops
                return
            }
        }
    }
#endif

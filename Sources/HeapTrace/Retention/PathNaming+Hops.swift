#if os(Linux)
    import CRxTrace
    import Glibc

    /// Names a single hop: an object by its class, a closure and a task by the function that has made it, and memory of
    /// libdispatch by its purpose.
    extension PathNaming {
        /// A block of libdispatch, if the memory is one.
        func dispatchHop(_ node: rxtrace_node) -> Hop? {
            let words = (0..<min(UInt(node.size) / 8, 32)).lazy.map { word(node.address + 8 * $0) }
            for (index, bits) in words.enumerated() {
                guard let segment = contents.segment(at: bits), String(cString: segment.path).contains("libdispatch"),
                    let symbol = SymbolTable.symbol(at: bits)
                else { continue }
                if symbol.name.hasPrefix("_dispatch_source_type_") {
                    return symbol.name == "_dispatch_source_type_after"
                        ? Hop(kind: .delayedWork, name: "work for later of libdispatch")
                        : Hop(kind: .source, name: "a source of libdispatch")
                }
                // The memory of other blocks has no further information.
                if index == 0, !symbol.name.contains("source") { return nil }
            }
            return nil
        }

        func hop(_ node: Int, function: UInt) -> Hop {
            let metadata = contents.graph.node(node).metadata
            guard metadata != 0 else {
                return dispatchHop(contents.graph.node(node)) ?? Hop(kind: .block, name: name(of: node))
            }
            switch Metadata(metadata).kind {
            case .context: return function == 0 ? Hop(kind: .box, name: "captured variable") : closure(function)
            case .genericBox: return Hop(kind: .box, name: "box", isOfValue: true)
            case .error: return Hop(kind: .box, name: "error", isOfValue: true)
            case .aClass: return instance(Metadata(metadata))
            case .task: return task(contents.graph.node(node).address)
            default: return Hop(kind: .block, name: name(of: node))
            }
        }

        /// The hop of a node that is a task; `nil` for other nodes.
        func task(_ node: Int) -> Hop? {
            let found = contents.graph.node(node)
            return found.metadata != 0 && Metadata(found.metadata).kind == .task ? task(found.address) : nil
        }

        /// The user's function that a task runs, or that has the group of a task that has ended.
        func function(ofTaskAt address: UInt) -> SymbolTable.Symbol? {
            let isReadable = contents.shapes.types.isReadable
            guard let parent = TaskFunction.parent(ofEndedTaskAt: address, isReadable: isReadable) else {
                return TaskFunction.symbol(ofTaskAt: address, isReadable: isReadable)
            }
            return TaskFunction.groupFunction(ofTaskAt: parent, isReadable: isReadable)
        }

        func task(_ address: UInt) -> Hop {
            var hop = Hop(kind: .task, name: "Task", origin: .system)
            let isReadable = contents.shapes.types.isReadable
            hop.isOfGroup = TaskFunction.isOfGroup(taskAt: address, isReadable: isReadable)
            hop.hasEnded = TaskFunction.parent(ofEndedTaskAt: address, isReadable: isReadable) != nil
            guard let symbol = function(ofTaskAt: address) else { return hop }
            hop.function = FunctionName(symbol: symbol.name)
            hop.origin = CodeOrigin.of(symbol: symbol.name, at: symbol.address)
            locate(&hop, symbol)
            return hop
        }

        func instance(_ type: Metadata) -> Hop {
            var hop = Hop(kind: .instance, name: type.name, origin: Self.origin(of: type))
            switch (type.descriptor?.module ?? "", type.descriptor?.name ?? "") {
            case ("Swift", "CheckedContinuationCanary"): hop = Hop(kind: .continuation, name: "a continuation")
            case ("Swift", "_Storage"), ("Swift", "_Context"): hop = Hop(kind: .stream, name: "AsyncStream")
            case ("Foundation", "Timer"): hop.kind = .runLoopTimer
            case ("FoundationNetworking", "URLSession"), ("Foundation", "URLSession"): hop.kind = .session
            case ("Dispatch", "DispatchSource"): hop.kind = .source
            case ("Swift", let name) where name.hasPrefix("_"): hop.kind = .storage
            case ("Foundation", "__DataStorage"), ("FoundationEssentials", "__DataStorage"): hop.kind = .storage
            case ("Foundation", "NotificationCenter"), ("FoundationEssentials", "NotificationCenter"):
                hop.kind = .center
            case ("Rx", _):
                let role = HeapRole(of: type.type)
                if role == .timer {
                    hop = Hop(kind: .timer, name: "a timer")
                } else {
                    hop.kind = role?.isPublic ?? false ? .ours : .kernel
                }
                hop.role = role
            default: break
            }
            return hop
        }

        /// Whether code belongs to a library of the system or the toolchain.
        func isOfSystem(_ function: UInt) -> Bool {
            guard let segment = contents.segment(at: function) else { return false }
            let path = String(cString: segment.path)
            return StackFrame.isOfSystem(image: path.split(separator: "/").last.map(String.init) ?? path)
        }

        func closure(_ function: UInt) -> Hop {
            guard let symbol = SymbolTable.symbol(at: function) else { return Hop(kind: .closure, name: "closure") }
            let name = FunctionName(symbol: symbol.name)
            if name.isThunk || isOfSystem(function) { return Hop(kind: .thunk, name: "closure") }
            var hop = Hop(kind: name.isOurs ? .kernel : .closure, name: "closure in \(name.text)", function: name)
            hop.origin = CodeOrigin.of(symbol: symbol.name, at: symbol.address)
            if hop.kind == .closure { locate(&hop, symbol) }
            return hop
        }

        /// A closure that captures a single object: its context is that object.
        func closure(_ function: UInt, capturing object: Int) -> Hop {
            var closure = closure(function)
            closure.captureIndex = 0
            closure.captured = name(of: object)
            closure.variable = variable(closure, of: function, among: 1)
            return closure
        }

        func locate(_ hop: inout Hop, _ symbol: SymbolTable.Symbol) {
            guard let frame = source(of: symbol) else { return }
            hop.file = frame.file.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
            hop.line = frame.line
        }

        /// The place of a closure. A forwarder has no line, but the closure's own code has. That code is a separate
        /// function or part of the forwarder.
        func source(of symbol: SymbolTable.Symbol) -> StackFrame? {
            if let known = Self.places.withLock({ $0[symbol.address] }) { return known }
            let place = body(ofForwarder: symbol) ?? forwarder(symbol) ?? declaration(of: symbol)
            Self.places.withLock { $0[symbol.address] = place }
            return place
        }

        func body(ofForwarder symbol: SymbolTable.Symbol) -> StackFrame? {
            let closure = DescribedFunction.closure(behind: symbol.name)
            guard closure != symbol.name, let body = SymbolTable.address(of: closure, inImageOf: symbol.address)
            else { return nil }
            return users(Symbols.frames(of: [body + 1]))
        }

        /// In optimised code, the closure is part of its forwarder. The first instructions may still be the
        /// forwarder's.
        func forwarder(_ symbol: SymbolTable.Symbol) -> StackFrame? {
            let offsets = stride(from: UInt(0), to: min(max(1, symbol.size), 128), by: 8)
            return SymbolLookup.place(ofCodeAt: offsets.map { symbol.address + $0 })
        }

        /// For a method that is used as a closure, the compiler generates a closure.
        func declaration(of symbol: SymbolTable.Symbol) -> StackFrame? {
            guard let place = DescribedFunction.of(symbol)?.place, place.line > 0 else { return nil }
            return StackFrame(
                address: symbol.address, function: symbol.name, file: place.path, line: place.line, image: "")
        }

        /// Places that were looked up, because that takes milliseconds for each instruction; `nil` if there is no
        /// place.
        private static let places = Locked<[UInt: StackFrame?]>([:])

        func users(_ frames: [StackFrame]) -> StackFrame? { frames.first { $0.file != nil && !$0.isInternal } }
    }
#endif

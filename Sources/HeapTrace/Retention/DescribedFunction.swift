#if os(Linux)
    import CRxTrace

    /// A closure as the binary's debug information describes it.
    struct DescribedFunction {
        /// Where it is declared.
        let place: SourceLines.Location?
        private let parameters: [String]

        /// `nil` if the binary has no description. The first call for a closure takes some milliseconds.
        ///
        /// - Parameter symbol: the closure, or its forwarder.
        static func of(_ symbol: SymbolTable.Symbol) -> DescribedFunction? {
            let closure = closure(behind: symbol.name)
            if let described = known.withLock({ $0[closure] }) { return described }
            // In optimised code the forwarder may be in the unit of another file.
            let address = SymbolTable.address(of: closure, inImageOf: symbol.address) ?? symbol.address
            let described = DescribedFunction(closure, at: address)
            known.withLock { $0[closure] = .some(described) }
            return described
        }

        /// The closure's name without the suffixes that mark a forwarder, a part of an asynchronous function or a
        /// pointer to one, and without the number of a copy.
        static func closure(behind symbol: String) -> String {
            symbol.replacing(#/(TA|Tu|T[YQ]\d*_)+(\.\d+)?$/#, with: "")
        }

        private static let known = Locked<[String: DescribedFunction?]>([:])

        private init?(_ closure: String, at address: UInt) {
            var found = rxtrace_described_function()
            guard rxtrace_function_described(address, closure, &found) else { return nil }
            place = SourceLines.place(found.place)
            parameters = (0..<found.count).compactMap { rxtrace_parameter_name(&found, $0).map { String(cString: $0) } }
        }

        /// The variable of the capture at `index` among `count` captures. The captures are the last parameters, in
        /// order.
        func variable(ofCapture index: Int, among count: Int) -> String? {
            guard index >= 0, index < count, count <= parameters.count else { return nil }
            return parameters[parameters.count - count + index]
        }
    }

    /// The user's function that a suspended task runs.
    enum TaskFunction {
        /// The maximum number of callers that are visited.
        private static let depthLimit = 64

        /// Returns the outermost function of the user's in the task's chain of callers: the closure that the task was
        /// created with, if it has begun. `nil` for the task in which a test runs, which is not a mistake.
        ///
        /// A task has the layout of `AsyncTask` in `Task.h` of the Swift repository: a job's header of 56 bytes, then
        /// the function to resume and its context. Each context begins with the caller's context and the function that
        /// resumes the caller.
        static func symbol(ofTaskAt task: UInt, isReadable: (UInt, Int) -> Bool) -> SymbolTable.Symbol? {
            var found: SymbolTable.Symbol?
            for symbol in functions(ofTaskAt: task, isReadable: isReadable) where isUsers(symbol) {
                if isWrittenForTests(FunctionName.demangled(symbol.name)) { return nil }
                found = symbol
            }
            return found.map(beginning)
        }

        /// The functions that a suspended task resumes, the innermost first.
        private static func functions(
            ofTaskAt task: UInt, isReadable: (UInt, Int) -> Bool
        ) -> [SymbolTable.Symbol] {
            guard isReadable(task, 72) else { return [] }
            var functions = [SymbolTable.symbol(at: word(task + 56))]
            var context = word(task + 64)
            while functions.count < depthLimit, context & 7 == 0, isReadable(context, 16) {
                functions.append(SymbolTable.symbol(at: word(context + 8)))
                context = word(context)
            }
            return functions.compactMap(\.self)
        }

        /// Whether a task was added to a group, which keeps it until its result is taken: bit 26 of its flags, at
        /// offset 32 (`JobFlags` in `MetadataValues.h` of the Swift repository).
        static func isOfGroup(taskAt task: UInt, isReadable: (UInt, Int) -> Bool) -> Bool {
            isReadable(task, 40) && half(task + 32) >> 26 & 1 == 1
        }

        /// Returns the address of the parent of a child task that has ended and that its group keeps; `nil` for another
        /// task.
        ///
        /// In memory, a task's private words are followed by its parent, the next child, the group, and the state of
        /// its result. The state is not 0 once the task has ended (`AsyncTask` in `Task.h` of the Swift repository).
        /// The number of private words differs between versions of Swift, so the parent is found by its type.
        static func parent(ofEndedTaskAt task: UInt, isReadable: (UInt, Int) -> Bool) -> UInt? {
            func isTask(_ address: UInt) -> Bool {
                address & 15 == 0 && isReadable(address, 72) && word(address) == word(task)
            }
            guard isOfGroup(taskAt: task, isReadable: isReadable), isReadable(task, 288),
                let offset = stride(from: UInt(72), to: 256, by: 8).first(where: { isTask(word(task + $0)) }),
                word(task + offset + 24) & 3 != 0
            else { return nil }
            return word(task + offset)
        }

        /// Returns the user's function in which a suspended task has a task group.
        static func groupFunction(ofTaskAt task: UInt, isReadable: (UInt, Int) -> Bool) -> SymbolTable.Symbol? {
            var innermost: SymbolTable.Symbol?
            var latest: SymbolTable.Symbol?
            for symbol in functions(ofTaskAt: task, isReadable: isReadable) {
                if isUsers(symbol) {
                    latest = symbol
                    innermost = innermost ?? symbol
                } else if let latest, symbol.name.contains("TaskGroup") {
                    return beginning(of: latest)
                }
            }
            return innermost.map(beginning)
        }

        /// The beginning of the function that a symbol is part of. Asynchronous functions are split at each `await`,
        /// and the names of the parts end in `TY` or `TQ` and a number.
        private static func beginning(of part: SymbolTable.Symbol) -> SymbolTable.Symbol {
            let name = part.name.replacing(#/T[YQ]\d*_$/#, with: "")
            return SymbolTable.address(of: name, inImageOf: part.address).flatMap { SymbolTable.symbol(at: $0) } ?? part
        }

        /// Whether the package manager generated the function for XCTest, or `@Test` expands to it.
        ///
        /// - Parameter function: its demangled name, because the symbol may refer to other words for its parts.
        private static func isWrittenForTests(_ function: String) -> Bool {
            StackFrame.isOfTestRunner(function, path: "") || function.contains("macro @Test expansion")
        }

        private static func isUsers(_ symbol: SymbolTable.Symbol) -> Bool {
            guard symbol.name.hasPrefix("$s"), CodeOrigin.of(symbol: symbol.name, at: symbol.address) == .user
            else { return false }
            let name = FunctionName(symbol: symbol.name)
            return !name.isOurs && !name.isThunk
        }
    }
#endif

#if os(Linux)
    /// One of the type parameters around a piece of generic code.
    struct GenericParameter: Hashable {
        /// How many generic contexts lie around its own.
        let depth: Int
        let index: Int

        /// - Parameter text: `x`, `q_`, `q0_` … of the outermost context, then `qd__`, `qd_0_` …, `qd0__` …
        ///   (Mangling.rst).
        init?(mangled text: String) {
            if text == "x" {
                (depth, index) = (0, 0)
                return
            }
            guard text.first == "q" else { return nil }
            var rest = text.dropFirst()
            if rest.first == "d" {
                rest = rest.dropFirst()
                guard let depth = Self.number(&rest), let index = Self.number(&rest), rest.isEmpty else { return nil }
                (self.depth, self.index) = (depth + 1, index)
            } else {
                guard let index = Self.number(&rest), rest.isEmpty else { return nil }
                (depth, self.index) = (0, index + 1)
            }
        }

        /// `_` is 0, `0_` is 1 and so on.
        private static func number(_ rest: inout Substring) -> Int? {
            guard let end = rest.firstIndex(of: "_") else { return nil }
            defer { rest = rest[rest.index(after: end)...] }
            return end == rest.startIndex ? 0 : Int(rest[..<end]).map { $0 + 1 }
        }
    }

    /// What the type parameters of a piece of generic code stand for.
    struct GenericArguments {
        private let byParameter: [GenericParameter: UInt]
        /// In the order of their depths and indices.
        let types: [UInt]
        /// As the compiler writes a generic environment (GenericContext.h in the Swift repository): the number of
        /// depths, how many parameters there are up to the end of each, and for each parameter that it is a type and
        /// has an argument.
        let environment: [UInt8]

        /// `nil` if one is missing between others, or there is none.
        init?(_ arguments: [GenericParameter: UInt]) {
            guard let deepest = arguments.keys.map(\.depth).max(), deepest < 16, arguments.count < 64 else {
                return nil
            }
            var types: [UInt] = []
            var environment = [UInt8(deepest + 1), 0, 0, 0]
            for depth in 0...deepest {
                let count = arguments.keys.count { $0.depth == depth }
                for index in 0..<count {
                    guard let type = arguments.first(where: { $0.key.depth == depth && $0.key.index == index })?.value
                    else { return nil }
                    types.append(type)
                }
                environment += [UInt8(types.count), 0]
            }
            self.types = types
            self.environment = environment + [UInt8](repeating: 0x80, count: types.count)
            byParameter = arguments
        }

        subscript(parameter: GenericParameter) -> Metadata? { byParameter[parameter].map { Metadata($0) } }
    }
#endif

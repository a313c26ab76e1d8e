#if os(Linux)
    extension RetentionSearch {
        /// Whether there is an object at an address, and `earlier` does not contain the same object.
        func isNew(_ address: UInt, since earlier: RetentionSearch) -> Bool {
            guard let node = contents.object(at: address) else { return false }
            return !isSame(node, in: earlier)
        }

        /// Whether another reading contains the same object as a node.
        ///
        /// An object may have the address of an object of the same type that was freed. Therefore one of its holders
        /// must hold it in the other reading, too, and must itself be the same. Only references that types describe
        /// count, because a stale word is in one reading alone. If neither has such a reference, they are the same.
        /// O(r) for the *r* references to the object and to `depthLimit` holders above it, once for each object.
        func isSame(_ node: Int, in other: RetentionSearch) -> Bool {
            if readingOfKnownSame !== other { (readingOfKnownSame, knownSame) = (other, [:]) }
            if let known = knownSame[node] { return known }
            var comparison = Comparison()
            let answer = isSame(node, in: other, &comparison) ?? true
            knownSame[node] = answer
            return answer
        }

        /// A comparison of one object under way.
        private struct Comparison {
            /// The object, and the holders above it that are being compared.
            var path: [Int] = []
            /// How many more objects may be compared.
            var budget = 256
            /// Whether an answer was missing, so that answers that depend on it are not final.
            var isOpen = false
        }

        /// - Returns: `nil` if nothing speaks for or against it: the holders lead back to the object, or are many.
        private func isSame(_ node: Int, in other: RetentionSearch, _ comparison: inout Comparison) -> Bool? {
            if let known = knownSame[node] { return known }
            guard comparison.path.count < Self.depthLimit, comparison.budget > 0, !comparison.path.contains(node) else {
                comparison.isOpen = true
                return nil
            }
            comparison.path.append(node)
            comparison.budget -= 1
            let wasOpen = comparison.isOpen
            comparison.isOpen = false
            let answer = compare(node, with: other, &comparison)
            if let answer, answer || !comparison.isOpen { knownSame[node] = answer }
            comparison.isOpen = comparison.isOpen || wasOpen
            comparison.path.removeLast()
            return answer
        }

        private func compare(_ node: Int, with other: RetentionSearch, _ comparison: inout Comparison) -> Bool? {
            let found = contents.graph.node(node)
            guard let twin = other.contents.object(at: found.address),
                other.contents.graph.node(twin).metadata == found.metadata
            else { return false }
            guard let holders = addressesOfHolders(of: node), let others = other.addressesOfHolders(of: twin),
                !holders.isEmpty || !others.isEmpty
            else { return true }
            let common = holders.intersection(others)
            // Each has a holder that the other has not. This matters where the common ones lead back to the object.
            var isOther = common.isEmpty || common.count < min(holders.count, others.count)
            for address in common {
                // A variable.
                guard let holder = contents.object(at: address) else { return true }
                switch isSame(holder, in: other, &comparison) {
                case true?: return true
                case false?: isOther = true
                case nil: continue
                }
            }
            return isOther ? false : nil
        }

        /// The holders of an object with more references are not compared: such an object lives long.
        private static var referenceLimit: Int { 64 }

        /// The addresses of the objects and variables that hold a node; `nil` if there are many. For the storage of a
        /// collection, the addresses of its holders.
        private func addressesOfHolders(of node: Int) -> Set<UInt>? {
            var addresses: Set<UInt> = []
            func add(holdersOf node: Int, throughStorage: Bool) -> Bool {
                if let root = typedChains.distances.root(at: node) { addresses.insert(contents.roots[root].address) }
                let references = allHolders.references(to: node)
                guard references.count <= Self.referenceLimit else { return false }
                for reference in references where contents.graph.edge(Int(reference.edge)).is_typed {
                    let holder = Int(reference.node)
                    if throughStorage, naming.isStorage(holder) {
                        guard add(holdersOf: holder, throughStorage: false) else { return false }
                    } else {
                        addresses.insert(contents.graph.node(holder).address)
                    }
                }
                return true
            }
            return add(holdersOf: node, throughStorage: true) ? addresses : nil
        }
    }
#endif

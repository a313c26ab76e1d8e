#if os(Linux)
    extension RetentionSearch {
        /// The number of objects of each of the user's classes that an object leads to, itself included. If an earlier
        /// reading is given, counts only new objects.
        func usersObjects(heldBy address: UInt, since earlier: RetentionSearch?) -> [String: Int] {
            let names = objects(heldBy: address, since: earlier).filter(naming.isUsers).map(naming.name)
            return Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        }

        /// Whether an object stores the elements of a collection of unmanaged pointers.
        func keepsPointers(_ address: UInt) -> Bool {
            guard let object = contents.object(at: address) else { return false }
            let metadata = contents.graph.node(object).metadata
            return metadata != 0 && Metadata(metadata).elements.contains(where: \.isPointer)
        }

        /// Whether an object leads to one of the other objects, over objects that are new since an earlier reading.
        func leads(from address: UInt, toAnyOf others: Set<UInt>, since earlier: RetentionSearch?) -> Bool {
            let targets = Set(others.compactMap { contents.object(at: $0) })
            return !targets.isDisjoint(with: objects(heldBy: address, since: earlier))
        }

        /// Returns the objects that an object leads to, itself included. If an earlier reading is given, these are only
        /// new objects. Visits about `limit` objects at most.
        private func objects(heldBy address: UInt, since earlier: RetentionSearch?, limit: Int = 2_000) -> [Int] {
            guard let start = contents.object(at: address) else { return [] }
            let graph = contents.graph
            var seen: Set<Int> = [start]
            var found = [start]
            var position = 0
            while position < found.count, found.count < limit {
                for number in graph.edgeRange(found[position]) {
                    let edge = graph.edge(number)
                    let target = Int(edge.target)
                    guard !edge.is_lent, !seen.contains(target) else { continue }
                    // An object that existed before the runs also has another holder.
                    if let earlier, graph.node(target).metadata != 0, isSame(target, in: earlier) { continue }
                    seen.insert(target)
                    found.append(target)
                }
                position += 1
            }
            return found
        }

        /// The retention of an object without a known holder; `nil` if it is not alive.
        func unheld(_ address: UInt) -> Retention? { contents.object(at: address).map(naming.unheld) }

        /// The origin of an object's class; `nil` for memory without a class.
        func origin(of address: UInt) -> CodeOrigin? {
            contents.object(at: address).flatMap { naming.origin(of: $0) }
        }
    }
#endif

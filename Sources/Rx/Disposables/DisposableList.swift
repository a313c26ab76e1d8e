/// The members of a bag or a composite, in the order of their numbers.
///
/// A removed member leaves a hole. Holes are closed when they form the majority. When the list has twice as many places
/// as after the last sweep, another sweep forgets the members that have ended by themselves. This takes at most two
/// checks for each insertion and costs a subscription nothing, and a bag that is used for a year does not grow. (If
/// members reported their end, each subscription would need a lock and a place in its bag.)
struct DisposableList {
    /// A place in the list.
    struct Place {
        let number: UInt64
        /// A `Hole`, or a member. Not optional, because an optional is copied when it is checked.
        var member: any Disposable

        fileprivate var isHole: Bool { type(of: member) == Hole.self }
        // Mutating, because a value that may change during the call is copied before the call.
        fileprivate var isOver: Bool { mutating get { member._isFinished } }
        fileprivate mutating func dispose() { member.dispose() }
    }

    /// The place of a removed member.
    private struct Hole: Disposable {
        func dispose() {}
        var _isFinished: Bool { true }
    }

    private var members: ContiguousArray<Place> = []
    private(set) var count = 0
    private(set) var isClosed = false
    private var nextNumber: UInt64 = 0
    private var sweepSize = smallest
    /// The members that the last sweep removed, and their storage.
    private var forgotten: ContiguousArray<Place> = []

    /// A list up to this size forgets nothing: a sweep would cost more than it frees.
    static let smallest = 32

    /// Appends a member and returns its number, or `nil` once the list is closed. Call `takeForgotten()` afterwards,
    /// because this method may sweep.
    // Inlined, because an existential argument is unpacked and packed again, with a copy.
    @inline(__always)
    mutating func append(_ member: any Disposable) -> UInt64? {
        if isClosed { return nil }
        if members.count >= sweepSize { sweep() }
        let number = nextNumber
        nextNumber += 1
        members.append(Place(number: number, member: member))
        count += 1
        return number
    }

    /// Returns the forgotten members, for release outside the lock.
    mutating func takeForgotten() -> ContiguousArray<Place>? {
        if _fastPath(forgotten.isEmpty) { return nil }
        defer { forgotten = [] }
        return forgotten
    }

    private mutating func sweep() {
        var kept = 0
        // The remaining members move up without being copied. Usually all of them remain.
        for index in members.indices where !members[index].isOver {
            if kept < index { members.swapAt(kept, index) }
            kept += 1
        }
        if kept < members.count {
            forgotten = ContiguousArray(members[kept...])
            // Creates a new array, because the old array has the capacity of the removed members.
            members = ContiguousArray(members[..<kept])
        }
        didCompact()
    }

    private mutating func didCompact() {
        count = members.count
        sweepSize = max(Self.smallest, members.count * 2)
    }

    /// Closes the list and returns its members. The list refuses later members.
    mutating func close() -> Remaining {
        defer { members = [] }
        count = 0
        isClosed = true
        return Remaining(places: members)
    }

    /// The members at the time when the list was closed.
    struct Remaining {
        fileprivate var places: ContiguousArray<Place>

        mutating func dispose() {
            for index in places.indices { places[index].dispose() }
        }
    }

    mutating func remove(_ number: UInt64) -> (any Disposable)? {
        guard let member = replace(number, with: Hole()) else { return nil }
        count -= 1
        if members.count > 16, count < members.count / 2 {
            members = members.filter { !$0.isHole }
            didCompact()
        }
        return member
    }

    /// Replaces a member. Returns the old member, which is not disposed, or `nil` if there is no such member.
    mutating func replace(_ number: UInt64, with member: any Disposable) -> (any Disposable)? {
        guard let index = index(of: number), !members[index].isHole else { return nil }
        var replaced = member
        swap(&members[index].member, &replaced)
        return replaced
    }

    private func index(of number: UInt64) -> Int? {
        var low = 0
        var high = members.count
        while low < high {
            let middle = (low + high) / 2
            if members[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < members.count && members[low].number == number ? low : nil
    }
}

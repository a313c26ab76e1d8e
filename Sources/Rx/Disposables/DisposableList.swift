/// The members of a bag or a composite, in the order of their numbers.
///
/// A removed one leaves a hole; holes are closed when they are the majority. When there are twice as many places as
/// after the last sweep, another sweep forgets the members that have ended by themselves: at most two
/// questions for each insertion, no cost for a subscription, and a bag that lives for a year does not grow.
/// (Members that report their end would take a lock and a place in their bag for each subscription.)
struct DisposableList {
    /// A place in the list.
    struct Place {
        let number: UInt64
        /// A `Hole`, or a member. Not an optional, which is copied to be asked.
        var member: any Disposable

        fileprivate var isHole: Bool { type(of: member) == Hole.self }
        // Mutating, as what may change meanwhile is copied to be asked.
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
    /// The members that the last sweep has taken out, and the room they took.
    private var forgotten: ContiguousArray<Place> = []

    /// Up to here nothing is forgotten: sweeping would cost more than it gives back.
    static let smallest = 32

    /// `nil` once closed. `takeForgotten()` is to follow, as this may sweep.
    // Inlined, as an existential argument is unpacked and packed again, with a copy.
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

    /// Returns what is no longer needed, to be let go of outside the lock.
    mutating func takeForgotten() -> ContiguousArray<Place>? {
        if _fastPath(forgotten.isEmpty) { return nil }
        defer { forgotten = [] }
        return forgotten
    }

    private mutating func sweep() {
        var kept = 0
        // Those that stay move up, without a copy of anything: mostly all of them stay.
        for index in members.indices where !members[index].isOver {
            if kept < index { members.swapAt(kept, index) }
            kept += 1
        }
        if kept < members.count {
            forgotten = ContiguousArray(members[kept...])
            // A new array, as the old one has the room of the crowd that has gone.
            members = ContiguousArray(members[..<kept])
        }
        didCompact()
    }

    private mutating func didCompact() {
        count = members.count
        sweepSize = max(Self.smallest, members.count * 2)
    }

    /// Returns the members that there are; later ones are refused.
    mutating func close() -> Remaining {
        defer { members = [] }
        count = 0
        isClosed = true
        return Remaining(places: members)
    }

    /// The members that there were when the list was closed.
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

    /// Returns the one that was there, which is not disposed; `nil` if there is none.
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

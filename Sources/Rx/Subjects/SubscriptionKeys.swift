/// The index of each subscription of a subject on its list, which moves when the list is copied.
///
/// A subscription is known by a number, its key, which is free again when it has left.
struct SubscriptionKeys {
    /// By number: the index on the list, or the next free number. Empty while there are so few that the list is
    /// searched.
    private var indices: [UInt32] = []
    /// The first free number, while there is a table.
    private var nextFree: UInt32 = 0
    /// A bit for each number that is in use, while there is none.
    private var used: UInt8 = 0

    /// How many numbers do without a table.
    private static let few: UInt32 = 8
    private static let none = UInt32.max

    /// Whether there is no table, so that the list is searched for a number.
    var isSearched: Bool { indices.isEmpty }

    /// Takes a number that is free. With the ninth one the table is made: the list is to be entered into it.
    mutating func take() -> UInt32 {
        if indices.isEmpty {
            let number = UInt32((~used).trailingZeroBitCount)
            if number < Self.few {
                used |= 1 << number
                return number
            }
        }
        if nextFree == Self.none || indices.isEmpty { grow() }
        let number = nextFree
        nextFree = indices[Int(number)]
        indices[Int(number)] = Self.none
        return number
    }

    /// Adds as many free numbers as there are, or those beyond the first few.
    private mutating func grow() {
        let count = max(indices.count, Int(Self.few))
        if indices.isEmpty { indices = Array(repeating: Self.none, count: count) }
        nextFree = UInt32(count)
        indices.append(contentsOf: nextFree + 1..<nextFree + UInt32(count))
        indices.append(Self.none)
    }

    mutating func giveBack(_ number: UInt32) {
        if indices.isEmpty {
            used &= ~(1 << number)
        } else {
            indices[Int(number)] = nextFree
            nextFree = number
        }
    }

    /// The index of a number, while there is a table; `nil` if it is on no list.
    func index(of number: UInt32) -> Int? {
        let index = indices[Int(number)]
        return index == Self.none ? nil : Int(index)
    }

    mutating func set(_ number: UInt32, to index: Int) {
        if !indices.isEmpty { indices[Int(number)] = UInt32(index) }
    }

    /// Forgets all numbers, which nobody asks for any more.
    mutating func reset() { self = SubscriptionKeys() }
}

/// One observer's subscription to a subject: disposing it, which happens once, takes the observer off the list.
///
/// A structure, which the observer's sink keeps without an allocation. It keeps what is left of the observers when the
/// subject goes, and not the subject: that forgets its observers then, and a subscription has nothing to do.
@usableFromInline
struct SubscriptionKey: Disposable {
    private let observers: SubjectObservers
    private let number: UInt32

    @usableFromInline
    init(of observers: SubjectObservers, number: UInt32) {
        self.observers = observers
        self.number = number
    }

    @usableFromInline
    func dispose() { observers.remove(number) }

    /// The subscription of a number, counted as a resource in builds that trace.
    @usableFromInline
    static func counted(of observers: SubjectObservers, number: UInt32) -> any Disposable {
        #if TRACE_RESOURCES
            SubjectSubscription(key: SubscriptionKey(of: observers, number: number))
        #else
            SubscriptionKey(of: observers, number: number)
        #endif
    }
}

#if TRACE_RESOURCES
    /// A key that is counted.
    final class SubjectSubscription: DisposeBase, Disposable, @unchecked Sendable {
        // @unchecked: immutable.
        private let key: SubscriptionKey

        init(key: SubscriptionKey) {
            self.key = key
            super.init()
        }

        func dispose() { key.dispose() }
    }
#endif

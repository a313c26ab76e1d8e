/// The index of each subscription on a subject's list. The index changes when the list is copied.
///
/// A subscription is identified by a number, its key. The key becomes free again when the subscription has left.
struct SubscriptionKeys {
    /// For each number, the index on the list or the next free number. Empty while there are so few subscriptions that
    /// the list is searched.
    private var indices: [UInt32] = []
    /// The first free number, if there is a table.
    private var nextFree: UInt32 = 0
    /// The bits of the numbers that are in use, if there is no table.
    private var used: UInt8 = 0

    /// The maximum number of subscriptions without a table.
    private static let few: UInt32 = 8
    private static let none = UInt32.max

    /// Whether there is no table, so that the list is searched for a number.
    var isSearched: Bool { indices.isEmpty }

    /// Takes a free number. The ninth number creates the table, and the caller must then enter the list into it.
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

    /// Doubles the table. If there is no table yet, creates one with free numbers after the first few.
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

    /// Returns the index of a number, if there is a table. Returns `nil` if the number is not on the list.
    func index(of number: UInt32) -> Int? {
        let index = indices[Int(number)]
        return index == Self.none ? nil : Int(index)
    }

    mutating func set(_ number: UInt32, to index: Int) {
        if !indices.isEmpty { indices[Int(number)] = UInt32(index) }
    }

    /// Removes all numbers. They are not looked up after this call.
    mutating func reset() { self = SubscriptionKeys() }
}

/// The subscription of one observer to a subject. Disposing it, which happens once, removes the observer from the list.
///
/// A structure, which the observer's sink stores without an allocation. It keeps the `SubjectObservers` alive, and not
/// the subject. The subject removes its observers when it is deinitialised, and after that the subscription has no
/// effect.
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

    /// Returns the subscription for a key. Builds that trace count it as a resource.
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
    /// A subscription key that is counted as a resource.
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

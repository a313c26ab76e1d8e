/// A set of disposables that can grow and shrink, disposed together.
///
///     let tasks = CompositeDisposable()
///     let key = tasks.insert(Disposables.create { print("one") })
///     if let key { tasks.remove(for: key) }  // one
///     // Disposes what is left; from now on insert disposes at once.
///     tasks.dispose()
///
/// From any thread. Members are disposed outside its lock, in the order in which they were inserted,
/// each exactly once.
public final class CompositeDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // @unchecked: all state is in `members`, which is guarded.

    /// Names a member, so that it can be removed.
    public struct DisposeKey: Sendable {
        fileprivate let number: UInt64
    }

    private let members: Guarded<Members>

    /// An empty set.
    public override init() {
        members = Guarded(Members())
        super.init()
    }

    /// A set of two.
    public convenience init(_ first: any Disposable, _ second: any Disposable) { self.init(disposables: [first, second]) }

    /// A set of three.
    public convenience init(_ first: any Disposable, _ second: any Disposable, _ third: any Disposable) {
        self.init(disposables: [first, second, third])
    }

    /// A set of four and more.
    public convenience init(
        _ first: any Disposable, _ second: any Disposable, _ third: any Disposable, _ fourth: any Disposable,
        _ others: any Disposable...
    ) {
        self.init(disposables: [first, second, third, fourth] + others)
    }

    /// A set of the given members.
    public init(disposables: [any Disposable]) {
        var initial = Members()
        for disposable in disposables { _ = initial.append(disposable) }
        members = Guarded(initial)
        super.init()
    }

    /// Whether the set was disposed.
    public var isDisposed: Bool { members.withLock { $0.isClosed } }

    /// The number of members; 0 once disposed. O(1).
    public var count: Int { members.withLock { $0.count } }

    /// Adds a member.
    ///
    /// O(1) amortised.
    ///
    /// - Returns: the key to remove it by, or `nil` if the set was disposed already; the argument is then disposed too.
    @discardableResult
    public func insert(_ disposable: any Disposable) -> DisposeKey? {
        if let number = members.withLock({ $0.append(disposable) }) { return DisposeKey(number: number) }
        disposable.dispose()
        return nil
    }

    /// Removes a member and disposes it. Does nothing if it is not there any more.
    ///
    /// O(log *n*) amortised for *n* members.
    public func remove(for disposeKey: DisposeKey) {
        members.withLock { $0.remove(disposeKey.number) }?.dispose()
    }

    /// Puts `disposable` in the place of a member; disposes it if the member is not there any more.
    func replace(for disposeKey: DisposeKey, with disposable: any Disposable) {
        if !members.withLock({ $0.replace(disposeKey.number, with: disposable) }) { disposable.dispose() }
    }

    /// Disposes every member, in the order of insertion.
    public override func dispose() {
        for case let (_, member?) in members.withLock({ $0.close() }) { member.dispose() }
    }
}

/// Members in the order of their numbers. A removed one leaves a hole; holes are closed when they are the majority.
private struct Members {
    typealias Entry = (number: UInt64, member: (any Disposable)?)

    private var entries: [Entry] = []
    private(set) var count = 0
    private(set) var isClosed = false
    private var nextNumber: UInt64 = 0

    /// `nil` once closed.
    mutating func append(_ member: any Disposable) -> UInt64? {
        if isClosed { return nil }
        let number = nextNumber
        nextNumber += 1
        entries.append((number, member))
        count += 1
        return number
    }

    mutating func close() -> [Entry] {
        let remaining = entries
        entries = []
        count = 0
        isClosed = true
        return remaining
    }

    mutating func remove(_ number: UInt64) -> (any Disposable)? {
        guard let index = index(of: number), let member = entries[index].member else { return nil }
        entries[index].member = nil
        count -= 1
        if entries.count > 16, count < entries.count / 2 { entries.removeAll { $0.member == nil } }
        return member
    }

    /// `false` if it is not there. The one that was there is not disposed.
    mutating func replace(_ number: UInt64, with member: any Disposable) -> Bool {
        guard let index = index(of: number), entries[index].member != nil else { return false }
        entries[index].member = member
        return true
    }

    private func index(of number: UInt64) -> Int? {
        var low = 0, high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].number == number ? low : nil
    }
}

import Synchronization

/// A set of disposables that can grow and shrink. Its members are disposed together.
///
///     let tasks = CompositeDisposable()
///     let key = tasks.insert(Disposables.create { print("one") })
///     if let key { tasks.remove(for: key) }  // one
///     // Disposes what is left; from now on insert disposes at once.
///     tasks.dispose()
///
/// You can use a set from any thread. Members are disposed outside its lock, in the order in which they were inserted,
/// each exactly once. A large set forgets members that have ended by themselves. It holds at most 32 members, or twice
/// the number that had not ended when it last checked.
public final class CompositeDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // @unchecked: the members are read and changed only while the lock is held.

    /// A key that identifies a member, so that it can be removed.
    public struct DisposeKey: Sendable {
        fileprivate let number: UInt64
    }

    private let lock = OwnerLock()
    @exclusivity(unchecked) private var members: DisposableList
    /// The same state as `isDisposed`, for callers that must not wait for a lock.
    private let finished = Atomic<Bool>(false)

    /// Creates an empty set.
    public override init() {
        members = DisposableList()
        super.init()
    }

    /// Creates a set of two disposables.
    public convenience init(_ first: any Disposable, _ second: any Disposable) {
        self.init(disposables: [first, second])
    }

    /// Creates a set of three disposables.
    public convenience init(_ first: any Disposable, _ second: any Disposable, _ third: any Disposable) {
        self.init(disposables: [first, second, third])
    }

    /// Creates a set of four or more disposables.
    public convenience init(
        _ first: any Disposable, _ second: any Disposable, _ third: any Disposable, _ fourth: any Disposable,
        _ others: any Disposable...
    ) {
        self.init(disposables: [first, second, third, fourth] + others)
    }

    /// Creates a set of the given disposables.
    public init(disposables: [any Disposable]) {
        var initial = DisposableList()
        for disposable in disposables { _ = initial.append(disposable) }
        _ = initial.takeForgotten()
        members = initial
        super.init()
    }

    /// Whether the set was disposed.
    public var isDisposed: Bool { lock.withLock { members.isClosed } }

    /// An implementation detail that may change.
    public var _isFinished: Bool { finished.load(ordering: .relaxed) }

    /// The number of members that were inserted and neither removed nor forgotten, or 0 after disposal. O(1).
    ///
    /// A member that has ended by itself counts until it is forgotten. A set with fewer than 32 members forgets none.
    public var count: Int { lock.withLock { members.count } }

    /// Adds a member.
    ///
    /// - Returns: the key that removes the member, or `nil` if the set was already disposed. In that case the argument
    ///   is disposed too.
    /// - Complexity: O(1) amortised.
    @discardableResult
    public func insert(_ disposable: any Disposable) -> DisposeKey? {
        let (number, forgotten) = lock.withLock { (members.append(disposable), members.takeForgotten()) }
        withExtendedLifetime(forgotten) {}
        if let number { return DisposeKey(number: number) }
        disposable.dispose()
        return nil
    }

    /// Removes a member and disposes it. Does nothing if the set no longer contains the member.
    ///
    /// - Complexity: O(log *n*) amortised for *n* members.
    public func remove(for disposeKey: DisposeKey) {
        lock.withLock { members.remove(disposeKey.number) }?.dispose()
    }

    /// Replaces a member with `disposable`. Disposes `disposable` if the set no longer contains the member.
    func replace(for disposeKey: DisposeKey, with disposable: any Disposable) {
        // The old member is released outside the lock. It is not disposed.
        let replaced = lock.withLock { members.replace(disposeKey.number, with: disposable) }
        if replaced == nil { disposable.dispose() }
    }

    /// Disposes every member, in the order of insertion.
    public func dispose() {
        finished.store(true, ordering: .relaxed)
        var remaining = lock.withLock { members.close() }
        remaining.dispose()
    }
}

import Synchronization

/// A set of disposables that can grow and shrink, disposed together.
///
///     let tasks = CompositeDisposable()
///     let key = tasks.insert(Disposables.create { print("one") })
///     if let key { tasks.remove(for: key) }  // one
///     // Disposes what is left; from now on insert disposes at once.
///     tasks.dispose()
///
/// From any thread. Members are disposed outside its lock, in the order in which they were inserted,
/// each exactly once. A large set forgets those that have ended by themselves: it holds at most 32 members, or twice
/// as many as had not ended when it last looked.
public final class CompositeDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // @unchecked: the members are read and changed only while the lock is held.

    /// Names a member, so that it can be removed.
    public struct DisposeKey: Sendable {
        fileprivate let number: UInt64
    }

    private let lock = OwnerLock()
    @exclusivity(unchecked) private var members: DisposableList
    /// As `isDisposed`, for callers that may not wait for a lock.
    private let finished = Atomic<Bool>(false)

    /// An empty set.
    public override init() {
        members = DisposableList()
        super.init()
    }

    /// A set of two.
    public convenience init(_ first: any Disposable, _ second: any Disposable) {
        self.init(disposables: [first, second])
    }

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
        var initial = DisposableList()
        for disposable in disposables { _ = initial.append(disposable) }
        _ = initial.takeForgotten()
        members = initial
        super.init()
    }

    /// Whether the set was disposed.
    public var isDisposed: Bool { lock.withLock { members.isClosed } }

    /// Carries no promise.
    public var _isFinished: Bool { finished.load(ordering: .relaxed) }

    /// The number of members: of those that were inserted and neither removed nor forgotten; 0 once disposed. O(1).
    ///
    /// A member that has ended by itself counts until it is forgotten. With fewer than 32 members none is.
    public var count: Int { lock.withLock { members.count } }

    /// Adds a member.
    ///
    /// - Returns: the key to remove it by, or `nil` if the set was disposed already; the argument is then disposed too.
    /// - Complexity: O(1) amortised.
    @discardableResult
    public func insert(_ disposable: any Disposable) -> DisposeKey? {
        let (number, forgotten) = lock.withLock { (members.append(disposable), members.takeForgotten()) }
        withExtendedLifetime(forgotten) {}
        if let number { return DisposeKey(number: number) }
        disposable.dispose()
        return nil
    }

    /// Removes a member and disposes it. Does nothing if it is not there any more.
    ///
    /// - Complexity: O(log *n*) amortised for *n* members.
    public func remove(for disposeKey: DisposeKey) {
        lock.withLock { members.remove(disposeKey.number) }?.dispose()
    }

    /// Puts `disposable` in the place of a member; disposes it if the member is not there any more.
    func replace(for disposeKey: DisposeKey, with disposable: any Disposable) {
        // The member before is let go of outside the lock; it is not disposed.
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

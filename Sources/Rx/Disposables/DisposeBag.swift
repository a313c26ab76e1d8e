/// A bag that disposes its contents when it is deallocated.
///
///     var bag = DisposeBag()
///     Disposables.create { print("closed") }.disposed(by: bag)
///     bag = DisposeBag()  // closed
///
/// There is no method to dispose a bag: replace it. You can use a bag from any thread. Its contents are disposed
/// outside its lock, in the order in which they were inserted. A bag forgets subscriptions that have ended by
/// themselves, and disposables of this package that were disposed. It holds at most 32 disposables, or twice the number
/// that had not ended when it last checked. If the bag cannot determine whether a disposable has ended, for example a
/// disposable of your own type, it keeps the disposable and disposes it.
public final class DisposeBag: DisposeBase, @unchecked Sendable {
    // @unchecked: the members are read and changed only while the lock is held.

    private let lock = OwnerLock()
    @exclusivity(unchecked) private var members: DisposableList

    /// Creates an empty bag.
    public convenience override init() { self.init(disposing: []) }

    /// Creates a bag of the given disposables.
    public convenience init(disposing disposables: any Disposable...) { self.init(disposing: disposables) }

    /// Creates a bag of the disposables that the closure lists.
    public convenience init(@DisposableBuilder builder: () -> [any Disposable]) { self.init(disposing: builder()) }

    /// Creates a bag of the given disposables.
    public init(disposing disposables: [any Disposable]) {
        var members = DisposableList()
        for disposable in disposables { _ = members.append(disposable) }
        _ = members.takeForgotten()
        self.members = members
        super.init()
    }

    deinit { dispose() }

    /// Inserts a disposable.
    ///
    /// - Complexity: O(1) amortised.
    public func insert(_ disposable: any Disposable) {
        let (number, forgotten) = lock.withLock { (members.append(disposable), members.takeForgotten()) }
        withExtendedLifetime(forgotten) {}
        if number == nil { disposable.dispose() }
    }

    /// Inserts disposables.
    public func insert(_ disposables: any Disposable...) { insert(disposables) }

    /// Inserts the disposables that the closure lists, one on each line.
    public func insert(@DisposableBuilder builder: () -> [any Disposable]) { insert(builder()) }

    /// Inserts disposables.
    public func insert(_ disposables: [any Disposable]) {
        for disposable in disposables { insert(disposable) }
    }

    /// The number of disposables that the bag holds.
    package var count: Int { lock.withLock { members.count } }

    private func dispose() {
        var remaining = lock.withLock { members.close() }
        remaining.dispose()
    }

    /// Collects disposables from a closure that lists one on each line, including lines inside `if` and `for`.
    @resultBuilder
    public struct DisposableBuilder {
        /// One line.
        public static func buildExpression(_ disposable: any Disposable) -> [any Disposable] { [disposable] }
        /// The lines of a block.
        public static func buildBlock(_ lines: [any Disposable]...) -> [any Disposable] { lines.flatMap { $0 } }
        /// An `if` without `else`.
        public static func buildOptional(_ lines: [any Disposable]?) -> [any Disposable] { lines ?? [] }
        /// The `if` branch.
        public static func buildEither(first lines: [any Disposable]) -> [any Disposable] { lines }
        /// The `else` branch.
        public static func buildEither(second lines: [any Disposable]) -> [any Disposable] { lines }
        /// A `for` loop.
        public static func buildArray(_ rounds: [[any Disposable]]) -> [any Disposable] { rounds.flatMap { $0 } }
    }
}

extension Disposable {
    /// Inserts this disposable into a bag, which disposes it when the bag is deallocated.
    public func disposed(by bag: DisposeBag) { bag.insert(self) }
}

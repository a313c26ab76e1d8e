/// Disposes what was put into it when it goes.
///
///     var bag = DisposeBag()
///     Disposables.create { print("closed") }.disposed(by: bag)
///     bag = DisposeBag()  // closed
///
/// There is no method to dispose a bag: replace it. From any thread; contents are disposed outside its
/// lock, in the order in which they were put in. It forgets subscriptions that have ended by themselves, and
/// disposables of this package that were disposed: it holds at most 32, or twice as many as had not ended when it last
/// looked. What it cannot judge, such as a disposable of a type of yours, it keeps and disposes.
public final class DisposeBag: DisposeBase, @unchecked Sendable {
    // @unchecked: the members are read and changed only while the lock is held.

    private let lock = OwnerLock()
    @exclusivity(unchecked) private var members: DisposableList

    /// An empty bag.
    public convenience override init() { self.init(disposing: []) }

    /// A bag of the given disposables.
    public convenience init(disposing disposables: any Disposable...) { self.init(disposing: disposables) }

    /// A bag of the disposables that the closure lists.
    public convenience init(@DisposableBuilder builder: () -> [any Disposable]) { self.init(disposing: builder()) }

    /// A bag of the given disposables.
    public init(disposing disposables: [any Disposable]) {
        var members = DisposableList()
        for disposable in disposables { _ = members.append(disposable) }
        _ = members.takeForgotten()
        self.members = members
        super.init()
    }

    deinit { dispose() }

    /// Puts a disposable in.
    ///
    /// - Complexity: O(1) amortised.
    public func insert(_ disposable: any Disposable) {
        let (number, forgotten) = lock.withLock { (members.append(disposable), members.takeForgotten()) }
        withExtendedLifetime(forgotten) {}
        if number == nil { disposable.dispose() }
    }

    /// Puts disposables in.
    public func insert(_ disposables: any Disposable...) { insert(disposables) }

    /// Puts in what the closure lists, one disposable a line.
    public func insert(@DisposableBuilder builder: () -> [any Disposable]) { insert(builder()) }

    /// Puts disposables in.
    public func insert(_ disposables: [any Disposable]) {
        for disposable in disposables { insert(disposable) }
    }

    /// How many disposables it holds.
    package var count: Int { lock.withLock { members.count } }

    private func dispose() {
        var remaining = lock.withLock { members.close() }
        remaining.dispose()
    }

    /// Collects disposables that stand one a line, also under `if` and `for`.
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
    /// Puts this disposable into a bag, which disposes it when the bag goes.
    public func disposed(by bag: DisposeBag) { bag.insert(self) }
}

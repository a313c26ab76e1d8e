extension ConnectableObservableType {
    /// Connects this sequence while it has subscribers.
    ///
    ///     let shared = numbers.publish().refCount()
    ///
    /// The first subscriber subscribes and then connects; the last one to leave disconnects. A subscriber that ends
    /// immediately, because the sequence has ended before, does not connect. An error or completion disconnects before
    /// it is forwarded, so that a subscription that is made then connects again. A subscription that is made while
    /// `connect()` still runs is connected when it has returned. Any thread may subscribe and dispose. Connections are
    /// made and ended one at a time, by one of these threads.
    ///
    /// - Complexity: Three allocations for the first subscriber, plus the allocations of the connection, and one for
    ///   each other; none per element.
    @inlinable
    public func refCount() -> Observable<Element> {
        let connection = RefCount(source: asObservable(), connect: { self.connect() })
        return SourceObservable { sink in
            connection.subscribe(
                RefCountSink(down: sink, connection: connection) { address, sink in
                    sink.receive(address) { (member: RefCountSink, element: inout Element) in
                        member.down.emit(&element)
                    }
                })
        }
    }
}

/// The subscribers of a connectable sequence, counted, and its connection.
///
/// ```text
/// disconnected ──there are subscribers──▶ connecting ──connect() returns──▶ connected
///       ▲                                                                      │
///       └────────the last one has left, or the source has ended: dispose()─────┘
/// ```
///
/// Each step is decided under `lock`, by one *worker* at a time, and done outside it: ending a connection, subscribing
/// those who wait, connecting. A subscriber subscribes to the source at once, also from inside the replay of another,
/// and then sees to it that there is a connection; only one that comes while a connection is being ended waits, as it
/// would subscribe to what is going away. The worker subscribes those before it rests, so nobody blocks, and two
/// connections never overlap.
@usableFromInline
final class RefCount: @unchecked Sendable {
    // @unchecked: everything that changes is guarded by `lock`.
    private let source: ObservableBase
    private let connect: () -> any Disposable

    private let lock = OwnerLock()
    /// Counts the ends of the source: members of earlier epochs are not counted any more.
    @exclusivity(unchecked) private var epoch = 1
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var waiting: [RefCountSink] = []
    /// Whether the worker ends a connection.
    @exclusivity(unchecked) private var isDisconnecting = false
    /// Those who joined a connection that was being made: it may have ended before they did.
    @exclusivity(unchecked) private var unsettled: [RefCountSink] = []
    @exclusivity(unchecked) private var phase = Phase.disconnected
    @exclusivity(unchecked) private var isWorking = false

    private enum Phase {
        case disconnected
        case connecting(epoch: Int)
        case connected(Connection, epoch: Int)
    }

    /// The disposable that `connect()` has returned.
    private struct Connection {
        let disposable: any Disposable
        /// `nil` for a connection that a type of the user's has made.
        private let multicast: Multicast?

        init(_ disposable: any Disposable) {
            self.disposable = disposable
            multicast = disposable as? Multicast
        }

        /// Whether the source's subscribers belong to an earlier connection, as far as that is known before they are
        /// notified.
        var hasEnded: Bool { multicast?.isRetired ?? false }
    }

    @usableFromInline
    init(source: ObservableBase, connect: @escaping () -> any Disposable) {
        self.source = source
        self.connect = connect
    }

    /// With the lock held: there is a connection that new members may join.
    private var isConnected: Bool {
        switch phase {
        case .disconnected: false
        case .connecting(let made), .connected(_, let made): made == epoch
        }
    }

    /// With the lock held: begins an epoch if the connection has ended and no subscriber was notified yet. Later
    /// subscribers of the source belong to the next connection.
    private func noticeEnd() {
        if case .connected(let connection, epoch) = phase, connection.hasEnded { beginEpoch() }
    }

    /// With the lock held.
    private func beginEpoch() {
        epoch += 1
        count = 0
        for member in unsettled where !member.hasLeft { enterAgain(member) }
    }

    /// With the lock held: returns `true` if the caller must `work()`, because there is no worker.
    private func claimWork() -> Bool {
        defer { isWorking = true }
        return !isWorking
    }

    // MARK: Subscribers

    @usableFromInline
    func subscribe(_ member: RefCountSink) {
        member.down.connect(member)
        let (isJoined, works) = lock.withLock { () -> (Bool, Bool) in
            if member.hasLeft { return (false, false) }
            noticeEnd()
            enter(member)
            if !isDisconnecting { return (true, false) }
            waiting.append(member)
            return (false, claimWork())
        }
        if works { work() }
        guard isJoined else { return }
        source.subscribe(sink: member)
        if lock.withLock({ recount(member) }) { work() }
    }

    private func enter(_ member: RefCountSink) {
        member.epoch = epoch
        count += 1
    }

    /// Counts a member that has joined again, if the connection has ended in the meantime.
    private func recount(_ member: RefCountSink) -> Bool {
        noticeEnd()
        if member.hasLeft { return false }
        if member.epoch != epoch {
            enterAgain(member)
        } else if case .connecting = phase {
            unsettled.append(member)
        }
        return isConnected ? false : claimWork()
    }

    /// Counts a member in this epoch that joined in the previous one. It may still be notified of the previous epoch's
    /// end.
    private func enterAgain(_ member: RefCountSink) {
        member.mayHearEarlierEnd = true
        enter(member)
    }

    /// A member was disposed.
    fileprivate func leave(_ member: RefCountSink) {
        countOut(member) { count == 0 && claimWork() }
    }

    /// A member has received the end: the connection, if it was the connection's end, is no longer joined.
    fileprivate func end(_ member: RefCountSink) {
        countOut(member) {
            if member.mayHearEarlierEnd { return count == 0 && claimWork() }
            guard isConnected else { return false }
            beginEpoch()
            return claimWork()
        }
    }

    /// Counts a member out of its epoch, once, and decides under the same lock whether this thread has work to do.
    private func countOut(_ member: RefCountSink, _ hasWork: () -> Bool) {
        let works = lock.withLock { () -> Bool in
            if member.hasLeft { return false }
            member.hasLeft = true
            guard member.epoch == epoch else { return false }
            count -= 1
            return hasWork()
        }
        if works { work() }
    }

    // MARK: Work

    private enum Task {
        case disconnect(Connection)
        case subscribe([RefCountSink])
        case connect(epoch: Int)
        case rest
    }

    /// Returns the next task. Called with the lock held.
    private func nextTask() -> Task {
        isDisconnecting = false
        if case .connected(let connection, let made) = phase, count == 0 || made != epoch {
            phase = .disconnected
            isDisconnecting = true
            return .disconnect(connection)
        }
        if !waiting.isEmpty {
            defer { waiting = [] }
            return .subscribe(waiting)
        }
        if case .disconnected = phase, count > 0 {
            phase = .connecting(epoch: epoch)
            return .connect(epoch: epoch)
        }
        isWorking = false
        return .rest
    }

    private func work() {
        while true {
            switch lock.withLock({ nextTask() }) {
            case .disconnect(let connection): connection.disposable.dispose()
            case .subscribe(let members):
                for member in members where !member.isStopped { source.subscribe(sink: member) }
            case .connect(let epoch):
                let connection = Connection(connect())
                lock.withLock {
                    phase = .connected(connection, epoch: epoch)
                    noticeEnd()
                    unsettled = []
                }
            case .rest: return
            }
        }
    }
}

/// One subscriber of a counted connection. It forwards all events.
@usableFromInline
final class RefCountSink: TokenSink, @unchecked Sendable {
    // @unchecked: as every sink.
    @usableFromInline let down: Sink
    private let connection: RefCount

    // Under the lock of `connection`.
    /// The epoch it is counted in; 0 while it is not.
    @exclusivity(unchecked) fileprivate var epoch = 0
    @exclusivity(unchecked) fileprivate var hasLeft = false
    /// Whether an end that it receives may belong to an earlier connection than the one it is counted for.
    @exclusivity(unchecked) fileprivate var mayHearEarlierEnd = false

    @usableFromInline
    init(down: Sink, connection: RefCount, next: @escaping Next) {
        self.down = down
        self.connection = connection
        super.init(token: next)
        count(as: "refCount")
    }

    @usableFromInline
    override func receiveEnd(_ error: (any Error)?) {
        guard stop() else { return }
        connection.end(self)
        down.end(error)
    }

    @usableFromInline
    override func didDispose() { connection.leave(self) }
}

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

/// The connection of a connectable sequence, and a count of its subscribers.
///
/// ```text
/// disconnected ──there are subscribers──▶ connecting ──connect() returns──▶ connected
///       ▲                                                                      │
///       └────────the last one has left, or the source has ended: dispose()─────┘
/// ```
///
/// One *worker* at a time decides each step under `lock` and takes it outside the lock. The steps are: ending a
/// connection, subscribing the waiting subscribers, and connecting. A subscriber subscribes to the source at once, even
/// from inside the replay of another subscriber, and then makes sure that there is a connection. Only a subscriber that
/// arrives while a connection is being ended waits, because it would subscribe to the connection that is ending. The
/// worker subscribes the waiting subscribers before it rests. No thread therefore blocks, and two connections never
/// overlap.
@usableFromInline
final class RefCount: @unchecked Sendable {
    // @unchecked: `lock` guards the mutable state.
    private let source: ObservableBase
    private let connect: () -> any Disposable

    private let lock = OwnerLock()
    /// The number of ends of the source, plus one. `count` does not include the members of earlier epochs.
    @exclusivity(unchecked) private var epoch = 1
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var waiting: [RefCountSink] = []
    /// Whether the worker is ending a connection.
    @exclusivity(unchecked) private var isDisconnecting = false
    /// The members that joined while the connection was being made: the connection may have ended before they joined.
    @exclusivity(unchecked) private var unsettled: [RefCountSink] = []
    @exclusivity(unchecked) private var phase = Phase.disconnected
    @exclusivity(unchecked) private var isWorking = false

    private enum Phase {
        case disconnected
        case connecting(epoch: Int)
        case connected(Connection, epoch: Int)
    }

    /// The disposable that `connect()` returned.
    private struct Connection {
        let disposable: any Disposable
        /// `nil` if a user's type made the connection.
        private let multicast: Multicast?

        init(_ disposable: any Disposable) {
            self.disposable = disposable
            multicast = disposable as? Multicast
        }

        /// Whether the connection has ended, even if its subscribers have not been notified yet. Always `false` for a
        /// user's type.
        var hasEnded: Bool { multicast?.isRetired ?? false }
    }

    @usableFromInline
    init(source: ObservableBase, connect: @escaping () -> any Disposable) {
        self.source = source
        self.connect = connect
    }

    /// Whether there is a connection that new members may join. The caller holds the lock.
    private var isConnected: Bool {
        switch phase {
        case .disconnected: false
        case .connecting(let made), .connected(_, let made): made == epoch
        }
    }

    /// Begins an epoch if the connection has ended and no subscriber was notified yet. Later subscribers of the source
    /// belong to the next connection. The caller holds the lock.
    private func noticeEnd() {
        if case .connected(let connection, epoch) = phase, connection.hasEnded { beginEpoch() }
    }

    /// Begins an epoch, and counts unsettled members in it. The caller holds the lock.
    private func beginEpoch() {
        epoch += 1
        count = 0
        for member in unsettled where !member.hasLeft { enterAgain(member) }
    }

    /// Returns `true` if the caller must call `work()`, because there is no worker. The caller holds the lock.
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

    /// Handles the disposal of a member.
    fileprivate func leave(_ member: RefCountSink) {
        countOut(member) { count == 0 && claimWork() }
    }

    /// Handles the end that a member has received. If it was the end of the current connection, new members no longer
    /// join that connection.
    fileprivate func end(_ member: RefCountSink) {
        countOut(member) {
            if member.mayHearEarlierEnd { return count == 0 && claimWork() }
            guard isConnected else { return false }
            beginEpoch()
            return claimWork()
        }
    }

    /// Removes a member from the count of its epoch, once, and decides under the same lock whether this thread has work
    /// to do.
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
    // @unchecked: for the same reason as every sink.
    // Kernel-internal: didDispose, emit, emitEnd, receiveEnd, stopSegment. A segment of its own, so that a subscriber
    // that leaves is counted, however it leaves.
    @usableFromInline let down: Sink
    private let connection: RefCount

    // The lock of `connection` guards the following properties.
    /// The epoch in which this member is counted; 0 if it is not counted.
    @exclusivity(unchecked) fileprivate var epoch = 0
    @exclusivity(unchecked) fileprivate var hasLeft = false
    /// Whether this member may receive the end of an earlier connection than the connection for which it is counted.
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
        guard stopSegment() else { return }
        connection.end(self)
        down.emitEnd(error)
    }

    @usableFromInline
    override func didDispose() { connection.leave(self) }
}

/// How long a shared sequence remembers elements.
public enum SubjectLifetimeScope: Sendable {
    /// The replay lasts while the sequence is connected. After the last subscriber has left or the source has ended,
    /// the next subscriber starts again without remembered elements.
    case whileConnected
    /// The replay lasts forever. Subscribers after the end receive the remembered elements and the end, and a new
    /// connection continues with the same memory.
    case forever
}

extension ObservableType {
    /// Subscribes to this sequence once for all subscribers, while there are any.
    ///
    ///     let shared = requests.share(replay: 1)
    ///
    /// The first subscriber connects, and the last one to leave disconnects. If several threads subscribe first at the
    /// same time, they connect once. With `whileConnected`, an error or completion ends the connection before it is
    /// forwarded, so that a subscription that is made then (by `retry`) makes a new one.
    ///
    /// - Parameters:
    ///   - replay: the number of latest elements that each subscriber receives first.
    ///   - scope: how long these elements are remembered.
    /// - Complexity: O(*s*) an element for *s* subscribers. Four allocations for the first subscriber and one for each
    ///   other, none per element once a replay's buffer is full.
    @_alwaysEmitIntoClient
    public func share(replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected) -> Observable<Element> {
        precondition(replay >= 0, "A replay of '\(replay)' elements is impossible. Use 0 or more.")
        if scope == .forever {
            return replay == 0
                ? multicast(PublishSubject()).refCount()
                : multicast(ReplaySubject.create(bufferSize: replay)).refCount()
        }
        switch replay {
        case 0:
            return ShareObservable(source: asObservable(), makeObservers: { SubjectObservers() }) { address, sink in
                sink.receive(address) { (connection: ShareConnection, element: inout Element) in
                    // Unretained, because the connection keeps the observers alive.
                    Unmanaged.passUnretained(connection.observers)._withUnsafeGuaranteedRef { $0.send(&element) }
                }
            }
        case 1:
            return ShareObservable(
                source: asObservable(), makeObservers: { RememberingObservers(LatestValue<Element>(nil)) },
                next: ShareConnection.remembering(LatestValue<Element>.self))
        default:
            return ShareObservable(
                source: asObservable(),
                makeObservers: { RememberingObservers(RecentValues<Element>(capacity: replay)) },
                next: ShareConnection.remembering(RecentValues<Element>.self))
        }
    }
}

/// The observable of `share` with the scope `whileConnected`.
///
/// ```text
/// no connection ──the first subscriber──▶ current ──the source ends, or the last one leaves──▶ retired
/// ```
///
/// A subscriber joins the current connection, or makes a connection, under `lock`. A connection also retires under
/// `lock`. A connection therefore begins and ends once, and no subscriber joins a retired connection. Subscribing and
/// disposing happen outside the lock.
@usableFromInline
final class ShareObservable<Element>: Observable<Element>, ShareOwner, @unchecked Sendable {
    // @unchecked: `lock` guards `current` and the number of members of each connection.
    private let source: ObservableBase
    private let makeObservers: () -> SubjectObservers
    private let next: Sink.Next

    private let lock = OwnerLock()
    @exclusivity(unchecked) private var current: ShareConnection?

    @usableFromInline
    init(source: ObservableBase, makeObservers: @escaping () -> SubjectObservers, next: @escaping Sink.Next) {
        self.source = source
        self.makeObservers = makeObservers
        self.next = next
        super.init(named: "share", of: source)
    }

    @usableFromInline
    override func attach(_ sink: consuming Sink) {
        let (connection, isNew) = lock.withLock { () -> (ShareConnection, Bool) in
            if let current {
                current.members += 1
                return (current, false)
            }
            let made = ShareConnection(owner: self, observers: makeObservers(), next: next)
            current = made
            return (made, true)
        }
        connection.admit(sink)
        if isNew, !connection.isStopped { source.attach(connection) }
    }

    func retire(_ connection: ShareConnection) {
        lock.withLock { if current === connection { current = nil } }
    }

    func leave(_ connection: ShareConnection) -> Bool {
        lock.withLock {
            connection.members -= 1
            guard connection.members == 0 else { return false }
            if current === connection { current = nil }
            return true
        }
    }
}

/// The observable that made a connection, as the connection sees it.
protocol ShareOwner: AnyObject {
    /// After this call, no subscriber joins the connection.
    func retire(_ connection: ShareConnection)

    /// Removes one member. Returns `true` if it was the last one.
    func leave(_ connection: ShareConnection) -> Bool
}

/// The shared subscription: the source's sink, and its subscribers.
@usableFromInline
final class ShareConnection: TokenSink, @unchecked Sendable {
    // @unchecked: for the same reason as every sink.
    // Kernel-internal: receiveEnd, stopSegment. A connection is a segment of its own, which feeds many subscribers.
    @usableFromInline let observers: SubjectObservers
    private let owner: any ShareOwner
    /// The number of subscribers that have not left. The owner's lock guards it.
    @exclusivity(unchecked) fileprivate var members = 1

    fileprivate init(owner: any ShareOwner, observers: SubjectObservers, next: @escaping Next) {
        self.owner = owner
        self.observers = observers
        super.init(token: next)
        count(as: "share", .connection)
    }

    /// Forwards and remembers an element. This is the `next` of a connection with a memory.
    @inlinable @inline(__always)
    static func remembering<Memory: SubjectMemory>(_ memory: Memory.Type) -> Next {
        { address, sink in
            sink.receive(address) { (connection: ShareConnection, element: inout Memory.Element) in
                // Unretained, because the connection keeps the observers alive.
                Unmanaged.passUnretained(connection.observers)._withUnsafeGuaranteedRef {
                    unsafeDowncast($0, to: RememberingObservers<Memory>.self).sendAndRemember(&element)
                }
            }
        }
    }

    fileprivate func admit(_ sink: Sink) {
        observers.subscribe(sink, of: self) {
            ShareSubscription(connection: self, key: SubscriptionKey(of: $0, number: $1))
        }
    }

    fileprivate func leave(_ key: SubscriptionKey) {
        key.dispose()
        // If the connection has ended, its source releases it after all subscribers have been notified. A subscriber
        // that leaves because of the end may subscribe to the same source again, which must stay connected until then.
        if owner.leave(self), !isStopped { dispose() }
    }

    @usableFromInline
    override func receiveEnd(_ error: (any Error)?) {
        guard stopSegment() else { return }
        // Retires first, so that a subscription that is made during the notification makes a new connection.
        owner.retire(self)
        observers.end(error)
    }
}

/// One subscriber of a shared subscription. It keeps the connection alive, and ends it if it is the last subscription
/// to leave.
final class ShareSubscription: DisposeBase, Disposable, @unchecked Sendable {
    // @unchecked: immutable.
    private let connection: ShareConnection
    private let key: SubscriptionKey

    fileprivate init(connection: ShareConnection, key: SubscriptionKey) {
        self.connection = connection
        self.key = key
        super.init()
    }

    func dispose() { connection.leave(key) }
}

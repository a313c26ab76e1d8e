import Synchronization

extension ObservableType {
    /// Shares this sequence through `subject`, after `connect()` was called.
    ///
    /// The subject outlives the connection. After the subject has ended, later subscribers receive the events of an
    /// ended subject.
    ///
    /// - Complexity: O(*s*) an element for *s* subscribers. No allocation per subscription or element, except the
    ///   allocations of the subject.
    @_alwaysEmitIntoClient
    public func multicast<Subject: SubjectType>(_ subject: Subject) -> ConnectableObservable<Subject.Element>
    where Subject.Observer.Element == Element {
        multicast { subject }
    }

    /// Shares this sequence, after `connect()` was called, through a subject that `makeSubject` returns for each
    /// connection.
    ///
    ///     let numbers = source.multicast { ReplaySubject<Int>.create(bufferSize: 1) }
    ///
    /// - Parameter makeSubject: called for the first subscriber or connection, and again after a connection has ended.
    ///   It is called outside of locks, so two threads that need a subject at the same time may both call it. One of
    ///   the subjects is then unused.
    /// - Complexity: O(*s*) an element for *s* subscribers. No allocation per subscription or element, except the
    ///   allocations of the subject.
    @_alwaysEmitIntoClient
    public func multicast<Subject: SubjectType>(
        makeSubject: @escaping () -> Subject
    ) -> ConnectableObservable<Subject.Element> where Subject.Observer.Element == Element {
        MulticastObservable(
            source: asObservable(),
            makeMulticast: {
                let subject = makeSubject()
                let observer = subject.asObserver()
                return MulticastSubject(
                    output: subject.asObservable(),
                    next: { address, sink in
                        sink.receive(address) { (_: Multicast, element: inout Element) in observer.on(.next(element)) }
                    },
                    end: { error in observer.on(Event(end: error)) })
            })
    }

    /// Returns the sequence that `selector` returns for this sequence, with a single subscription to this sequence.
    ///
    ///     let sums = numbers.multicast({ PublishSubject() }) { shared in
    ///         Observable.zip(shared, shared.skip(1)) { $0 + $1 }
    ///     }
    ///
    /// For each subscriber, a subject is made, `selector` is called and its sequence subscribed to, and then the
    /// connectable sequence is connected. If either closure throws, the sequence ends with that error.
    ///
    /// - Complexity: O(*s*) an element for *s* uses of the sequence in `selector`. Nine allocations per subscription,
    ///   plus the allocations of the subject and of `selector`; none per element.
    @_alwaysEmitIntoClient
    public func multicast<Subject: SubjectType, Result>(
        _ subjectSelector: @escaping () throws -> Subject,
        selector: @escaping (Observable<Subject.Element>) throws -> Observable<Result>
    ) -> Observable<Result> where Subject.Observer.Element == Element {
        let forward = Input.sending(Result.self)
        return Observable<Result>.coordinate(
            state: ConnectionSlot(), onClose: { $0.state.close() }, feeds: [self.asObservable()],
            start: { coordinator in
                do {
                    let connectable = self.multicast(try subjectSelector())
                    coordinator.subscribe(
                        to: try selector(connectable), through: Input(next: forward, coordinator: coordinator))
                    if !coordinator.isStopped { coordinator.state.fill(connectable.connect()) }
                } catch {
                    coordinator.finish(error)
                }
            })
    }

    /// Shares this sequence with all subscribers, after `connect()` was called.
    ///
    /// - Complexity: O(*s*) an element for *s* subscribers. No allocation per subscription or element, except the
    ///   allocations of the subject.
    @_alwaysEmitIntoClient
    public func publish() -> ConnectableObservable<Element> { multicast { PublishSubject() } }

    /// Shares this sequence, after `connect()` was called. Each subscriber first receives the last `bufferSize`
    /// elements.
    ///
    /// - Complexity: O(*s*) an element for *s* subscribers. No allocation per subscription or element, except the
    ///   allocations of the subject.
    @_alwaysEmitIntoClient
    public func replay(_ bufferSize: Int) -> ConnectableObservable<Element> {
        multicast { ReplaySubject.create(bufferSize: bufferSize) }
    }

    /// Shares this sequence, after `connect()` was called. Each subscriber first receives all earlier elements, which
    /// stay in memory.
    ///
    /// - Complexity: O(*s*) an element for *s* subscribers. No allocation per subscription or element, except the
    ///   allocations of the subject.
    @_alwaysEmitIntoClient
    public func replayAll() -> ConnectableObservable<Element> { multicast { ReplaySubject.createUnbounded() } }
}

/// A slot for a connection, which may be made after the subscription was disposed. It disposes such a connection.
@usableFromInline
final class ConnectionSlot: Sendable {
    enum State {
        case empty
        case filled(any Disposable)
        case closed
    }
    private let state = Guarded(State.empty)

    @usableFromInline init() {}

    @usableFromInline
    func fill(_ connection: any Disposable) {
        let isLate = state.withLock { state in
            if case .closed = state { return true }
            state = .filled(connection)
            return false
        }
        if isLate { connection.dispose() }
    }

    @usableFromInline
    func close() {
        let before = state.withLock { state in
            defer { state = .closed }
            return state
        }
        if case .filled(let connection) = before { connection.dispose() }
    }
}

/// A subject, as a connection sees it.
@usableFromInline
final class MulticastSubject {
    /// The side that subscribers subscribe to.
    let output: ObservableBase
    /// Sends an element into the subject.
    let next: Sink.Next
    /// Sends the end into the subject.
    let end: ((any Error)?) -> Void

    @usableFromInline
    init(output: ObservableBase, next: @escaping Sink.Next, end: @escaping ((any Error)?) -> Void) {
        self.output = output
        self.next = next
        self.end = end
    }
}

/// The observable of `multicast`. It holds the current subject and the current connection, which it chooses under a
/// lock and uses outside the lock.
@usableFromInline
final class MulticastObservable<Element>: ConnectableObservable<Element>, MulticastOwner, @unchecked Sendable {
    // @unchecked: `lock` guards the mutable state.
    private let source: ObservableBase
    private let makeMulticast: () -> MulticastSubject

    private let lock = OwnerLock()
    @exclusivity(unchecked) private var subject: MulticastSubject?
    @exclusivity(unchecked) private var connection: Multicast?

    @usableFromInline
    init(source: ObservableBase, makeMulticast: @escaping () -> MulticastSubject) {
        self.source = source
        self.makeMulticast = makeMulticast
        super.init(named: "multicast", of: source)
    }

    /// Returns the current subject. A subject is made outside the lock, because `makeSubject` is user code. If two
    /// threads make a subject, the first one to be stored is used.
    private func currentSubject() -> MulticastSubject {
        if let subject = lock.withLock({ subject }) { return subject }
        let made = makeMulticast()
        return lock.withLock {
            if let subject { return subject }
            subject = made
            return made
        }
    }

    @usableFromInline
    override func attach(_ sink: consuming Sink) { currentSubject().output.attach(sink) }

    @usableFromInline
    override func connect() -> any Disposable {
        while true {
            let subject = currentSubject()
            let choice = lock.withLock { () -> (connection: Multicast, isNew: Bool)? in
                if let connection { return (connection, false) }
                // Another thread has retired this subject since: its subscribers do not belong to this connection.
                guard self.subject === subject else { return nil }
                let made = Multicast(owner: self, subject: subject)
                connection = made
                return (made, true)
            }
            guard let choice else { continue }
            if choice.isNew { source.subscribe(sink: choice.connection) }
            return choice.connection
        }
    }

    /// Handles the end of a connection. The next connection begins with a new subject.
    func retire(_ ended: Multicast) {
        let retired = lock.withLock { () -> MulticastSubject? in
            guard connection === ended else { return nil }
            connection = nil
            ended.isRetired = true
            defer { subject = nil }
            return subject
        }
        withExtendedLifetime(retired) {}
    }
}

/// The observable that made a connection, as the connection sees it.
protocol MulticastOwner: AnyObject {
    func retire(_ ended: Multicast)
}

/// A connection: the sink that passes the source's events to the subject, and the disposable that `connect()` returns.
@usableFromInline
final class Multicast: TokenSink, @unchecked Sendable {
    // @unchecked: for the same reason as every sink.
    // Kernel-internal: receiveEnd, releaseUpstream, stopSegment. A connection is a segment of its own, which
    // feeds a subject.
    private let subject: MulticastSubject
    // The thread that stops the connection clears it. Otherwise a retained connection would keep the source alive.
    @exclusivity(unchecked) private var owner: (any MulticastOwner)?
    private let retired = Atomic<Bool>(false)

    /// Whether new subscribers receive the subject of the next connection. Set under the owner's lock.
    fileprivate(set) var isRetired: Bool {
        // Acquiring and releasing: a thread that sees `true` also sees the next subject.
        get { retired.load(ordering: .acquiring) }
        set { retired.store(newValue, ordering: .releasing) }
    }

    init(owner: any MulticastOwner, subject: MulticastSubject) {
        self.owner = owner
        self.subject = subject
        super.init(token: subject.next)
        count(as: "connect", .connection)
    }

    @usableFromInline override var _isFinished: Bool { isStopped }

    /// Retires the connection. Callers do this first, so that a subscription that is made during the next steps uses a
    /// new connection.
    private func retire() {
        let owner = owner
        self.owner = nil
        owner?.retire(self)
    }

    @usableFromInline
    override func receiveEnd(_ error: (any Error)?) {
        guard stopSegment() else { return }
        retire()
        // Releases the source first, so that a subject that several connections share receives events of one source at
        // a time.
        releaseUpstream()
        subject.end(error)
    }

    @usableFromInline
    override func dispose() {
        guard stopSegment() else { return }
        retire()
        releaseUpstream()
    }
}

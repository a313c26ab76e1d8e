/// A sequence that begins when it is connected, and then runs once for all its subscribers.
public protocol ConnectableObservableType<Element>: ObservableType {
    /// Starts the sequence.
    ///
    /// - Returns: the connection. Dispose it to stop the sequence for all subscribers. While the sequence is connected,
    ///   each call returns the same connection.
    func connect() -> any Disposable
}

/// A sequence that begins with `connect()`, and then runs once for all its subscribers.
///
///     let numbers = Observable.of(1, 2).publish()
///     _ = numbers.subscribe(onNext: { print("a\($0)") })
///     _ = numbers.subscribe(onNext: { print("b\($0)") })
///     let connection = numbers.connect()  // a1, b1, a2, b2
///
/// `publish`, `replay`, `replayAll` and `multicast` return it.
public class ConnectableObservable<Element>: Observable<Element>, ConnectableObservableType, @unchecked Sendable {
    // @unchecked: for the same reason as `Observable`.

    @inlinable @inline(__always)
    override init(named name: StaticString, of source: @autoclosure () -> ObservableBase?) {
        super.init(named: name, of: source())
    }

    /// Subscribes to the source, once for all subscribers.
    ///
    /// Any thread may call this method. Synchronous sources deliver before it returns.
    ///
    /// - Returns: the connection. It ends with the source, or when it is disposed. Subscribers receive no further
    ///   events from an ended connection. Until it ends, further calls return the same connection.
    /// - Complexity: Three allocations for a connection, plus the allocations of the subject and of the subscription to
    ///   the source; none if a connection already exists.
    public func connect() -> any Disposable { fatalError("A connectable observable overrides connect().") }
}

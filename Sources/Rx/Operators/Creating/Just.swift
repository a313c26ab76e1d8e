extension ObservableType {
    /// Delivers one value, then completes, at once and on the thread that subscribes.
    ///
    /// - Complexity: No allocation per subscription.
    @_alwaysEmitIntoClient
    public static func just(_ element: Element) -> Observable<Element> { ScalarObservable(element) }

    /// Delivers one value on `scheduler`, then completes.
    ///
    /// - Parameters:
    ///   - element: the value.
    ///   - scheduler: the scheduler of the value, and of the completion in a separate turn.
    /// - Complexity: One allocation per subscription, plus the allocations of two turns of the scheduler.
    @_alwaysEmitIntoClient
    public static func just(_ element: Element, scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        SourceObservable { sink in
            sink.connect(
                scheduler.schedule(sink) { sink in
                    if sink.isStopped { return Disposables.create() }
                    var element = element
                    sink.emit(&element)
                    return scheduler.schedule(sink) { sink in
                        if !sink.isStopped { sink.emitEnd() }
                        return Disposables.create()
                    }
                })
        }
    }
}

extension Observable {
    /// The value of a sequence whose `isScalar` is `true`. The downcast is sound, because only `ScalarObservable`
    /// overrides `isScalar`.
    @usableFromInline @_transparent
    final var scalarElement: Element { unsafeDowncast(self, to: ScalarObservable<Element>.self).element }

    /// Delivers a sequence whose `isScalar` is `true` to functions, without creating any object.
    // Not inlined, because it would be copied to each subscription.
    @_alwaysEmitIntoClient @inline(never)
    final func deliverScalar(
        _ onNext: ((Element) -> Void)?, _ onCompleted: (() -> Void)?, _ onDisposed: (() -> Void)?
    ) -> any Disposable {
        Trampoline.enter {
            onNext?(scalarElement)
            onCompleted?()
            onDisposed?()
        }
        return NopDisposable.instance
    }
}

/// One value followed by completion. Coordinators take the value without subscribing, which reduces the cost of
/// `flatMap` over `just` to a third.
@usableFromInline
final class ScalarObservable<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: immutable; whether the value may cross threads is the user's decision.
    @usableFromInline let element: Element

    @inlinable
    init(_ element: Element) {
        self.element = element
        super.init(named: "just", of: nil)
    }

    @usableFromInline
    override var isScalar: Bool { true }

    @usableFromInline
    override func emitScalar(to sink: Sink) {
        var element = element
        sink.emit(&element)
    }

    @usableFromInline
    override func attach(_ sink: consuming Sink) {
        emitScalar(to: sink)
        if !sink.isStopped { sink.emitEnd() }
    }
}

/// Completes at once. Coordinators need not subscribe.
@usableFromInline
final class EmptyObservable<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: it has no state.
    @inlinable
    override init() {
        super.init(named: "empty()", of: nil)
    }

    @usableFromInline
    override var isEmpty: Bool { true }

    @usableFromInline
    override func attach(_ sink: consuming Sink) { if !sink.isStopped { sink.emitEnd() } }

    @inlinable
    override func emitInline(into coordinator: Coordinator, through forward: @escaping Sink.Next) -> Bool { true }
}

extension ObservableType {
    /// Completes at once, without values.
    ///
    /// - Complexity: No allocation per subscription.
    @_alwaysEmitIntoClient
    public static func empty() -> Observable<Element> {
        EmptyObservable()
    }

    /// Sends no events.
    ///
    /// - Complexity: No allocation per subscription.
    @_alwaysEmitIntoClient
    public static func never() -> Observable<Element> { SourceObservable { _ in } }

    /// Fails with `error` at once, without values.
    ///
    /// - Complexity: No allocation per subscription.
    @_alwaysEmitIntoClient
    public static func error(_ error: any Error) -> Observable<Element> {
        SourceObservable { sink in if !sink.isStopped { sink.emitEnd(error) } }
    }
}

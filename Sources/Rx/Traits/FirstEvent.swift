/// Delivers the first event to a subscriber of a trait, and nothing after it.
///
/// A value is the end of a `Single` and of a `Maybe`; the completion that follows it in the observable within is
/// dropped, as is an error that comes of a throwing `do(afterSuccess:)`. One for each subscription, in place of the
/// context that the closures would share.
@usableFromInline
final class FirstEvent<Element> {
    private let onSuccess: ((Element) -> Void)?
    private let onEnd: (((any Error)?) -> Void)?
    // Unchecked: the events of one subscription do not overlap.
    @exclusivity(unchecked) private var isHeard = false

    @usableFromInline
    init(onSuccess: ((Element) -> Void)?, onEnd: (((any Error)?) -> Void)?) {
        self.onSuccess = onSuccess
        self.onEnd = onEnd
    }

    @usableFromInline
    func succeed(with element: Element) {
        if isHeard { return }
        // Set first: the receiver of the value may make the source send another.
        isHeard = true
        onSuccess?(element)
    }

    @usableFromInline
    func end(_ error: (any Error)?) {
        if isHeard { return }
        isHeard = true
        onEnd?(error)
    }
}

extension PrimitiveSequenceType {
    /// Delivers the first event to functions. An error without `onError` goes to `Hooks.defaultErrorHandler`.
    @inlinable
    func subscribeToFirst(
        onSuccess: ((Element) -> Void)?, onError: ((any Error) -> Void)?, onCompleted: (() -> Void)?,
        onDisposed: (() -> Void)?
    ) -> any Disposable {
        let source = source
        let first = FirstEvent(
            onSuccess: onSuccess, onEnd: Subscriber.ending(source, onError: onError, onCompleted: onCompleted))
        return source.subscribe(
            Subscriber(
                next: { address, _ in first.succeed(with: address.assumingMemoryBound(to: Element.self).pointee) },
                onEnd: { first.end($0) },
                onDisposed: onDisposed))
    }
}

/// A function that calls `function` with an object, as long as that is there.
@inlinable
func calling<Object: AnyObject, each Argument>(
    _ function: ((Object, repeat each Argument) -> Void)?, with object: Object
) -> ((repeat each Argument) -> Void)? {
    guard let function else { return nil }
    return { [weak object] (argument: repeat each Argument) in if let object { function(object, repeat each argument) }
    }
}

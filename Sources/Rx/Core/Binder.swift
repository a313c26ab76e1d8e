/// An observer that sets something on an object, without keeping the object alive.
///
///     let title = Binder(label, scheduler: CurrentThreadScheduler.instance) { label, text in label.text = text }
///     title.onNext("Results")  // label.text is "Results"
///
/// Each value goes to `binding` on the scheduler; once the object is gone, values are dropped. Completion is ignored. A
/// binding cannot show an error: one that arrives ends the program in debug builds and is printed in release builds.
public struct Binder<Value>: ObserverType {
    @usableFromInline let handler: (Event<Value>) -> Void

    /// An observer that hands the object and each value to `binding`.
    ///
    /// - Parameters:
    ///   - target: held weakly.
    ///   - scheduler: where `binding` runs; by default the main queue, at once if the value arrives there and none is waiting.
    public init<Target: AnyObject>(
        _ target: Target, scheduler: any ImmediateSchedulerType = MainScheduler(), binding: @escaping (Target, Value) -> Void
    ) {
        handler = { [weak target] event in
            switch event {
            case .next(let value):
                _ = scheduler.schedule(value) { value in
                    if let target { binding(target, value) }
                    return Disposables.create()
                }
            case .error(let error): reportErrorInBinding(error)
            case .completed: break
            }
        }
    }

    /// Receives one event. From any thread.
    @inlinable
    public func on(_ event: Event<Value>) { handler(event) }
}

/// Ends a debug build, prints in a release build: an error that reaches a binding is a mistake in the program.
@usableFromInline
func reportErrorInBinding(_ error: any Error) {
    let message = "An error reached a binding: '\(error)'. Handle it before the binding, for instance with 'catchAndReturn'."
#if DEBUG
    fatalError(message)
#else
    print(message)
#endif
}

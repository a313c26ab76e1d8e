/// An observer that sets something on an object, without keeping the object alive.
///
///     let title = Binder(label) { label, text in label.text = text }
///     title.onNext("Results")
///     print(label.text)  // Results
///
/// Each value goes to `binding` on the main queue, or on a scheduler of one's own; once the object is gone, values are
/// dropped. Completion is ignored. A binding cannot show an error: one that arrives ends the program in debug builds
/// and is printed in release builds.
public struct Binder<Value>: ObserverType, @unchecked Sendable {
    // @unchecked: it is bound to events of any thread; its function hands them to a scheduler.

    @usableFromInline let handler: (Event<Value>) -> Void

    /// An observer that hands the object and each value to `binding` on the main queue: at once if the value arrives
    /// there and none is waiting.
    ///
    /// - Parameters:
    ///   - target: held weakly.
    ///   - binding: runs on the main actor, so that it may set what belongs there, wherever the binder is made.
    // `@preconcurrency`: for clients in Swift 5 mode it is any function.
    @preconcurrency
    public init<Target: AnyObject>(_ target: Target, binding: @escaping @MainActor (Target, Value) -> Void) {
        self.init(
            target, scheduler: MainScheduler(),
            binding: unsafeBitCast(MainBinding(call: binding), to: FreeBinding<Target, Value>.self).call)
    }

    /// An observer that hands the object and each value to `binding` on `scheduler`.
    ///
    ///     let volume = Binder(player, scheduler: CurrentThreadScheduler.instance) { player, volume in
    ///         player.volume = volume
    ///     }
    ///
    /// - Parameters:
    ///   - target: held weakly.
    ///   - scheduler: where `binding` runs.
    ///   - binding: sets the value; it is handed the object while that lives.
    public init<Target: AnyObject>(
        _ target: Target, scheduler: any ImmediateSchedulerType, binding: @escaping (Target, Value) -> Void
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

/// A binding for the main actor.
// These two differ in what the compiler knows of the closure, and in nothing at run time. The binder calls it on the
// main queue, which is the main actor, so a check for each value would only take time. In structs: cast bare, a
// closure would be wrapped to fit the cast's generic parameter.
private struct MainBinding<Target, Value> {
    let call: @MainActor (Target, Value) -> Void
}

/// The same, for code that knows that it is on the main queue.
private struct FreeBinding<Target, Value> {
    let call: (Target, Value) -> Void
}

/// Ends a debug build, prints in a release build: an error that reaches a binding is a mistake in the program.
@usableFromInline
func reportErrorInBinding(_ error: any Error) {
    let message =
        "An error reached a binding: '\(error)'. Handle it before the binding, for instance with 'catchAndReturn'."
    #if DEBUG
        fatalError(message)
    #else
        print(message)
    #endif
}

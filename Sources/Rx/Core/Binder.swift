/// An observer that sets something on an object, without keeping the object alive.
///
///     let title = Binder(label) { label, text in label.text = text }
///     title.onNext("Results")
///     print(label.text)  // Results
///
/// Each value goes to `binding` on the main queue, or on a scheduler that you choose. Once the object is deallocated,
/// values are dropped. Completion is ignored. A binding cannot show an error: an error ends the program in debug builds
/// and is printed in release builds.
public struct Binder<Value>: ObserverType, @unchecked Sendable {
    // @unchecked: events may arrive on any thread, and the function passes them to a scheduler.

    @usableFromInline let handler: (Event<Value>) -> Void

    /// Creates an observer that passes the object and each value to `binding` on the main queue. If a value arrives on
    /// the main queue and no other value is waiting, `binding` is called immediately.
    ///
    /// - Parameters:
    ///   - target: held weakly.
    ///   - binding: runs on the main actor, so that it may set main-actor state, wherever the binder is created.
    // `@preconcurrency`: for clients in Swift 5 mode, the parameter accepts any function.
    @preconcurrency
    public init<Target: AnyObject>(_ target: Target, binding: @escaping @MainActor (Target, Value) -> Void) {
        self.init(
            target, scheduler: MainScheduler(),
            binding: unsafeBitCast(MainBinding(call: binding), to: FreeBinding<Target, Value>.self).call)
    }

    /// Creates an observer that passes the object and each value to `binding` on `scheduler`.
    ///
    ///     let volume = Binder(player, scheduler: CurrentThreadScheduler.instance) { player, volume in
    ///         player.volume = volume
    ///     }
    ///
    /// - Parameters:
    ///   - target: held weakly.
    ///   - scheduler: the scheduler on which `binding` runs.
    ///   - binding: sets the value. It is called only while the object is alive.
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

    /// Receives one event. You can call it from any thread.
    @inlinable
    public func on(_ event: Event<Value>) { handler(event) }
}

/// A binding for the main actor.
// The two structures differ only in the closure's type at compile time, not at run time. The binder calls the closure
// on the main queue, which is the main actor, so a check for each value would only take time. The closures are wrapped
// in structures: if a closure itself were cast, it would be wrapped to fit the generic parameter of the cast.
private struct MainBinding<Target, Value> {
    let call: @MainActor (Target, Value) -> Void
}

/// The same binding, for code that is known to run on the main queue.
private struct FreeBinding<Target, Value> {
    let call: (Target, Value) -> Void
}

/// Reports an error that reached a binding, which is a programming error. Ends the program in debug builds and prints
/// the error in release builds.
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

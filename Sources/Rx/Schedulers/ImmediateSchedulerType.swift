/// Something that runs work, on a thread and at a moment of its choosing, as soon as it can.
public protocol ImmediateSchedulerType {
    /// Runs `action` with `state` as soon as possible.
    ///
    /// - Parameters:
    ///   - state: handed to `action`.
    ///   - action: the work; what it returns is disposed together with the result of this call.
    /// - Returns: disposing it before the action has begun means that it never runs.
    func schedule<StateType>(_ state: StateType, action: @escaping (StateType) -> any Disposable) -> any Disposable
}

extension ImmediateSchedulerType {
    /// Runs `action`, and again for each state that it asks for.
    ///
    ///     _ = CurrentThreadScheduler.instance.scheduleRecursive(3) { n, recurse in
    ///         print(n)  // 3, 2, 1
    ///         if n > 1 { recurse(n - 1) }
    ///     }
    ///
    /// The stack does not grow with the number of turns, on schedulers that run work inside `schedule` either.
    ///
    /// - Parameters:
    ///   - state: handed to `action`.
    ///   - action: receives the state and the function to call for another turn: at once or later, once or several
    ///     times.
    /// - Returns: disposing it ends the recursion after the turn that is running.
    public func scheduleRecursive<State>(
        _ state: State, action: @escaping (_ state: State, _ recurse: @escaping (State) -> Void) -> Void
    ) -> any Disposable {
        let recursion = Recursion(on: self, action: action)
        recursion.request(state)
        return recursion.pending
    }
}

/// Whether a scheduler runs its actions one after another, in the order in which they were scheduled, and never inside
/// `schedule` while another runs.
@usableFromInline
package func isSerial(_ scheduler: any ImmediateSchedulerType) -> Bool {
    // By its type first, which is a comparison and no cast: it can have no subclass.
    type(of: scheduler) == CurrentThreadScheduler.self || scheduler is SerialDispatchQueueScheduler
}

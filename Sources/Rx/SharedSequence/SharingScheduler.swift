/// Where drivers and signals have their scheduler from: the main one, and in tests another.
///
///     SharingScheduler.mock(scheduler: scheduler) {
///         Driver.just(1).delay(.seconds(10)).drive(onNext: { print($0) }).disposed(by: bag)  // 1
///     }
public enum SharingScheduler {
    // A lock, as sequences may be built on any thread; it is asked once for an operator that needs a scheduler.
    private static let values = Guarded(Values())
    private struct Values { var make: () -> any SchedulerType = { MainScheduler() } }

    /// Makes the scheduler of a sequence that is being built. One of its own for each, so that a sequence that delivers
    /// inline does not make another wait for the next turn.
    public private(set) static var make: () -> any SchedulerType {
        get { values.withLock { $0 }.make }
        set { values.change { $0.make = newValue } }
    }

    /// Gives the sequences that are built in `action` this scheduler in place of the main one.
    ///
    /// The change is seen by the whole process, so tests that use it do not run at the same time as others that build
    /// such sequences.
    public static func mock(scheduler: any SchedulerType, action: () throws -> Void) rethrows {
        try mock(makeScheduler: { scheduler }, action: action)
    }

    /// Gives the sequences that are built in `action` schedulers that `makeScheduler` makes, in place of the main one.
    ///
    /// The former scheduler is back when this returns, or throws an error of `action`.
    public static func mock(makeScheduler: @escaping () -> any SchedulerType, action: () throws -> Void) rethrows {
        let before = make
        make = makeScheduler
        defer { make = before }
        try action()
    }
}

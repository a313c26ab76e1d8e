import RxTest

/// What examples use without declaring it, made anew for each.
///
/// A reader knows what a `scheduler` or a sequence called `text` is; an example need not spend a line on it. Only what is
/// obvious from its name belongs there.
protocol Scenery {
    init()

    /// Virtual time, which passes once the example's own code has run.
    var scheduler: TestScheduler { get }
}

extension TestScheduler {
    /// A scheduler of which a tick is a millisecond.
    static var ofMilliseconds: TestScheduler { TestScheduler(initialClock: 0, resolution: 0.001, simulateProcessingDelay: false) }
}

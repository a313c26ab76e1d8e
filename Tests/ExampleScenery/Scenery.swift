import RxTest

/// What examples use without declaring it, made anew for each.
///
/// A reader knows what a `scheduler` or a sequence called `text` is; an example need not spend a line on it. Only what
/// is obvious from its name belongs there.
protocol Scenery {
    init()

    /// Virtual time, which passes once the example's own code has run, unless that awaits something.
    var scheduler: TestScheduler { get }
}

extension Scenery {
    /// Keeps what an example has declared until its output is there, as a reader who tries it line by line does.
    func keep<each Value>(_ values: repeat each Value) { repeat KeptValues.all.append(each values) }
}

/// What the present example has declared.
enum KeptValues {
    // Unsafe: examples run one after another.
    nonisolated(unsafe) static var all: [Any] = []
}

extension TestScheduler {
    /// A scheduler of which a tick is a millisecond.
    static var ofMilliseconds: TestScheduler {
        TestScheduler(initialClock: 0, resolution: 0.001, simulateProcessingDelay: false)
    }
}

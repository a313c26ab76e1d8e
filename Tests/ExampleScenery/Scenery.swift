import RxTest

/// The values that an example uses without declaring them. Each example gets a new instance.
///
/// A reader knows what a `scheduler` or a sequence called `text` is; an example need not spend a line on it. A scenery
/// contains only values whose meaning is obvious from their names.
protocol Scenery {
    init()

    /// Virtual time. It advances after the example's own code has run, unless that code awaits a value.
    var scheduler: TestScheduler { get }
}

extension Scenery {
    /// Keeps the values that an example has declared until its output is complete, as a line-by-line session would.
    func keep<each Value>(_ values: repeat each Value) { repeat KeptValues.all.append(each values) }
}

/// The values that the current example has declared.
enum KeptValues {
    // Unsafe: examples run one after another.
    nonisolated(unsafe) static var all: [Any] = []
}

extension TestScheduler {
    /// A scheduler whose tick is one millisecond.
    static var ofMilliseconds: TestScheduler {
        TestScheduler(initialClock: 0, resolution: 0.001, simulateProcessingDelay: false)
    }
}

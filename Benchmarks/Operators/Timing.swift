import Rx
import RxBench

/// Time operators on virtual time: they measure the bookkeeping, without any waiting.
let timing: [Benchmark] = [
    // Each element takes a separate turn of the scheduler.
    timed("operator/delay", decides: "What holding an element back costs.", expecting: 1_000, allocations: 3) {
        $0.delay(.milliseconds(10), scheduler: $1)
    },
    timed("operator/debounce", decides: "What restarting a timer for each element costs.", expecting: 1, allocations: 3)
    { $0.debounce(.milliseconds(10), scheduler: $1) },
    timed("operator/throttle", decides: "What dropping an element by the clock costs.", expecting: 2, allocations: 3) {
        $0.throttle(.milliseconds(10), scheduler: $1)
    },
    // Longer than a step of the clock, so that the timeout never ends the sequence.
    timed("operator/timeout", decides: "What watching for silence costs an element.", expecting: 1_000, allocations: 3)
    { $0.timeout(.seconds(2), scheduler: $1) },
    buffer(count: 10), buffer(count: 100),
    timed(
        "operator/buffer/untimed?count=10", decides: "What a buffer takes whose time never comes.", expecting: 100,
        allocations: 0
    ) {
        $0.buffer(timeSpan: .never, count: 10, scheduler: $1)
    },
    timed(
        "operator/window?count=10", decides: "What a sequence of sequences costs an element.", expecting: 1_000,
        allocations: nil
    ) {
        $0.window(timeSpan: .seconds(3_600), count: 10, scheduler: $1).flatMap { $0 }
    },
    // Longer than the lifetime of the process.
    timed(
        "operator/take-for", decides: "What an end at a set time costs each element before it.", expecting: 1_000,
        allocations: 0
    ) {
        $0.take(for: .seconds(1_000_000_000), scheduler: $1)
    },
    // Open after the first step of the clock, which happens right after subscribing.
    timed(
        "operator/skip-for", decides: "What each element costs once a set time has passed.", expecting: 1_000,
        allocations: 0, afterwards: 1
    ) {
        $0.skip(.milliseconds(1), scheduler: $1)
    },
    .push(
        "operator/observe-on/current-thread", decides: "What a scheduler costs that needs no other thread.",
        tags: ["time"], expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.observe(on: CurrentThreadScheduler.instance).map { $0 &+ 1 }.filter { $0 != -5 }.map { $0 ^ 3 }
    },
    timed(
        "operator/delay/armed-anew", decides: "What holding elements back costs that come in twos.", expecting: 1_000,
        allocations: 3, inTwos: true
    ) {
        $0.delay(.milliseconds(10), scheduler: $1)
    },
    timed(
        "operator/debounce/armed-anew", decides: "What waiting for silence costs where it comes.", expecting: 500,
        allocations: 3, inTwos: true
    ) {
        $0.debounce(.milliseconds(10), scheduler: $1)
    },
    timed(
        "operator/throttle/armed-anew", decides: "What an element costs that waits for the end of its span.",
        expecting: 1_000, allocations: 3, inTwos: true
    ) {
        $0.throttle(.milliseconds(10), scheduler: $1)
    },
    timed(
        "operator/timeout/armed-anew", decides: "What an element costs that comes late.", expecting: 1_000,
        allocations: 3, inTwos: true
    ) {
        $0.timeout(.milliseconds(30), scheduler: $1)
    },
    interval, oneShot, delaySubscription,
]

/// Sends 1,000 integers at one moment, then advances the clock by one second. With `inTwos`, 20 ms pass after every two
/// integers, so that timers are repeatedly armed. An iteration allocates neither for elements nor for rearmed timers.
private func timed<Element>(
    _ id: String, decides: String, expecting expected: Int, allocations: Int?, afterwards seconds: Double = 0,
    inTwos: Bool = false, assemble: @escaping @Sendable (Observable<Int>, HistoricalScheduler) -> Observable<Element>
) -> Benchmark {
    Benchmark(
        id, decides: decides, tags: ["time"], operations: 1_000, relativeTo: "operator/map",
        limits: allocations.map { [.allocationsPerIteration(atMost: $0)] } ?? []
    ) {
        let scheduler = HistoricalScheduler()
        let subject = PublishSubject<Int>()
        let sum = Sum()
        let cell = sum.cell
        let subscription = hidden(assemble(subject, scheduler)).subscribe(onNext: { _ in cell.pointee &+= 1 })
        func pass(_ seconds: Double) { scheduler.advanceTo(scheduler.clock.addingTimeInterval(seconds)) }
        if seconds > 0 { pass(seconds) }
        var received = 0
        return Workload(check: { try confirm(received, is: expected) }, tearDown: subscription.dispose) {
            if inTwos {
                for value in 0..<1_000 {
                    subject.onNext(value)
                    if value & 1 == 1 { pass(0.02) }
                }
            } else {
                for value in 0..<1_000 { subject.onNext(value) }
                pass(1)
            }
            received = sum.take()
            blackHole(received)
        }
    }
}

/// Makes one array and one timer for each `count` elements.
private func buffer(count: Int) -> Benchmark {
    timed(
        "operator/buffer?count=\(count)", decides: "What collecting elements into arrays costs an element.",
        expecting: 1_000 / count, allocations: 1_000 / count + 1
    ) {
        // The span is longer than the step of the clock, so that only full arrays are sent.
        $0.buffer(timeSpan: .seconds(3_600), count: count, scheduler: $1)
    }
}

private let interval = Benchmark(
    "operator/interval", decides: "What a tick costs beside its timer.", tags: ["time", "source"], operations: 1_000
) {
    let scheduler = HistoricalScheduler()
    let sum = Sum()
    let cell = sum.cell
    let sequence = hidden(Observable<Int>.interval(.seconds(1), scheduler: scheduler).take(1_000))
    var total = 0
    return Workload(check: { try confirm(total, is: 499_500) }) {
        _ = sequence.subscribe(onNext: { cell.pointee &+= $0 })
        scheduler.start()
        total = sum.take()
        blackHole(total)
    }
}

private let oneShot = subscribing("operator/timer", decides: "What a timer costs that fires once.") {
    Observable<Int>.timer(.seconds(1), scheduler: $0)
}

private let delaySubscription = subscribing(
    "operator/delay-subscription", decides: "What subscribing later costs beside its timer."
) {
    Observable.just(0).delaySubscription(.seconds(1), scheduler: $0)
}

/// Subscribes 1,000 times to a sequence of one element, and advances the clock.
private func subscribing(
    _ id: String, decides: String, assemble: @escaping @Sendable (HistoricalScheduler) -> Observable<Int>
) -> Benchmark {
    Benchmark(id, decides: decides, tags: ["time", "subscribe"], operations: 1_000) {
        let scheduler = HistoricalScheduler()
        let sequence = hidden(assemble(scheduler))
        let sum = Sum()
        let cell = sum.cell
        var received = 0
        return Workload(check: { try confirm(received, is: 1_000) }) {
            for _ in 0..<1_000 { _ = sequence.subscribe(onNext: { _ in cell.pointee &+= 1 }) }
            scheduler.advanceTo(scheduler.clock.addingTimeInterval(2))
            received = sum.take()
            blackHole(received)
        }
    }
}

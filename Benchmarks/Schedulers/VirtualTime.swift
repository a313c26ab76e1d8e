import Rx
import RxBench

/// Time that is computed: how fast tests on it can be.
let virtualTime: [Benchmark] = [randomOrder, periodic, cancelling]

/// 1,000 pieces of work, whose due times visit 0 ..< 1,000 in an order that looks random and is always the same.
private let randomOrder = Benchmark(
    "scheduler/virtual-time/random-order?items=1000",
    decides: "What an event of a virtual-time test costs beside the code it tests.",
    tags: ["virtual-time"], operations: 1_000
) {
    let scheduler = HistoricalScheduler()
    // 389 has no common divisor with 1,000, so that each second comes once.
    let dueTimes = (0..<1_000).map { Double(($0 * 389 + 17) % 1_000) }
    var last = -1.0
    var inOrder = 0
    return Workload(check: { try confirm(inOrder, is: 1_000) }) {
        last = -1
        inOrder = 0
        for dueTime in dueTimes {
            _ = scheduler.scheduleRelativeVirtual(dueTime, dueTime: dueTime) { dueTime in
                if dueTime > last { inOrder += 1 }
                last = dueTime
                return Disposables.create()
            }
        }
        scheduler.start()
        blackHole(inOrder)
    }
}

private let periodic = Benchmark(
    "scheduler/virtual-time/periodic?ticks=1000", decides: "What a periodic timer costs a tick.",
    tags: ["virtual-time", "recursive"],
    operations: 1_000
) {
    let scheduler = HistoricalScheduler()
    var ticks = 0
    return Workload(check: { try confirm(ticks, is: 1_000) }) {
        ticks = 0
        let timer = SingleAssignmentDisposable()
        timer.setDisposable(
            scheduler.schedulePeriodic(1, startAfter: .seconds(1), period: .seconds(1)) { tick in
                ticks = tick
                if tick == 1_000 { timer.dispose() }
                return tick + 1
            })
        scheduler.start()
        blackHole(ticks)
    }
}

private let cancelling = Benchmark(
    "scheduler/virtual-time/cancel?items=1000", decides: "Whether timers that never fire are cheap.",
    tags: ["virtual-time"], operations: 1_000
) {
    let scheduler = HistoricalScheduler()
    var ran = 0
    return Workload(check: { try confirm(ran, is: 1) }) {
        ran = 0
        for step in 0..<1_000 {
            let timer = scheduler.scheduleRelativeVirtual(step, dueTime: 1) { _ in
                ran += 1
                return Disposables.create()
            }
            if step < 999 { timer.dispose() }
        }
        scheduler.start()
        blackHole(ran)
    }
}

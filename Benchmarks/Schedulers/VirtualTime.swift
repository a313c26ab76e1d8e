import Rx
import RxBench

/// Virtual time: it limits the speed of tests that use it.
let virtualTime: [Benchmark] = [1_000, 20_000].map(randomOrder) + [periodic, cancelling]

/// Pieces of work whose due times are all seconds below the number of pieces. Their order looks random and is always
/// the same.
private func randomOrder(_ count: Int) -> Benchmark {
    Benchmark(
        "scheduler/virtual-time/random-order?items=\(count)",
        decides: "What an event of a virtual-time test costs beside the code it tests.",
        tags: ["virtual-time"], operations: count
    ) {
        let scheduler = HistoricalScheduler()
        // 389 has no common divisor with the counts, so each second occurs once.
        let dueTimes = (0..<count).map { Double(($0 * 389 + 17) % count) }
        var order = Order()
        return Workload(check: { try confirm(order.inOrder, is: count) }) {
            order = Order()
            withUnsafeMutablePointer(to: &order) { order in
                // The order is passed instead of captured, because a capture would add an allocation to the benchmark.
                for dueTime in dueTimes {
                    let visit = Visit(order: order, time: dueTime)
                    _ = scheduler.scheduleRelativeVirtual(visit, dueTime: dueTime) { visit in
                        if visit.time > visit.order.pointee.last { visit.order.pointee.inOrder += 1 }
                        visit.order.pointee.last = visit.time
                        return Disposables.create()
                    }
                }
                scheduler.start()
            }
            blackHole(order.inOrder)
        }
    }
}

private struct Order {
    var last = -1.0
    var inOrder = 0
}

private struct Visit {
    let order: UnsafeMutablePointer<Order>
    let time: Double
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

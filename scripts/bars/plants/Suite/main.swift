import PlantedWork
import RxBench
import RxBenchCommands

RxBenchMain.run([
    Suite(
        "Work",
        [
            .work("planted/steady", is: 45) { steady() },
            .work("planted/allocation", is: 45) { allocation() },
            .work("planted/bytes", is: 45) { bytes() },
            .work("planted/leak", is: 45) { leak() },
            .work("planted/percent") { percent() },
            .work("planted/thousandth") { thousandth() },
            .work("planted/syscall") { syscall() },
            .work("planted/emptied", is: 499_500) { emptied() },
            .work("planted/throws", is: 499_500) { try throwing() },
            .work("planted/crash", is: 499_500) { crash() },
            .work("planted/hang", is: 499_500) { hang() },
            .work("planted/modes") { modes() },
            .work("planted/removed") { removed() },
            .work("planted/fewer", is: 45) { fewer() },
            Benchmark("planted/tail", decides: "Whether rare long calls are seen.") {
                Workload.latencies { recorder in
                    let start = MonotonicClock.nanoseconds
                    blackHole(tail())
                    recorder.record(nanoseconds: MonotonicClock.nanoseconds - start)
                }
            },
        ]),
    Suite("Rx", streams),
    Suite("Deleted", deleted),
    Suite("Added", added),
])

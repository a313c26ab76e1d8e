import Plants
import HeapTrace
import RxTraceTesting
import Testing

// The cycle of `beside` may leak. Other objects must not leak.
private let known = try! LeakAllowances(
    json: #"[{"type": "*Row", "until": "2099-12-31", "because": "known"}]"#, name: "known.json")

@Suite struct StrangerSuite {
    @Test func cycleLeak() { expectNoLeaks { Plants.cycle(leaks: true) } }
    @Test func cycleTwin() { expectNoLeaks { Plants.cycle(leaks: false) } }
    @Test func closureLeak() { expectNoLeaks { Plants.closure(leaks: true) } }
    @Test func closureTwin() { expectNoLeaks { Plants.closure(leaks: false) } }
    @Test func queueLeak() { expectNoLeaks { Plants.queue(leaks: true) } }
    @Test func queueTwin() { expectNoLeaks { Plants.queue(leaks: false) } }
    @Test func timerLeak() { expectNoLeaks { Plants.timer(leaks: true) } }
    @Test func timerTwin() { expectNoLeaks { Plants.timer(leaks: false) } }
    @Test func setLeak() { expectNoLeaks { Plants.set(leaks: true) } }
    @Test func setTwin() { expectNoLeaks { Plants.set(leaks: false) } }
    @Test func dataLeak() { expectNoLeaks { Plants.data(leaks: true) } }
    @Test func dataTwin() { expectNoLeaks { Plants.data(leaks: false) } }
    @Test func roomLeak() { expectNoLeaks { Plants.room(leaks: true) } }
    @Test func roomTwin() { expectNoLeaks { Plants.room(leaks: false) } }
    @Test func dictionaryLeak() { expectNoLeaks { Plants.dictionary(leaks: true) } }
    @Test func dictionaryTwin() { expectNoLeaks { Plants.dictionary(leaks: false) } }
    @Test func cacheLeak() { expectNoLeaks { Plants.cache(leaks: true) } }
    @Test func cacheTwin() { expectNoLeaks { Plants.cache(leaks: false) } }
    @Test func besideLeak() { expectNoLeaks(allowing: known) { Plants.beside(leaks: true) } }
    @Test func besideTwin() { expectNoLeaks(allowing: known) { Plants.beside(leaks: false) } }
    @Test func memoryLeak() { expectNoLeaks { Plants.memory(leaks: true) } }
    @Test func memoryTwin() { expectNoLeaks { Plants.memory(leaks: false) } }
    @Test(.noLeaks) func taskLeak() async { await Plants.task(leaks: true) }
    @Test(.noLeaks) func taskTwin() async { await Plants.task(leaks: false) }
    @Test(.noLeaks) func finishedTaskLeak() async { await Plants.finishedTask(leaks: true) }
    @Test(.noLeaks) func finishedTaskTwin() async { await Plants.finishedTask(leaks: false) }
    @Test(.noLeaks) func streamLeak() async { await Plants.stream(leaks: true) }
    @Test(.noLeaks) func streamTwin() async { await Plants.stream(leaks: false) }
    @Test(.noLeaks) func tableLeak() async { await Plants.table(leaks: true) }
    @Test(.noLeaks) func tableTwin() async { await Plants.table(leaks: false) }
    @Test(.noLeaks) func bytesLeak() async { await Plants.bytes(leaks: true) }
    @Test(.noLeaks) func bytesTwin() async { await Plants.bytes(leaks: false) }
}

import Plants
import HeapTrace
import RxTraceTesting
import XCTest

// The cycle of `beside` may leak. Other objects must not leak.
private let known = try! LeakAllowances(
    json: #"[{"type": "*Row", "until": "2099-12-31", "because": "known"}]"#, name: "known.json")

final class StrangerTests: XCTestCase {
    func testCycleLeak() { expectNoLeaks { Plants.cycle(leaks: true) } }
    func testCycleTwin() { expectNoLeaks { Plants.cycle(leaks: false) } }
    func testClosureLeak() { expectNoLeaks { Plants.closure(leaks: true) } }
    func testClosureTwin() { expectNoLeaks { Plants.closure(leaks: false) } }
    func testQueueLeak() { expectNoLeaks { Plants.queue(leaks: true) } }
    func testQueueTwin() { expectNoLeaks { Plants.queue(leaks: false) } }
    func testTimerLeak() { expectNoLeaks { Plants.timer(leaks: true) } }
    func testTimerTwin() { expectNoLeaks { Plants.timer(leaks: false) } }
    func testSetLeak() { expectNoLeaks { Plants.set(leaks: true) } }
    func testSetTwin() { expectNoLeaks { Plants.set(leaks: false) } }
    func testDataLeak() { expectNoLeaks { Plants.data(leaks: true) } }
    func testDataTwin() { expectNoLeaks { Plants.data(leaks: false) } }
    func testRoomLeak() { expectNoLeaks { Plants.room(leaks: true) } }
    func testRoomTwin() { expectNoLeaks { Plants.room(leaks: false) } }
    func testDictionaryLeak() { expectNoLeaks { Plants.dictionary(leaks: true) } }
    func testDictionaryTwin() { expectNoLeaks { Plants.dictionary(leaks: false) } }
    func testCacheLeak() { expectNoLeaks { Plants.cache(leaks: true) } }
    func testCacheTwin() { expectNoLeaks { Plants.cache(leaks: false) } }
    func testBesideLeak() { expectNoLeaks(allowing: known) { Plants.beside(leaks: true) } }
    func testBesideTwin() { expectNoLeaks(allowing: known) { Plants.beside(leaks: false) } }
    func testMemoryLeak() { expectNoLeaks { Plants.memory(leaks: true) } }
    func testMemoryTwin() { expectNoLeaks { Plants.memory(leaks: false) } }
    func testTaskLeak() async { await expectNoLeaks { await Plants.task(leaks: true) } }
    func testTaskTwin() async { await expectNoLeaks { await Plants.task(leaks: false) } }
    func testFinishedTaskLeak() async { await expectNoLeaks { await Plants.finishedTask(leaks: true) } }
    func testFinishedTaskTwin() async { await expectNoLeaks { await Plants.finishedTask(leaks: false) } }
    func testStreamLeak() async { await expectNoLeaks { await Plants.stream(leaks: true) } }
    func testStreamTwin() async { await expectNoLeaks { await Plants.stream(leaks: false) } }
    func testTableLeak() async { await expectNoLeaks { await Plants.table(leaks: true) } }
    func testTableTwin() async { await expectNoLeaks { await Plants.table(leaks: false) } }
    func testBytesLeak() async { await expectNoLeaks { await Plants.bytes(leaks: true) } }
    func testBytesTwin() async { await expectNoLeaks { await Plants.bytes(leaks: false) } }
}

import Foundation
import Rx
import Testing

/// Misuse ends the program. Each of these tests runs in a separate process.
@Suite struct MisuseTests {
    @Test func singleAssignmentSetTwiceIsFatal() async {
        await #expect(processExitsWith: .failure) {
            let single = SingleAssignmentDisposable()
            single.setDisposable(Disposables.create())
            single.setDisposable(Disposables.create())
        }
    }

    @Test func virtualTimeOnAnotherThreadIsFatal() async {
        await #expect(processExitsWith: .failure) {
            let scheduler = Sent(HistoricalScheduler())
            JoinedThread { _ = scheduler.value.schedule(()) { _ in Disposables.create() } }.join()
        }
    }

    @Test func advanceToInsideTheSchedulerIsFatal() async {
        await #expect(processExitsWith: .failure) {
            let scheduler = HistoricalScheduler()
            _ = scheduler.schedule(()) { _ in
                scheduler.advanceTo(Date())
                return Disposables.create()
            }
            scheduler.start()
        }
    }

    @Test func sleepBackwardsIsFatal() async {
        await #expect(processExitsWith: .failure) { HistoricalScheduler().sleep(-1) }
    }

    @Test func ensureExecutingOnMainElsewhereIsFatal() async {
        await #expect(processExitsWith: .failure) {
            JoinedThread { MainScheduler.ensureExecutingOnScheduler() }.join()
        }
    }

    @Test func properUseExitsWell() async {
        await #expect(processExitsWith: .success) {
            let single = SingleAssignmentDisposable()
            single.setDisposable(Disposables.create())
            let scheduler = HistoricalScheduler()
            let item = Sent(scheduler.schedule(()) { _ in Disposables.create() })
            JoinedThread { item.value.dispose() }.join()
            scheduler.start()
        }
    }
}

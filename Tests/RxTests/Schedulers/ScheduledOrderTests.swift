import Foundation
import Rx
import XCTest

/// On a serial scheduler, work runs in the order in which it was scheduled, through any operator.
final class ScheduledOrderTests: XCTestCase {
    private let log = Box<[String]>([])

    private func note(_ line: String) { log.value.append(line) }

    /// A scheduler whose queue can be held, and a function that adds other code's block to that queue.
    private struct Place {
        let name: String
        let scheduler: any ImmediateSchedulerType
        let suspend: () -> Void
        let resume: () -> Void
        let put: ((@escaping @Sendable () -> Void) -> Void)?
        let wait: () -> Void
    }

    private func places() -> [Place] {
        let own = SerialDispatchQueueScheduler(qos: .default)
        let gate = DispatchSemaphore(value: 0)
        let known = DispatchQueue(label: "test.known")
        let operations = OperationQueue()
        operations.maxConcurrentOperationCount = 1
        let serial = DispatchQueue(label: "test.serial")
        return [
            Place(
                name: "own", scheduler: own,
                suspend: {
                    let begun = DispatchSemaphore(value: 0)
                    _ = own.schedule(()) { _ in
                        begun.signal()
                        gate.wait()
                        return Disposables.create()
                    }
                    begun.wait()
                }, resume: { gate.signal() }, put: nil,
                wait: {
                    let ended = DispatchSemaphore(value: 0)
                    _ = own.schedule(()) { _ in
                        ended.signal()
                        return Disposables.create()
                    }
                    ended.wait()
                }),
            Place(
                name: "known", scheduler: SerialDispatchQueueScheduler(serialQueue: known),
                suspend: known.suspend, resume: known.resume, put: { known.async(execute: $0) },
                wait: { known.sync {} }),
            Place(
                name: "operations", scheduler: OperationQueueScheduler(operationQueue: operations),
                suspend: { operations.isSuspended = true }, resume: { operations.isSuspended = false },
                put: { operations.addOperation($0) }, wait: operations.waitUntilAllOperationsAreFinished),
            Place(
                name: "serial queue of a concurrent scheduler",
                scheduler: ConcurrentDispatchQueueScheduler(queue: serial),
                suspend: serial.suspend, resume: serial.resume, put: { serial.async(execute: $0) },
                wait: { serial.sync {} }),
        ]
    }

    func testStreams_thatShareAScheduler_keepTheOrderOfTheirSender() {
        for place in places() {
            log.value = []
            let loading = BehaviorRelay(value: false)
            let result = PublishRelay<Int>()
            let subscriptions = [
                loading.skip(1).observe(on: place.scheduler).subscribe(onNext: { self.note("loading \($0)") }),
                result.observe(on: place.scheduler).subscribe(onNext: { self.note("result \($0)") }),
            ]
            place.suspend()
            loading.accept(true)
            result.accept(7)
            loading.accept(false)
            place.resume()
            place.wait()
            XCTAssertEqual(log.value, ["loading true", "result 7", "loading false"], place.name)
            subscriptions.forEach { $0.dispose() }
        }
    }

    func testTakeUntil_onTheSameScheduler_letsNothingThroughAfterIt() {
        for place in places() {
            log.value = []
            let source = PublishSubject<Int>()
            let stop = PublishSubject<Void>()
            let subscription = source.observe(on: place.scheduler).take(until: stop.observe(on: place.scheduler))
                .subscribe(onNext: { self.note("\($0)") }, onCompleted: { self.note("|") })
            place.suspend()
            source.onNext(1)
            stop.onNext(())
            source.onNext(2)
            source.onNext(3)
            place.resume()
            place.wait()
            XCTAssertEqual(log.value, ["1", "|"], place.name)
            subscription.dispose()
        }
    }

    func testStream_andBlocksOfOthers_keepTheirOrder() {
        for place in places() {
            guard let put = place.put else { continue }
            log.value = []
            let source = PublishSubject<Int>()
            let subscription = source.observe(on: place.scheduler)
                .subscribe(onNext: { self.note("\($0)") }, onCompleted: { self.note("|") })
            place.suspend()
            let log = self.log
            for number in 1...3 {
                source.onNext(number)
                put { log.value.append("block \(number)") }
            }
            source.onCompleted()
            put { log.value.append("last") }
            place.resume()
            place.wait()
            XCTAssertEqual(log.value, ["1", "block 1", "2", "block 2", "3", "block 3", "|", "last"], place.name)
            subscription.dispose()
        }
    }

    /// A turn of a scheduler with a private queue delivers 128 elements at a time and runs 128 pieces of work: here it
    /// ends inside the stream.
    func testStream_thatIsLongerThanATurn_keepsItsPlace() {
        for place in places() {
            log.value = []
            let source = PublishSubject<Int>()
            let subscription = source.observe(on: place.scheduler)
                .subscribe(onNext: { self.note("\($0)") }, onCompleted: { self.note("|") })
            func schedule(_ line: String) {
                _ = place.scheduler.schedule(line) {
                    self.note($0)
                    return Disposables.create()
                }
            }
            place.suspend()
            for number in 0..<126 { schedule("before \(number)") }
            for number in 0..<1_000 { source.onNext(number) }
            schedule("between")
            for number in 1_000..<2_000 { source.onNext(number) }
            source.onCompleted()
            schedule("last")
            place.resume()
            place.wait()
            let numbers = (0..<2_000).map(String.init)
            let expected =
                (0..<126).map { "before \($0)" } + numbers[..<1_000] + ["between"] + numbers[1_000...] + ["|", "last"]
            XCTAssertEqual(log.value, expected, place.name)
            subscription.dispose()
        }
    }

    func testStream_thatIsDisposedInsideALongRun_deliversNothingMore() {
        for place in places() {
            log.value = []
            let source = PublishSubject<Int>()
            let subscription = SerialDisposable()
            subscription.disposable = source.observe(on: place.scheduler).subscribe(onNext: {
                self.note("\($0)")
                if $0 == 200 { subscription.dispose() }
            })
            place.suspend()
            for number in 0..<1_000 { source.onNext(number) }
            place.resume()
            place.wait()
            XCTAssertEqual(log.value, (0...200).map(String.init), place.name)
        }
    }

    func testStream_onASuspendedOperationQueue_deliversNothingMore() {
        let operations = OperationQueue()
        operations.maxConcurrentOperationCount = 1
        let source = PublishSubject<Int>()
        let delivered = DispatchSemaphore(value: 0)
        let subscription = source.observe(on: OperationQueueScheduler(operationQueue: operations)).subscribe(onNext: {
            self.note("\($0)")
            operations.isSuspended = true
            delivered.signal()
        })
        operations.isSuspended = true
        for number in 1...3 { source.onNext(number) }
        operations.isSuspended = false
        delivered.wait()
        Thread.sleep(forTimeInterval: 0.05)
        XCTAssertEqual(log.value, ["1"])
        subscription.dispose()
        operations.isSuspended = false
        operations.waitUntilAllOperationsAreFinished()
        XCTAssertEqual(log.value, ["1"])
    }

    func testTimer_thatIsDue_runsBehindWhatWasScheduledBeforeAndAheadOfWhatCameLater() {
        let own = SerialDispatchQueueScheduler(qos: .default)
        let known = DispatchQueue(label: "test.known")
        for scheduler in [own, SerialDispatchQueueScheduler(serialQueue: known)] {
            log.value = []
            let gate = DispatchSemaphore(value: 0)
            let ended = DispatchSemaphore(value: 0)
            func schedule(_ line: String) {
                _ = scheduler.schedule(line) {
                    self.note($0)
                    return Disposables.create()
                }
            }
            _ = scheduler.schedule(()) { _ in
                gate.wait()
                return Disposables.create()
            }
            _ = scheduler.scheduleRelative("timer", dueTime: .milliseconds(20)) {
                self.note($0)
                return Disposables.create()
            }
            schedule("before")
            Thread.sleep(forTimeInterval: 0.1)
            schedule("after")
            gate.signal()
            _ = scheduler.schedule(()) { _ in
                ended.signal()
                return Disposables.create()
            }
            ended.wait()
            XCTAssertEqual(log.value, ["before", "timer", "after"])
        }
    }

    func testTimer_ofNoSpan_keepsItsPlaceAmongOtherWork() {
        for place in places() {
            guard let scheduler = place.scheduler as? any SchedulerType else { continue }
            log.value = []
            place.suspend()
            for number in 0..<6 {
                if number.isMultiple(of: 2) {
                    _ = scheduler.scheduleRelative("\(number)", dueTime: .nanoseconds(0)) {
                        self.note($0)
                        return Disposables.create()
                    }
                } else {
                    _ = scheduler.schedule("\(number)") {
                        self.note($0)
                        return Disposables.create()
                    }
                }
            }
            place.resume()
            place.wait()
            XCTAssertEqual(log.value, (0..<6).map(String.init), place.name)
        }
    }

    /// Runs streams and other work on one scheduler. The trace must match a single first-in, first-out queue.
    func testWork_throughAnyOperator_runsAsFromOneQueue() {
        for place in places() {
            for seed in 0..<UInt64(40) { runRandomWork(on: place, seed: seed) }
        }
    }

    private func runRandomWork(on place: Place, seed: UInt64) {
        log.value = []
        var random = SplitMix(seed: seed)
        let scheduler = place.scheduler
        let bag = DisposeBag()
        let subjects = (0..<4).map { _ in PublishSubject<Int>() }
        let seen: (String) -> Void = { [log] line in log.value.append(line) }
        for (index, subject) in subjects.enumerated() {
            let observed = subject.observe(on: scheduler)
            let stream: Observable<Int>
            switch index {
            case 0: stream = observed
            case 1: stream = observed.map { $0 }.filter { _ in true }
            case 2: stream = Observable.merge(observed, .empty())
            default:
                stream =
                    (scheduler as? any SchedulerType).map { subject.delay(.nanoseconds(0), scheduler: $0) } ?? observed
            }
            stream.subscribe(onNext: { seen("\(index): \($0)") }, onCompleted: { seen("\(index): |") })
                .disposed(by: bag)
        }
        var expected: [String] = []
        var isOpen = Array(repeating: true, count: subjects.count)
        place.suspend()
        for number in 0..<200 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<14:
                let index = Int.random(in: 0..<subjects.count, using: &random)
                subjects[index].onNext(number)
                if isOpen[index] { expected.append("\(index): \(number)") }
            case 14:
                let index = Int.random(in: 0..<subjects.count, using: &random)
                if Int.random(in: 0..<4, using: &random) > 0 { continue }
                subjects[index].onCompleted()
                if isOpen[index] { expected.append("\(index): |") }
                isOpen[index] = false
            case 15:
                _ = scheduler.schedule(number) {
                    seen("work \($0)")
                    return Disposables.create()
                }
                expected.append("work \(number)")
            case 16:
                _ = Observable.just(number).subscribe(on: scheduler).subscribe(onNext: { seen("on \($0)") })
                expected.append("on \(number)")
            case 17:
                _ = Observable.just(number).observe(on: scheduler).subscribe(onNext: { seen("just \($0)") })
                expected.append("just \(number)")
            case 18:
                let disposed = scheduler.schedule(number) {
                    seen("disposed \($0)")
                    return Disposables.create()
                }
                disposed.dispose()
            default:
                guard let put = place.put else { continue }
                let log = self.log
                put { log.value.append("block \(number)") }
                expected.append("block \(number)")
            }
        }
        place.resume()
        for _ in 0..<2 { place.wait() }
        let difference =
            zip(log.value, expected).enumerated().first { $1.0 != $1.1 }?.offset
            ?? min(log.value.count, expected.count)
        XCTAssertEqual(
            log.value.dropFirst(difference).prefix(3), expected.dropFirst(difference).prefix(3),
            "\(place.name), seed \(seed), from line \(difference) on")
        withExtendedLifetime(bag) {}
    }

    /// Consecutive events of one sender, while the queue is mostly idle.
    func testStreams_onAnIdleQueue_keepTheOrderOfTheirSender() {
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let subjects = (0..<3).map { _ in PublishSubject<Int>() }
        let received = Box<[Int]>([])
        let ended = DispatchSemaphore(value: 0)
        let count = 3_000
        let subscriptions = subjects.map { subject in
            subject.observe(on: scheduler).subscribe(onNext: {
                received.value.append($0)
                if $0 == count - 1 { ended.signal() }
            })
        }
        for number in 0..<count { subjects[number % 3].onNext(number) }
        ended.wait()
        XCTAssertEqual(received.value, Array(0..<count))
        subscriptions.forEach { $0.dispose() }
    }
}

import Foundation
import Rx
import RxFoundation
import XCTest

final class ObserveOnQueuesTests: SettlingTestCase {
    @MainActor
    func testObserve_byDefault_deliversInATurnOfTheMainQueue() async {
        let model = ScreenModel()
        let titles = Recorder<String>()
        await withCheckedContinuation { continuation in
            let subscription = model.rx.observe(\.title).take(2).subscribe(
                onNext: { title in
                    MainActor.preconditionIsolated()
                    titles.append(title)
                },
                onCompleted: { continuation.resume() })
            XCTAssertEqual(titles.values, ["a"])
            model.title = "b"
            XCTAssertEqual(titles.values, ["a"], "Not while the change is being made.")
            _ = subscription
        }
        XCTAssertEqual(titles.values, ["a", "b"])
    }

    @MainActor
    func testObserve_onTheMainScheduler_waitsForATurnAllTheSame() async {
        for scheduler in [MainScheduler.instance, ConcurrentMainScheduler.instance] as [any ImmediateSchedulerType] {
            let model = ScreenModel()
            let titles = Recorder<String>()
            await withCheckedContinuation { continuation in
                _ = model.rx.observe(\.title, scheduler: scheduler).take(2).subscribe(
                    onNext: { titles.append($0) }, onCompleted: { continuation.resume() })
                model.title = "b"
            }
            XCTAssertEqual(titles.values, ["a", "b"])
        }
    }

    func testObserve_onTheQueueOfTheObject_endsWithTheLastValue() {
        let queue = DispatchQueue(label: "player")
        let reached = Signal()
        let seen = Recorder<Int>()
        let box = PlayerBox(Player())
        let subscription = box.player!.rx.observe(\.volume, options: .new, scheduler: queue.rx.serialScheduler())
            .subscribe(onNext: { volume in
                seen.append(volume)
                if volume == 1000 { reached.send() }
            })
        for volume in 6...1000 { queue.async { box.player?.volume = volume } }
        reached.wait()
        XCTAssertEqual(seen.values, seen.values.sorted(), "Values are delivered in order.")
        subscription.dispose()
    }

    func testObserve_whoseTurnIsOverBeforeItIsKept_losesNoneAfterIt() {
        let player = Player()
        let seen = Recorder<Int>()
        let turns = HastyScheduler()
        let subscription = player.rx.observe(\.volume, scheduler: turns).subscribe(onNext: { volume in
            seen.append(volume)
            if volume < 7 { player.volume = volume + 1 }
        })
        turns.runNext()
        XCTAssertEqual(seen.values, [5, 6, 7])
        subscription.dispose()
    }

    func testObserve_ofAnObjectThatGoesOnItsQueue_completesThere() {
        let queue = DispatchQueue(label: "player")
        let completed = Signal()
        let box = PlayerBox(Player())
        let subscription = box.player!.rx.observe(\.volume, scheduler: queue.rx.serialScheduler()).subscribe(
            onCompleted: {
                dispatchPrecondition(condition: .onQueue(queue))
                completed.send()
            })
        queue.async { box.player = nil }
        completed.wait()
        subscription.dispose()
    }
}

/// An object that belongs to a queue.
private final class PlayerBox: @unchecked Sendable {
    // @unchecked: after the set-up only the queue accesses it.
    var player: Player?
    init(_ player: Player) { self.player = player }
}

/// Runs its first item before `schedule` returns, as if another thread had run it by then, and a later item when the
/// test requests it.
private final class HastyScheduler: ImmediateSchedulerType {
    private var isFirst = true
    private var next: (() -> Void)?

    func schedule<State>(_ state: State, action: @escaping (State) -> any Disposable) -> any Disposable {
        let item = BooleanDisposable()
        let run = { if !item.isDisposed { _ = action(state) } }
        if isFirst {
            isFirst = false
            run()
        } else {
            next = run
        }
        return item
    }

    func runNext() {
        next?()
        next = nil
    }
}

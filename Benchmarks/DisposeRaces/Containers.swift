import Rx
import RxBench
import RxBenchRaces

/// Disposables that contain others, filled and disposed at the same time.
let containerRaces: [Benchmark] = [
    createdDisposable.benchmark, serialSwap.benchmark, compositeInsert.benchmark, bagFillAndDrop.benchmark,
]

// MARK: A disposable that runs a closure

/// Unchecked: its fields are set before the race begins.
final class Once: @unchecked Sendable {
    let action = Release()
    let disposable: any Disposable
    let firstActor = ThreadMark.current

    init(_ make: (@escaping () -> Void) -> any Disposable) { disposable = make(action.note) }
}

let createdDisposable = disposeOnce("race/disposables/create") { Disposables.create(with: $0) }

/// Both threads dispose the disposable that `make` creates from a closure.
func disposeOnce(
    _ id: String, make: @escaping @Sendable (@escaping () -> Void) -> any Disposable
) -> RaceScenario<Once> {
    RaceScenario(
        id, decides: "Whether a clean-up action may free something that must be freed once.", rounds: rounds,
        makeState: { Once(make) },
        actors: [{ $0.disposable.dispose() }, { $0.disposable.dispose() }],
        finish: { round in
            if round.action.count.now != 1 { return .forbidden("action ran \(round.action.count.now) times") }
            return .acceptable(
                round.action.wasNoted(on: round.firstActor) ? "first thread ran it" : "second thread ran it")
        })
}

// MARK: SerialDisposable

final class Swap: Sendable {
    let place = SerialDisposable()
    let old = Release()
    let new = Release()
    let firstActor = ThreadMark.current

    init() { place.disposable = old.makeDisposable() }
}

let serialSwap = RaceScenario(
    "race/serial-disposable/swap", decides: "Whether a disposable may be replaced while its place is being disposed.",
    rounds: rounds,
    makeState: { Swap() },
    actors: [
        { $0.place.dispose() },
        { $0.place.disposable = $0.new.makeDisposable() },
    ],
    finish: { round in
        if let violation = round.old.violation(of: "old one") ?? round.new.violation(of: "new one") { return violation }
        if !round.place.isDisposed { return .forbidden("place not disposed") }
        return .acceptable(round.new.wasNoted(on: round.firstActor) ? "swapped first" : "disposed first")
    })

// MARK: CompositeDisposable

/// Unchecked: `key` is written by the second actor and read by the final check.
final class Insertion: @unchecked Sendable {
    let set = CompositeDisposable()
    let member = Release()
    let newcomer = Release()
    var key: CompositeDisposable.DisposeKey?

    init() { set.insert(member.makeDisposable()) }
}

let compositeInsert = RaceScenario(
    "race/composite-disposable/insert", decides: "Whether members may be added while the set is being disposed.",
    rounds: rounds,
    makeState: { Insertion() },
    actors: [
        { $0.set.dispose() },
        { $0.key = $0.set.insert($0.newcomer.makeDisposable()) },
    ],
    finish: { round in
        if let violation = round.member.violation(of: "member") ?? round.newcomer.violation(of: "newcomer") {
            return violation
        }
        if round.set.count != 0 { return .forbidden("disposed set with \(round.set.count) members") }
        return .acceptable(round.key == nil ? "refused and disposed" : "added, then disposed")
    })

// MARK: DisposeBag

/// Two owners of one bag, each of which releases its own reference.
///
/// Unchecked: each actor touches its own field.
final class SharedBag: @unchecked Sendable {
    let contents = (0..<4).map { _ in Release() }
    let firstActor = ThreadMark.current
    private var dropped: DisposeBag?
    private var filled: DisposeBag?

    init() {
        let bag = DisposeBag()
        contents[0].makeDisposable().disposed(by: bag)
        dropped = bag
        filled = bag
    }

    func drop() { dropped = nil }

    func fillAndDrop() {
        guard let bag = filled else { return }
        for content in contents.dropFirst() { content.makeDisposable().disposed(by: bag) }
        filled = nil
    }
}

let bagFillAndDrop = RaceScenario(
    "race/dispose-bag/fill-and-drop", decides: "Whether a bag may be filled on one thread and dropped on another.",
    rounds: rounds,
    makeState: { SharedBag() },
    actors: [{ $0.drop() }, { $0.fillAndDrop() }],
    finish: { round in
        for (index, content) in round.contents.enumerated() {
            if let violation = content.violation(of: "content \(index)") { return violation }
        }
        return .acceptable(
            round.contents[0].wasNoted(on: round.firstActor)
                ? "dropped last on the first thread" : "dropped last on the filling thread")
    })

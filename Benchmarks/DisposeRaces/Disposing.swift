import Rx
import RxBenchRaces

/// Disposables that two threads use at the same time.
let disposingRaces: [RaceScenario<Round>] = onceRaces + filledRaces

// MARK: Disposed twice

/// Makes a disposable that disposes its argument once.
private typealias MakeDisposable = @Sendable (any Disposable) -> any Disposable

private let wrappers: [(name: String, make: MakeDisposable)] = [
    ("disposables/pair", { Disposables.create($0, Disposables.create()) }),
    ("disposables/group", { Disposables.create([$0]) }),
    ("composite-disposable", { CompositeDisposable(disposables: [$0]) }),
    (
        "serial-disposable",
        {
            let place = SerialDisposable()
            place.disposable = $0
            return place
        }
    ),
    (
        "single-assignment-disposable",
        {
            let place = SingleAssignmentDisposable()
            place.setDisposable($0)
            return place
        }
    ),
    ("ref-count-disposable", { RefCountDisposable(disposable: $0) }),
    (
        "ref-count-disposable/share",
        { inner in
            let owner = RefCountDisposable(disposable: inner)
            let share = owner.retain()
            owner.dispose()
            return share
        }
    ),
]

private let onceRaces: [RaceScenario<Round>] =
    wrappers.map { name, make in
        race("race/\(name)/dispose-dispose", "Whether several owners may each dispose it.") { round in
            let disposable = make(round.release("content").makeDisposable())
            return [disposable.dispose, disposable.dispose]
        }
    } + [
        race("race/scheduled-disposable/dispose-dispose", "Whether several owners may each dispose it.") { round in
            let scheduler = round.scheduler()
            let disposable = ScheduledDisposable(
                scheduler: scheduler, disposable: round.release("content").makeDisposable())
            round.expect("the scheduler was asked other than once") { scheduler.waiting == 1 }
            return [disposable.dispose, disposable.dispose]
        },
        race("race/scheduled-disposable/dispose-turn", "Whether it may be disposed as its turn runs.") { round in
            let scheduler = round.scheduler()
            let disposable = ScheduledDisposable(
                scheduler: scheduler, disposable: round.release("content").makeDisposable())
            disposable.dispose()
            return [disposable.dispose, { scheduler.advance() }]
        },
        race("race/boolean-disposable/dispose-read", "Whether the flag may be read as it is set.") { round in
            let flag = BooleanDisposable()
            let answers = Answers()
            round.expect("a flag that was set is not set") { answers.first <= answers.second && flag.isDisposed }
            return [
                flag.dispose,
                {
                    answers.first = flag.isDisposed ? 1 : 0
                    answers.second = flag.isDisposed ? 1 : 0
                },
            ]
        },
    ]

private final class Answers: @unchecked Sendable {
    // @unchecked: one actor writes the fields. They are read after it has ended.
    var first = 0
    var second = 0
}

// MARK: Filled and disposed

/// A container for one disposable at a time.
package protocol DisposablePlace: AnyObject, Disposable {
    var disposable: any Disposable { get set }
}

extension SerialDisposable: DisposablePlace {}

/// A known race: a disposable that is assigned to a container after the container was disposed is never disposed.
package func assignmentRace(
    _ id: String, _ makePlace: @escaping @Sendable () -> any DisposablePlace
) -> RaceScenario<Round> {
    race(id, "Whether a disposable may be set as its place is disposed.") { round in
        let place = makePlace()
        let (old, new) = (round.release("old one"), round.release("new one"))
        place.disposable = old.makeDisposable()
        return [{ place.disposable = new.makeDisposable() }, place.dispose]
    }
}

private let filledRaces: [RaceScenario<Round>] = [
    race("race/single-assignment-disposable/set-dispose", "Whether it may be set as it is disposed.") { round in
        let place = SingleAssignmentDisposable()
        let content = round.release("content")
        return [{ place.setDisposable(content.makeDisposable()) }, place.dispose]
    },
    assignmentRace("race/serial-disposable/assign-dispose") { SerialDisposable() },
    race("race/serial-disposable/set-set", "Whether two may replace what it holds at once.") { round in
        let place = SerialDisposable()
        place.disposable = round.release("old one").makeDisposable()
        let (first, second) = (round.release("first one"), round.release("second one"))
        round.expect("not exactly one is held") { first.count.now + second.count.now == 1 }
        round.lastly(place.dispose)
        return [{ place.disposable = first.makeDisposable() }, { place.disposable = second.makeDisposable() }]
    },
    race("race/composite-disposable/remove-dispose", "Whether a member may be removed as the set is disposed.") {
        round in
        let set = CompositeDisposable()
        let (member, other) = (round.release("member"), round.release("other member"))
        guard let key = set.insert(member.makeDisposable()) else { return [] }
        set.insert(other.makeDisposable())
        return [{ set.remove(for: key) }, set.dispose]
    },
    race("race/composite-disposable/insert-insert", "Whether two may add members at once.") { round in
        let set = CompositeDisposable()
        let members = [round.release("first member"), round.release("second member")]
        round.expect("a member was lost") { set.count == 2 }
        round.lastly(set.dispose)
        return members.map { member in { set.insert(member.makeDisposable()) } }
    },
    race("race/ref-count-disposable/owner-share", "Whether owner and share may let go at once.") { round in
        let inner = RefCountDisposable(disposable: round.release("content").makeDisposable())
        let share = inner.retain()
        return [inner.dispose, share.dispose]
    },
    race("race/ref-count-disposable/retain-dispose", "Whether a share may be taken as the owner lets go.") { round in
        let inner = RefCountDisposable(disposable: round.release("content").makeDisposable())
        return [{ inner.retain().dispose() }, inner.dispose]
    },
    race("race/ref-count-disposable/share-twice", "Whether a share that is disposed twice counts once.") { round in
        let content = round.release("content")
        let inner = RefCountDisposable(disposable: content.makeDisposable())
        let (share, last) = (inner.retain(), inner.retain())
        inner.dispose()
        round.expect("the content went while a share was held") { content.count.now == 0 }
        round.lastly(last.dispose)
        return [share.dispose, share.dispose]
    },
    // Two owners of one bag, each of which releases its own reference.
    race("race/dispose-bag/insert-drop", "Whether a bag may be filled as another owner drops it.") { round in
        let (old, new) = (round.release("old content"), round.release("new content"))
        let (first, second) = (Owner(DisposeBag()), Owner<DisposeBag>(nil))
        second.held = first.held
        first.held?.insert(old.makeDisposable())
        return [
            { first.held = nil },
            {
                second.held?.insert(new.makeDisposable())
                second.held = nil
            },
        ]
    },
]

/// Content that one actor owns and releases.
final class Owner<Content>: @unchecked Sendable {
    // @unchecked: only one actor touches it.
    var held: Content?
    init(_ held: Content?) { self.held = held }
}

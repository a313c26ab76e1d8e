import RxBench
import RxBenchRaces

/// Races of a disposal with something else on another thread, as benchmarks: a few, which stand for the rest.
public let disposeRaceSuite = Suite("Dispose races", subscriptionRaces + containerRaces + connectionRaces)

/// Every race: of disposables, subscribers, operators, shared sequences, subjects, schedulers and tasks, with a
/// disposal or with each other. For explorers; a benchmark of each would say nothing more.
public let disposeRaces: [RaceScenario<Round>] =
    benchmarkedRaces + disposingRaces + subscriberRaces + twoSourceRaces + recoveringRaces + sharingRaces
    + subjectRaces + homeRaces + timingRaces + queueRaces + taskRaces + concurrencyRaces

/// Those that are benchmarks too.
private let benchmarkedRaces: [RaceScenario<Round>] = [
    disposeAgainstNext.asRound, disposeAgainstCompleted.asRound, disposeAgainstDispose.asRound,
    subscribeAgainstPublished.asRound, subscribeAgainstBehavior.asRound, mergeAgainstErrors.asRound,
    createdDisposable.asRound, serialSwap.asRound, compositeInsert.asRound, bagFillAndDrop.asRound,
    shareConnections.asRound, refCountConnections.asRound,
]

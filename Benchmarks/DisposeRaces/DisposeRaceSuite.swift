import RxBench
import RxBenchRaces

/// Benchmarks of races between a disposal and other work on another thread. They are a selection of all races.
public let disposeRaceSuite = Suite("Dispose races", subscriptionRaces + containerRaces + connectionRaces)

/// Every race of disposables, subscribers, operators, shared sequences, subjects, schedulers and tasks with a disposal
/// or with each other. Explorers run these; benchmarking each of them would give no further information.
public let disposeRaces: [RaceScenario<Round>] =
    benchmarkedRaces + disposingRaces + subscriberRaces + twoSourceRaces + recoveringRaces + sharingRaces
    + subjectRaces + biasRaces + timingRaces + queueRaces + taskRaces + concurrencyRaces

/// The races that are also benchmarks.
private let benchmarkedRaces: [RaceScenario<Round>] = [
    disposeAgainstNext.asRound, disposeAgainstCompleted.asRound, disposeAgainstDispose.asRound,
    subscribeAgainstPublished.asRound, subscribeAgainstBehavior.asRound, mergeAgainstErrors.asRound,
    createdDisposable.asRound, serialSwap.asRound, compositeInsert.asRound, bagFillAndDrop.asRound,
    shareConnections.asRound, refCountConnections.asRound,
]

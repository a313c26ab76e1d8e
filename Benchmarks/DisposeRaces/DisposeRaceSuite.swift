import RxBench

/// What happens when a disposal meets something else on another thread.
public let disposeRaceSuite = Suite("Dispose races", subscriptionRaces + containerRaces + connectionRaces)

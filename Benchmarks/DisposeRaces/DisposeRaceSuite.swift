import RxBench

/// Races of a disposal with something else on another thread.
public let disposeRaceSuite = Suite("Dispose races", subscriptionRaces + containerRaces + connectionRaces)

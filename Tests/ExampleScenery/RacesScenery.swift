/// The guide's page on races finds what the examples of `RxBench` do.
typealias RacesScenery = RxBenchScenery

/// The guide's page on races uses the same scenery as the examples of `RxBench`.
typealias RacesScenery = RxBenchScenery

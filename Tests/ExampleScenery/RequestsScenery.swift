/// The guide's page on requests uses the same scenery as the examples of `RxFoundation`.
typealias RequestsScenery = RxFoundationScenery

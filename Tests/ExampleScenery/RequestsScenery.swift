/// The guide's page on requests finds what the examples of `RxFoundation` do.
typealias RequestsScenery = RxFoundationScenery

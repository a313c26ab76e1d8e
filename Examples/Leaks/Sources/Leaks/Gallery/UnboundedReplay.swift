import Rx

extension PlantedLeak {
    static let unboundedReplay = PlantedLeak(
        "unbounded-replay",
        mistake: "A replay without a bound keeps every element that was ever sent.",
        remedy: "Give the replay a bound.",
        grade: .proven, names: ["Trips.all", "give the replay 'Trips.all' a bound"], twin: .bounded
    ) { leaking in
        let trip = Trip()
        trip.legs.onNext("Oslo to Bergen")
        (leaking ? Trips.all : Trips.latest).onNext(trip)
    }
}

private final class Trip {
    let legs: PublishSubject<String>

    // Not inlined, so that each build records the same calls that made the subject.
    @inline(never) init() { legs = PublishSubject() }
}

private enum Trips {
    static let all = ReplaySubject<Trip>.createUnbounded()
    static let latest = ReplaySubject<Trip>.create(bufferSize: 4)
}

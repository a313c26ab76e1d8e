import Rx
import Synchronization

extension PlantedLeak {
    static let unboundedCache = PlantedLeak(
        "unbounded-cache",
        mistake: "A cache keeps a sequence for every key it was ever asked for.",
        remedy: "Give the cache a bound.",
        grade: .likely, names: ["Thumbnails", "cache"], twin: .bounded
    ) { leaking in
        let thumbnails = leaking ? Thumbnails.unbounded : Thumbnails.bounded
        _ = thumbnails.thumbnail(of: thumbnails.nextPhoto()).subscribe(onNext: { _ in })
    }
}

private final class Thumbnails: Sendable {
    static let unbounded = Thumbnails(bound: nil)
    static let bounded = Thumbnails(bound: 8)

    private let bound: Int?
    private let cache = Mutex<[Int: Observable<String>]>([:])
    private let photos = Atomic(0)

    init(bound: Int?) { self.bound = bound }

    func nextPhoto() -> Int { photos.wrappingAdd(1, ordering: .relaxed).newValue }

    func thumbnail(of photo: Int) -> Observable<String> {
        cache.withLock { cache in
            if let known = cache[photo] { return known }
            if let bound, cache.count >= bound, let oldest = cache.keys.min() { cache[oldest] = nil }
            let made = Observable.just("thumbnail \(photo)").share(replay: 1, scope: .forever)
            cache[photo] = made
            return made
        }
    }
}

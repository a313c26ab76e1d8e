import Rx
import Synchronization

extension PlantedLeak {
    static let noisyPool = PlantedLeak(
        "noisy-pool",
        mistake:
            "A pool of connections is filled and emptied at random; behind it one subject a round is kept for good.",
        remedy: "Let go of the subject when the connection closes.",
        grade: .likely, names: ["Connections.closed"], twin: .bounded, maximumRuns: 160
    ) { leaking in
        Connections.pool.withLock { $0 = (0..<Int.random(in: 0...10)).map { _ in PublishSubject<String>() } }
        if leaking { Connections.closed.withLock { $0.append(PublishSubject()) } }
    }

    static let flushedCache = PlantedLeak(
        "flushed-cache",
        mistake: "A cache is flushed every 32 rounds, and the list of what was put into it is not.",
        remedy: "Empty the list together with the cache.",
        grade: .likely, names: ["Tiles", "history"], twin: .bounded, maximumRuns: 160
    ) { leaking in
        let tiles = leaking ? Tiles.withHistory : Tiles.withoutHistory
        tiles.load()
    }

    static let longLivedBag = PlantedLeak(
        "long-lived-bag",
        mistake: "Subscriptions that never end are put into one bag that lives as long as the app.",
        remedy: "Put each into a bag that goes with its screen, or let it end by itself.",
        grade: .likely, names: ["Application.bag"], twin: .bounded
    ) { leaking in
        let values = leaking ? Observable<Int>.never() : Observable.just(1)
        values.map { $0 + 1 }.subscribe(onNext: { _ in }).disposed(by: leaking ? Application.bag : Application.otherBag)
    }

    static let everyOtherRound = PlantedLeak(
        "every-other-round",
        mistake: "A path that is taken every other time, at random, returns without disposing.",
        remedy: "Dispose on each path.",
        grade: .likely, names: ["Weather.updates"], maximumRuns: 160
    ) { leaking in
        let subscription = Weather.updates.subscribe(onNext: { _ in })
        if !leaking || Weather.isFair() { subscription.dispose() }
    }
}

private enum Connections {
    static let pool = Mutex<[PublishSubject<String>]>([])
    static let closed = Mutex<[PublishSubject<String>]>([])
}

private final class Tiles: Sendable {
    static let withHistory = Tiles(keepsHistory: true)
    static let withoutHistory = Tiles(keepsHistory: false)

    private let keepsHistory: Bool
    private let cache = Mutex<[Observable<Int>]>([])
    private let history = Mutex<[Observable<Int>]>([])

    init(keepsHistory: Bool) { self.keepsHistory = keepsHistory }

    func load() {
        let tile = Observable.just(1)
        cache.withLock { cache in
            if cache.count == 32 { cache = [] }
            cache.append(tile)
        }
        if keepsHistory { history.withLock { $0.append(tile) } }
    }
}

private enum Application {
    static let bag = DisposeBag()
    static let otherBag = DisposeBag()
}

private enum Weather {
    static let updates = PublishSubject<String>()
    private static let sky = Mutex<UInt64>(0x9E37_79B9_7F4A_7C15)

    /// A coin whose tosses are the same in each process. With real randomness, one in hundreds of series has no leak in
    /// its second half, and the report says that the leak has stopped. Marsaglia, "Xorshift RNGs" (2003).
    static func isFair() -> Bool {
        sky.withLock {
            $0 ^= $0 << 13
            $0 ^= $0 >> 7
            $0 ^= $0 << 17
            return $0 & 1 == 1
        }
    }
}

import Rx
import XCTest

private final class Player: ReactiveCompatible {
    var volume = 0
    var title: String?
    let starts = PublishSubject<Int>()
}

extension Reactive where Base: Player {
    fileprivate static var kind: String { "player" }
    fileprivate var started: Observable<Int> { base.starts.asObservable() }
}

final class ReactiveTests: XCTestCase {
    func testProperty_asABinder_isSet() {
        let player = Player()
        _ = Observable.of(1, 5).subscribe(player.rx.volume)
        player.rx.title.onNext("Intro")
        XCTAssertEqual(player.volume, 5)
        XCTAssertEqual(player.title, "Intro")
    }

    func testProperty_asABinder_doesNotKeepTheObject() {
        var player: Player? = Player()
        weak let weakly = player
        let binder = player?.rx.volume
        player = nil
        XCTAssertNil(weakly)
        binder?.onNext(1)
    }

    func testExtension_ofReactive_isFoundOnTheObjectAndOnTheType() {
        let player = Player()
        var seen: [Int] = []
        _ = player.rx.started.subscribe(onNext: { seen.append($0) })
        player.starts.onNext(1)
        XCTAssertEqual(seen, [1])
        XCTAssertEqual(Player.rx.kind, "player")
        XCTAssertTrue(player.rx.base === player)
    }

    func testValueType_canBeReactiveToo() {
        struct Price: ReactiveCompatible { let cents: Int }
        XCTAssertEqual(Price(cents: 5).rx.base.cents, 5)
    }
}

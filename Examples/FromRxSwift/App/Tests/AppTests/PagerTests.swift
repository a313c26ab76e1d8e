import Paging
import RxBlocking
import RxSwift
import RxTest
import XCTest

final class PagerTests: XCTestCase {
    func testPager_asItLoads_deliversAllItemsSoFar() {
        let scheduler = TestScheduler(initialClock: 0)
        let observer = scheduler.createObserver([Int].self)
        let bag = DisposeBag()
        let pager = Pager { page in Single.just([page]) }
        pager.items.drive(observer).disposed(by: bag)
        scheduler.createHotObservable([.next(210, ()), .next(220, ())]).bind(to: pager.loadNext).disposed(by: bag)
        scheduler.start()
        XCTAssertEqual(observer.events, [.next(0, []), .next(210, [1]), .next(220, [1, 2])])
    }

    func testBlocking_waitsForAll() throws {
        XCTAssertEqual(try Observable.of(1, 2, 3).toBlocking().toArray(), [1, 2, 3])
    }
}

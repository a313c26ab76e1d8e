#if os(Linux)
import CJemalloc
import Foundation
import Rx
import RxTrace
import XCTest

/// Each leak is planted beside a twin that differs in what the advice says.
final class RetentionTests: XCTestCase {
    private final class Model {
        let input = PublishSubject<Int>()
        private var bag = DisposeBag()
        private var last = 0

        init(leaks: Bool) {
            if leaks {
                input.map { $0 + 1 }.subscribe(onNext: { self.last = $0 }).disposed(by: bag)
            } else {
                input.map { $0 + 1 }.subscribe(onNext: { [weak self] in self?.last = $0 }).disposed(by: bag)
            }
        }

        func breakCycle() { bag = DisposeBag() }
    }

    private func address(_ object: AnyObject) -> UInt { UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) }

    func testSelf_capturedInTheOwnBag_isAProvenCycle() throws {
        XCTAssertGreaterThan(usableSize(), 0)
        weak var leaked: Model?
        var place: UInt = 0
        autoreleased {
            let model = Model(leaks: true)
            leaked = model
            place = address(model)
        }
        let snapshot = try HeapSnapshot.capture()
        let retention = try XCTUnwrap(snapshot.retention(of: [place]))
        print(retention)
        XCTAssertTrue(retention.isCycle)
        XCTAssertEqual(retention.grade, .proven)
        leaked?.breakCycle()
        XCTAssertNil(leaked)
    }

    private func usableSize() -> Int { Int(malloc_usable_size(malloc(10))) }

    @inline(never) private func autoreleased(_ body: () -> Void) { body() }
}
#endif

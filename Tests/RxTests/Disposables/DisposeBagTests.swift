import Rx
import XCTest

final class DisposeBagTests: XCTestCase {
    private var log: [Int] = []

    private func entry(_ number: Int) -> any Disposable { Disposables.create { self.log.append(number) } }

    func testDeinit_ofABagFilledInEveryWay_disposesAllInOrder() {
        let before = Resources.total
        do {
            let bag = DisposeBag(disposing: entry(1), entry(2))
            entry(3).disposed(by: bag)
            bag.insert(entry(4))
            bag.insert(entry(5), entry(6))
            bag.insert([entry(7), entry(8)])
            bag.insert {
                entry(9)
                for number in 10...11 { entry(number) }
                if log.isEmpty { entry(12) }
            }
            XCTAssertEqual(log, [])
            XCTAssertEqual(Resources.total, before + 13)
        }
        XCTAssertEqual(log, Array(1...12))
        assertResourcesBack(to: before)
    }

    func testInit_withArrayOrBuilder_takesWhatItIsGiven() {
        let before = Resources.total
        do {
            _ = DisposeBag(disposing: [entry(1), entry(2)])
            _ = DisposeBag {
                entry(3)
                entry(4)
            }
        }
        XCTAssertEqual(log, [1, 2, 3, 4])
        assertResourcesBack(to: before)
    }

    func testInsert_whileTheBagGoes_disposesAtOnce() {
        let before = Resources.total
        do {
            // The bag's last reference is released while its contents are being disposed, so an insertion at that time
            // comes too late.
            final class Owner { var bag: DisposeBag? = DisposeBag() }
            let owner = Owner()
            let bag = Unmanaged.passUnretained(owner.bag!)
            owner.bag!.insert(
                Disposables.create {
                    self.log.append(1)
                    bag._withUnsafeGuaranteedRef { $0.insert(self.entry(2)) }
                    self.log.append(3)
                })
            owner.bag = nil
        }
        XCTAssertEqual(log, [1, 2, 3])
        assertResourcesBack(to: before)
    }
}

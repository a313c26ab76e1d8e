import CRx
import Foundation
import XCTest

@testable import Rx

final class BiasedLockTests: XCTestCase {
    private final class Account: @unchecked Sendable {
        // @unchecked: `balance` is used under `lock`; the test checks that.
        let lock = BiasedLock()
        var balance = 0

        func deposit() { lock.withLock { balance += 1 } }

        /// Makes the current thread the owner of the bias.
        func becomeOwner() { for _ in 0..<Int(rx_bias_after()) { deposit() } }

        var isOwner: Bool { lock.owner.load(ordering: .relaxed) == UInt(rx_thread_identity()) }
        var isShared: Bool { lock.owner.load(ordering: .relaxed) == 1 }
    }

    override func setUpWithError() throws {
        try XCTSkipIf(rx_bias_after() == 0, "No lock is biased here: there is no fence in all threads.")
    }

    func testLock_takenAgainAndAgainByOneThread_isItsHome() {
        let account = Account()
        for _ in 1..<Int(rx_bias_after()) { account.deposit() }
        XCTAssertFalse(account.isOwner)
        account.deposit()
        XCTAssertTrue(account.isOwner)
        account.lock.withLock { account.deposit() }
        XCTAssertTrue(account.isOwner)
        XCTAssertEqual(account.lock.inside.load(ordering: .relaxed), 0)
    }

    func testLock_takenInTurns_isNobodysHome() {
        let account = Account()
        for _ in 0..<100 {
            account.deposit()
            onThreads(1) { _ in account.deposit() }
        }
        XCTAssertEqual(account.balance, 200)
        XCTAssertFalse(account.isOwner)
    }

    func testLock_takenByAnother_isSharedFromThenOn() {
        let account = Account()
        account.becomeOwner()
        onThreads(1) { _ in account.deposit() }
        XCTAssertTrue(account.isShared)
        for _ in 0..<100 { account.deposit() }
        XCTAssertTrue(account.isShared)
        XCTAssertEqual(account.balance, Int(rx_bias_after()) + 101)
    }

    func testLock_heldAtHome_keepsOthersOutThroughNestedEntries() {
        let account = Account()
        account.becomeOwner()
        let order = Guarded<[String]>([])
        let ended = DispatchSemaphore(value: 0)
        account.lock.lock()
        Thread {
            account.lock.withLock { order.withLock { $0.append("other") } }
            ended.signal()
        }.start()
        waitUntil { !account.isOwner }
        account.lock.withLock { order.withLock { $0.append("nested") } }
        order.withLock { $0.append("owner") }
        account.lock.unlock()
        ended.wait()
        account.deposit()
        XCTAssertEqual(order.withLock { $0 }, ["nested", "owner", "other"])
        XCTAssertTrue(account.isShared)
    }

    /// The purpose of a fence in all threads: without it, two threads enter at once, or one thread waits forever.
    func testLock_leftAndEnteredAtHomeWhileAnotherComes_excludesEachOther() {
        for _ in 0..<5_000 {
            let account = Account()
            let isOwner = Guarded(false)
            onThreads(2) { number in
                if number == 0 {
                    account.becomeOwner()
                    isOwner.withLock { $0 = true }
                    for _ in 0..<200 { account.deposit() }
                } else {
                    waitUntil { isOwner.withLock { $0 } }
                    for _ in 0..<200 { account.deposit() }
                }
            }
            XCTAssertEqual(account.balance, Int(rx_bias_after()) + 400)
            XCTAssertTrue(account.isShared)
        }
    }

    func testLock_contendedByFourThreads_excludesEachOther() {
        for _ in 0..<20 {
            let account = Account()
            onThreads(4) { _ in for _ in 0..<2_000 { account.lock.withLock { account.deposit() } } }
            XCTAssertEqual(account.balance, 8_000)
        }
    }

    func testTryLock_isRefusedWhereAnotherIsAtHomeOrInside() {
        let account = Account()
        XCTAssertTrue(account.lock.tryLock())
        onThreads(1) { _ in XCTAssertFalse(account.lock.tryLock()) }
        account.lock.unlock()
        account.becomeOwner()
        onThreads(1) { _ in XCTAssertFalse(account.lock.tryLock()) }
        XCTAssertTrue(account.isOwner)
        XCTAssertTrue(account.lock.tryLock())
        account.lock.unlock()
        XCTAssertEqual(account.lock.inside.load(ordering: .relaxed), 0)
    }
}

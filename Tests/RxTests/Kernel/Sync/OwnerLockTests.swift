import Foundation
import XCTest

@testable import Rx

final class OwnerLockTests: XCTestCase {
    private final class Account: @unchecked Sendable {
        // @unchecked: `balance` is used under `lock`; the test checks that.
        let lock = OwnerLock()
        var balance = 0
    }

    func testLock_contendedByFourThreads_excludesEachOther() {
        let account = Account()
        onThreads(4) { _ in
            for _ in 0..<50_000 { account.lock.withLock { account.balance += 1 } }
        }
        XCTAssertEqual(account.balance, 200_000)
        XCTAssertEqual(account.lock.word.load(ordering: .relaxed), 0)
    }

    func testLock_takenAgainByItsOwner_nests() {
        let account = Account()
        func deposit(_ depth: Int) {
            account.lock.withLock {
                account.balance += 1
                if depth > 1 { deposit(depth - 1) }
            }
        }
        onThreads(4) { _ in
            for _ in 0..<1_000 { account.lock.withLock { account.lock.withLock { account.balance += 1 } } }
        }
        deposit(100)
        XCTAssertEqual(account.balance, 4_100)
        XCTAssertEqual(account.lock.depth.load(ordering: .relaxed), 0)
        XCTAssertEqual(account.lock.word.load(ordering: .relaxed), 0)
    }

    func testLock_whileNested_isNotFreeForOthers() {
        let account = Account()
        let order = Guarded<[String]>([])
        account.lock.lock()
        account.lock.lock()
        account.lock.unlock()
        let started = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        Thread {
            started.signal()
            account.lock.withLock { order.withLock { $0.append("other") } }
            ended.signal()
        }.start()
        started.wait()
        waitUntil { account.lock.word.load(ordering: .relaxed) & 1 == 1 }
        order.withLock { $0.append("owner") }
        account.lock.unlock()
        ended.wait()
        XCTAssertEqual(order.withLock { $0 }, ["owner", "other"])
    }

    #if os(Linux)
        func testLock_heldByAnother_putsTheThreadToSleep() {
            let account = Account()
            let task = Guarded<String?>(nil)
            let ended = DispatchSemaphore(value: 0)
            account.lock.lock()
            Thread {
                let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
                task.withLock { $0 = own }
                account.lock.withLock { account.balance = 1 }
                ended.signal()
            }.start()
            waitUntil { account.lock.word.load(ordering: .relaxed) & 1 == 1 }
            // A spinning thread is not found asleep a thousand times in a row.
            let status = "/proc/\(task.withLock { $0 } ?? "")/stat"
            var sleepsInARow = 0
            waitUntil {
                sleepsInARow = Self.state(of: status) == "S" ? sleepsInARow + 1 : 0
                return sleepsInARow == 1_000
            }
            XCTAssertEqual(account.balance, 0)
            account.lock.unlock()
            ended.wait()
            XCTAssertEqual(account.balance, 1)
        }

        /// The letter for a thread's state: "S" sleeps, "R" runs.
        private static func state(of path: String) -> Substring? {
            // `pid (name) state …`; the name may contain spaces.
            (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: ")").last?.split(separator: " ")
                .first
        }
    #endif

    func testLock_withManyWaiters_wakesEachOfThem() {
        let account = Account()
        account.lock.lock()
        let entered = Tally()
        let ended = DispatchGroup()
        for _ in 0..<8 {
            ended.enter()
            Thread {
                entered.add()
                account.lock.withLock { account.balance += 1 }
                ended.leave()
            }.start()
        }
        waitUntil { entered.value == 8 && account.lock.word.load(ordering: .relaxed) & 1 == 1 }
        account.lock.unlock()
        XCTAssertEqual(ended.wait(timeout: .now() + 20), .success)
        XCTAssertEqual(account.balance, 8)
    }
}

/// Calls `sched_yield` until `condition` holds; fails after 20 s.
func waitUntil(file: StaticString = #filePath, line: UInt = #line, _ condition: () -> Bool) {
    let deadline = DispatchTime.now() + 20
    while !condition() {
        if DispatchTime.now() > deadline {
            return XCTFail("The condition did not come about within 20 s.", file: file, line: line)
        }
        sched_yield()
    }
}

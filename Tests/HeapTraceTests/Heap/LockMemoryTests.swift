#if os(Linux)
    import Glibc
    import HeapTrace
    import XCTest

    /// The memory of the system's locks, which may still contain words of earlier objects.
    final class LockMemoryTests: XCTestCase {
        private final class Row {}
        private final class Lock: ManagedBuffer<Void, pthread_mutex_t> {}
        private final class Shelf: ManagedBuffer<Void, Row> {
            deinit { _ = withUnsafeMutablePointerToElements { $0.deinitialize(count: 1) } }
        }
        private final class Owner {
            let lock = Lock.create(minimumCapacity: 1) { _ in }
            let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
            var shelf: ManagedBuffer<Void, Row>?

            deinit { mutex.deallocate() }

            /// Writes a word to the beginning of the memory of both locks.
            func leaveBehind(_ word: UInt) {
                lock.withUnsafeMutablePointerToElements {
                    UnsafeMutableRawPointer($0).storeBytes(of: word, as: UInt.self)
                }
                UnsafeMutableRawPointer(mutex).storeBytes(of: word, as: UInt.self)
            }
        }

        private var owner: Owner?

        /// Returns the holders of a retained object without references, after `body` makes `owner` look like a holder.
        private func retention(_ body: (Owner, Row) -> Void) throws -> Retention? {
            let owner = Owner()
            self.owner = owner
            defer { self.owner = nil }
            let row = Unmanaged.passRetained(Row())
            defer { row.release() }
            body(owner, row.takeUnretainedValue())
            do {
                return try HeapSnapshot.capture().retention(of: [UInt(bitPattern: row.toOpaque())])
            } catch { throw XCTSkip("\(error)") }
        }

        func testLocks_holdNothing_andElementsWithReferencesDo() throws {
            let left = try retention { $0.leaveBehind(UInt(bitPattern: Unmanaged.passUnretained($1).toOpaque())) }
            XCTAssertFalse(left?.steps.contains { $0.holder == "Owner" } ?? false, "\(String(describing: left))")
            let held = try retention { owner, row in
                owner.shelf = Shelf.create(minimumCapacity: 1) { _ in }
                owner.shelf?.withUnsafeMutablePointerToElements { $0.initialize(to: row) }
            }
            XCTAssertTrue(held?.steps.contains { $0.holder == "Owner" } ?? false, "\(String(describing: held))")
        }
    }
#endif

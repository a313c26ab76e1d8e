#if os(Linux)
    import Glibc
    import HeapTrace
    import Synchronization
    import XCTest

    /// Threads that end, and whose stacks the system takes back, while the heap is read.
    final class EndingThreadTests: XCTestCase {
        private static let hasEnded = Atomic(false)

        override func setUpWithError() throws {
            do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        }

        func testThreadsThatEndWhileTheirStacksAreRead_areNoFault() throws {
            Self.hasEnded.store(false, ordering: .relaxed)
            var starter = pthread_t()
            XCTAssertEqual(
                pthread_create(&starter, nil, { _ in EndingThreadTests.startThreads() }, nil), 0)
            for _ in 0..<100 { _ = try HeapSnapshot.capture() }
            Self.hasEnded.store(true, ordering: .relaxed)
            pthread_join(starter, nil)
        }

        /// Starts threads that wait in a system call, as the search reads the stacks of such threads alone, and lets
        /// them end.
        private static func startThreads() -> UnsafeMutableRawPointer? {
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            defer { pthread_attr_destroy(&attributes) }
            // The C library keeps up to 40 MB of stacks for later threads, and gives back larger ones at once.
            pthread_attr_setstacksize(&attributes, 64 << 20)
            while !hasEnded.load(ordering: .relaxed) {
                var ends: [Int32] = [-1, -1]
                guard pipe(&ends) == 0 else { return nil }
                var threads: [pthread_t] = []
                for _ in 0..<8 {
                    var thread = pthread_t()
                    let started = pthread_create(
                        &thread, &attributes,
                        { end in
                            var byte: UInt8 = 0
                            _ = read(Int32(Int(bitPattern: end)), &byte, 1)
                            return nil
                        }, UnsafeMutableRawPointer(bitPattern: Int(ends[0])))
                    if started == 0 { threads.append(thread) }
                }
                // A pipe without a writer ends each read.
                close(ends[1])
                for thread in threads { pthread_join(thread, nil) }
                close(ends[0])
            }
            return nil
        }
    }
#endif

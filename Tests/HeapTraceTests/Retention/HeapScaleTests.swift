#if os(Linux) && Jemalloc
    import CJemalloc
    import HeapTrace
    import XCTest

    /// A heap of 100,000 objects.
    final class HeapScaleTests: XCTestCase {
        private final class Page {
            var next: Page?
            let number: Int
            init(_ number: Int) { self.number = number }
        }

        private final class Book {
            var pages: [Page] = []
            var onClose: (() -> Void)?
        }

        private final class Library {
            var books: [Book] = []
        }

        /// 1,000 books of 99 pages on a shelf, and one book that is held only by its own closure.
        @inline(never)
        private func build() -> (library: Library, lost: UInt) {
            let library = Library()
            for number in 0..<1001 {
                let book = Book()
                for page in 0..<99 {
                    book.pages.append(Page(page))
                    if page > 0 { book.pages[page].next = book.pages[page - 1] }
                }
                if number < 1000 {
                    library.books.append(book)
                } else {
                    book.onClose = { book.pages = [] }
                    return (library, UInt(bitPattern: Unmanaged.passUnretained(book.pages[98]).toOpaque()))
                }
            }
            preconditionFailure("There are 1,001 books.")
        }

        func testPath_amongAHundredThousandObjects_isFound() throws {
            // Refers to jemalloc, so that it is linked.
            XCTAssertEqual(mallctl("thread.tcache.flush", nil, nil, nil, 0), 0)
            let (library, lost) = build()
            let clock = ContinuousClock()
            let start = clock.now
            let snapshot = try HeapSnapshot.capture()
            let captured = clock.now
            let retention = try XCTUnwrap(snapshot.retention(of: [lost]))
            let found = clock.now
            let report = retention.description
            XCTAssertGreaterThan(snapshot.objectCount, 100_000)
            XCTAssertEqual(retention.grade, .proven, report)
            XCTAssertEqual(retention.steps.map(\.edge), [".onClose", "capture book", ".pages[98]"], report)
            XCTAssertEqual(retention.cycleLength, 2, report)
            print(
                """
                \(snapshot.objectCount) objects: read in \(captured - start), path found and put in words in \
                \(found - captured)
                """
            )
            print(report)
            withExtendedLifetime(library) {}
        }
    }
#endif

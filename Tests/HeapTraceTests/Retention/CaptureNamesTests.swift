#if os(Linux) && Jemalloc
    import CJemalloc
    import Foundation
    import Rx
    import HeapTrace
    import XCTest

    private struct Row { let number: Int }

    private class Base {
        let rows = PublishSubject<Row>(), bag = DisposeBag()
        var seen = 0

        static let line = #line + 1
        func bind() { rows.subscribe(onNext: { row in self.seen += row.number }).disposed(by: bag) }

        static let linkLine = #line + 2
        func link(to other: Base) {
            rows.subscribe(onNext: { row in other.seen += row.number }).disposed(by: other.bag)
        }

        static let methodLine = #line + 1
        func bindMethod() { rows.subscribe(onNext: count).disposed(by: bag) }

        private func count(_ row: Row) { seen += row.number }
    }

    private final class CartViewModel: Base {}

    extension Loadable {
        static var line: Int { (#line) + 1 }
        fileprivate func load() { events.subscribe(onNext: { _ in self.finish() }).disposed(by: store) }
    }

    private protocol Loadable: AnyObject {
        var events: PublishSubject<Int> { get }
        var store: DisposeBag { get }
        func finish()
    }

    private final class Page: Loadable {
        let events = PublishSubject<Int>(), store = DisposeBag()
        func finish() {}
    }

    /// Captures of closures are reported by the names of variables, not by the names of types.
    final class CaptureNamesTests: XCTestCase {
        private let isDebug = _isDebugAssertConfiguration()

        override func setUpWithError() throws {
            // Refers to jemalloc, so that it is linked.
            XCTAssertEqual(mallctl("background_thread", nil, nil, nil, 0), 0)
        }

        private func expect<Object: AnyObject>(
            _ type: Object.Type, _ edge: String, _ advice: String, file: StaticString = #filePath, line: UInt = #line,
            _ make: () -> Object
        ) throws {
            let addresses = (0..<8).map { _ in address(of: make) }
            let retention = try XCTUnwrap(HeapSnapshot.capture().retention(of: addresses), file: file, line: line)
            XCTAssertTrue(retention.steps.contains { $0.edge == edge }, "\(retention)", file: file, line: line)
            XCTAssertEqual(retention.advice, advice, "\(retention)", file: file, line: line)
        }

        @inline(never) private func address(of make: () -> AnyObject) -> UInt {
            UInt(bitPattern: Unmanaged.passUnretained(make()).toOpaque())
        }

        /// Like ``expect``, for a variable that debug information names. Optimised code has no such information, so
        /// that the type's name is expected.
        private func expect<Object: AnyObject>(
            _ type: Object.Type, named variable: String, at place: Int, in function: String,
            file: StaticString = #filePath, line: UInt = #line,
            _ make: () -> Object
        ) throws {
            if isDebug {
                let advice = "capture '\(variable)' weakly in the closure at CaptureNamesTests.swift:\(place)"
                try expect(type, "capture \(variable)", advice, file: file, line: line, make)
            } else {
                // The name of a private type includes its file: `(Base in _37F0)`.
                let name = "\(type)".split { !$0.isLetter }[0]
                let advice = "hold weakly the '\(name)' that the closure in \(function) captures"
                try expect(type, "capture \(name)", advice, file: file, line: line, make)
            }
        }

        func testSelf_ofASubclass_isSelf() throws {
            try expect(CartViewModel.self, named: "self", at: Base.line, in: "Base.bind()") {
                let model = CartViewModel()
                model.bind()
                return model
            }
        }

        func testSelf_ofAProtocolsExtension_isSelf() throws {
            try expect(Page.self, named: "self", at: Page.line, in: "Loadable.load()") {
                let page = Page()
                page.load()
                return page
            }
        }

        func testParameter_ofTheSameTypeAsSelf_isNamed() throws {
            try expect(Base.self, named: "other", at: Base.linkLine, in: "Base.link(to:)") {
                let one = Base()
                let other = Base()
                other.link(to: other)
                withExtendedLifetime(one) {}
                return other
            }
        }

        func testMethod_thatIsGivenForAClosure_isToldByItsLine() throws {
            try expect(
                Base.self, "capture self",
                """
                give a closure that captures 'self' weakly instead of the method at \
                CaptureNamesTests.swift:\(Base.methodLine)
                """
            ) {
                let model = Base()
                model.bindMethod()
                return model
            }
        }

        func testVariable_thatSeveralClosuresShare_isNamed() throws {
            let line = #line + 9
            try expect(
                Base.self, "capture current",
                """
                set 'current' to nil when it is no longer needed, or capture it weakly in the closure at \
                CaptureNamesTests.swift:\(line)
                """
            ) {
                var (current, total): (Base?, Int) = (Base(), 0)
                current?.rows.subscribe(onNext: { row in
                    total += row.number
                    current?.seen = total
                }).disposed(by: current!.bag)
                let made = current!
                current?.rows.onNext(Row(number: 1))
                total += 1
                return made
            }
        }

        // MARK: Fields

        private struct Slot {
            let number: Int
            var title = "Slot"
            var screen: Screen?
        }

        private enum State {
            case idle(since: Int, reason: String)
            case shown(Screen, since: Int)
            case both(Result<Screen, CancellationError>, Int)
        }

        private final class Screen {
            var slot: Slot?
            var state = State.idle(since: 0, reason: "new")
            var states: [State] = []
            lazy var onTap: () -> Void = { self.slot = nil }
        }

        private func edges(_ make: (Screen) -> Void) throws -> [String] {
            let addresses = (0..<8).map { _ in
                address {
                    let screen = Screen()
                    make(screen)
                    return screen
                }
            }
            return try XCTUnwrap(HeapSnapshot.capture().retention(of: addresses)).steps.map(\.edge)
        }

        func testFields_ofOptionalsAndEnumerations_areNamedToTheLast() throws {
            XCTAssertEqual(try edges { $0.slot = Slot(number: 1, screen: $0) }, [".slot.screen"])
            XCTAssertEqual(try edges { $0.state = .shown($0, since: 1) }, [".state.shown.0"])
            XCTAssertEqual(try edges { $0.state = .both(.success($0), 1) }, [".state.both.0.success"])
            XCTAssertEqual(try edges { $0.states = [.shown($0, since: 1)] }, [".states[0]"])
        }

        func testLazyProperty_bearsItsOwnName() throws {
            XCTAssertEqual(
                try edges {
                    $0.onTap()
                    _ = $0.onTap
                }, [".onTap", "capture self"])
        }
    }
#endif

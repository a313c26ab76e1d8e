#if os(Linux) && Jemalloc
    import CJemalloc
    import Foundation
    import Rx
    import HeapTrace
    import Synchronization
    import XCTest

    /// Each leak is planted next to a twin that follows the advice.
    final class RetentionTests: XCTestCase {
        override func setUpWithError() throws {
            // Refers to jemalloc, so that it is linked.
            XCTAssertEqual(mallctl("background_thread", nil, nil, nil, 0), 0)
        }

        // MARK: An object whose closure is in its own bag

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

        func testSelf_capturedInTheOwnBag_isAProvenCycle() throws {
            let planted = Planted(count: 8) { Model(leaks: true) }
            let retention = try XCTUnwrap(planted.retention())
            XCTAssertEqual(retention.target, "Model")
            XCTAssertTrue(retention.isCycle)
            XCTAssertEqual(retention.grade, .proven, "\(retention)")
            XCTAssertEqual(
                retention.steps.map(\.holder), ["Model", "DisposeBag", "closure in RetentionTests.Model.init(leaks:)"])
            XCTAssertEqual(retention.steps.map(\.edge), [".bag", "subscription", "capture self"])
            planted.forEach { $0.breakCycle() }
            XCTAssertNil(planted.object)
        }

        func testSelf_capturedWeakly_isGone() throws {
            XCTAssertNil(try Planted { Model(leaks: false) }.retention())
        }

        // MARK: Two objects, each held by a closure in the other's bag

        private final class Parent {
            let events = PublishSubject<Int>(), bag = DisposeBag()
            var child: Child?
            var seen = 0
        }

        private final class Child {
            let events = PublishSubject<Int>(), bag = DisposeBag()
            var seen = 0

            func listen(to parent: Parent, leaks: Bool) {
                if leaks {
                    parent.events.subscribe(onNext: { self.seen += $0 }).disposed(by: parent.bag)
                    events.subscribe(onNext: { parent.seen += $0 }).disposed(by: bag)
                } else {
                    parent.events.subscribe(onNext: { [weak self] in self?.seen += $0 }).disposed(by: parent.bag)
                    events.subscribe(onNext: { [weak parent] in parent?.seen += $0 }).disposed(by: bag)
                }
            }
        }

        private func family(leaks: Bool) -> Parent {
            let parent = Parent()
            let child = Child()
            child.listen(to: parent, leaks: leaks)
            return parent
        }

        func testTwoObjects_inEachOthersBag_areAProvenCycle() throws {
            let planted = Planted(count: 8) { self.family(leaks: true) }
            let retention = try XCTUnwrap(planted.retention())
            XCTAssertTrue(retention.isCycle)
            XCTAssertEqual(retention.grade, .proven, "\(retention)")
            XCTAssertEqual(
                Set(retention.steps.map(\.holder)).subtracting(["DisposeBag", "PublishSubject<Int>"]),
                [
                    "Parent", "Child", "closure in RetentionTests.Child.listen(to:leaks:)",
                ], "\(retention)")
            XCTAssertTrue(retention.advice.contains("weakly in the closure"), retention.advice)
        }

        func testTwoObjects_thatListenWeakly_areGone() throws {
            XCTAssertNil(try Planted { self.family(leaks: false) }.retention())
        }

        // MARK: An undisposed timer

        private final class Screen {
            var ticks = 0

            static let line = #line + 3
            func start(on scheduler: some SchedulerType, leaks: Bool) {
                let interval = Observable<Int>.interval(.seconds(3600), scheduler: scheduler)
                let ticking = interval.subscribe(onNext: { self.ticks = $0 })
                if !leaks { ticking.dispose() }
            }
        }

        func testTimer_thatIsNotDisposed_isHeldByItsScheduler() throws {
            let scheduler = SerialDispatchQueueScheduler(qos: .default)
            let planted = Planted {
                let screen = Screen()
                screen.start(on: scheduler, leaks: true)
                return screen
            }
            let retention = try XCTUnwrap(planted.retention())
            let line = Screen.line
            XCTAssertEqual(
                retention.description,
                """
                Screen is held by a cycle, proven:
                  a timer: until it is disposed
                  a timer, where the cycle closes, and from there
                  closure in RetentionTests.Screen.start(on:leaks:) at RetentionTests.swift:\(line): capture self
                  Screen
                dispose the subscription whose closure is at RetentionTests.swift:\(line), for example in a bag that \
                goes with its owner
                """)
        }

        func testTimer_thatIsDisposed_isGone() throws {
            let scheduler = SerialDispatchQueueScheduler(qos: .default)
            let planted = Planted {
                let screen = Screen()
                screen.start(on: scheduler, leaks: false)
                return screen
            }
            // The queue releases a cancelled timer in a separate turn.
            while planted.object != nil { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.001)) }
            XCTAssertNil(try planted.retention())
        }

        // MARK: A replay that keeps its owner

        private final class Search {
            let query = PublishSubject<String>()
            private var titles = Observable<String>.never()
            private let bag = DisposeBag()

            func open(leaks: Bool) {
                if leaks {
                    titles = query.withUnretained(self).share(replay: 1, scope: .forever).map { $1 }
                } else {
                    titles = query.withUnretained(self).map { $1 }.share(replay: 1, scope: .forever)
                }
                titles.subscribe(onNext: { _ in }).disposed(by: bag)
                query.onNext("rx")
            }
        }

        func testReplay_ofItsOwner_isAProvenCycle() throws {
            let planted = Planted {
                let search = Search()
                search.open(leaks: true)
                return search
            }
            let retention = try XCTUnwrap(planted.retention())
            XCTAssertEqual(
                retention.description,
                """
                Search is held by a cycle, proven:
                  Search: .titles
                  ReplaySubject<(Search, String)>: remembered element
                  Search, where the cycle closes
                map to what is needed of it before the replay, so that 'Search.titles' does not keep Search
                """)
        }

        func testReplay_ofWhatIsNeeded_isGone() throws {
            XCTAssertNil(
                try Planted {
                    let search = Search()
                    search.open(leaks: false)
                    return search
                }.retention())
        }

        // MARK: A task that never ends

        private final class Feed: Sendable {
            let posts = PublishSubject<String>()
            let started = DispatchSemaphore(value: 0)

            static let line = #line + 3
            func follow() -> Task<Void, Never> {
                let values = posts.values
                return Task {
                    started.signal()
                    do { for try await post in values { self.show(post) } } catch { self.show("\(error)") }
                }
            }

            func show(_ post: String) {}
        }

        func testTask_thatNeverEnds_isALikelyHolder() throws {
            nonisolated(unsafe) var task: Task<Void, Never>?
            let planted = Planted {
                let feed = Feed()
                task = feed.follow()
                feed.started.wait()
                return feed
            }
            let retention = try XCTUnwrap(planted.retention())
            XCTAssertNotEqual(retention.grade, .proven, "\(retention)")
            let place = "RetentionTests.swift:\(Feed.line)"
            XCTAssertEqual(
                retention.steps.map(\.description),
                [
                    "Task at \(place): local variable (untyped)",
                    "closure in RetentionTests.Feed.follow() at \(place): capture self",
                ], "\(retention)")
            XCTAssertEqual(
                retention.advice,
                """
                cancel the task of RetentionTests.Feed.follow() at \(place) when it is no longer needed, or \
                capture weakly in it what it should not keep
                """
            )
            task?.cancel()
            let ended = expectation(description: "ended")
            Task { [task] in
                await task?.value
                ended.fulfill()
            }
            wait(for: [ended], timeout: 60)
            while planted.object != nil { RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.001)) }
            XCTAssertNil(try planted.retention())
        }

        // MARK: A field that cannot be copied

        private final class Thumbnails: Sendable {
            static let shared = Thumbnails()
            let cache = Mutex<[Int: Observable<String>]>([:])
        }

        func testCache_inAMutexOfAGlobal_isLikely() throws {
            let planted = Planted {
                let made = Observable.just("one")
                Thumbnails.shared.cache.withLock { $0[1] = made }
                return made
            }
            let retention = try XCTUnwrap(planted.retention())
            XCTAssertEqual(retention.grade, .likely(because: "what Thumbnails holds is not described by its type"))
            XCTAssertEqual(
                retention.steps.map(\.description),
                ["global RetentionTests.Thumbnails.shared", "Thumbnails: .cache[value] (untyped)"])
            Thumbnails.shared.cache.withLock { $0 = [:] }
            XCTAssertNil(try planted.retention())
        }

        // MARK: Elements after a header that is no whole number of words

        nonisolated(unsafe) private static var slots: ManagedBuffer<Bool, Screen>?

        func testBuffer_whoseHeaderIsAByte_holdsItsElements() throws {
            let planted = Planted {
                let screen = Screen()
                let slots = ManagedBuffer<Bool, Screen>.create(minimumCapacity: 1) { _ in true }
                slots.withUnsafeMutablePointerToElements { $0.initialize(to: screen) }
                Self.slots = slots
                return screen
            }
            let retention = try XCTUnwrap(planted.retention())
            XCTAssertTrue(retention.steps[0].holder.hasPrefix("global RetentionTests.slots"), "\(retention)")
            XCTAssertNotEqual(retention.grade, .proven)
            Self.slots?.withUnsafeMutablePointerToElements { _ = $0.deinitialize(count: 1) }
            Self.slots = nil
            XCTAssertNil(try planted.retention())
        }

        // MARK: Memory with words of earlier values

        /// Owns memory that refers to it, as the frames of a task do.
        private final class Scratch {
            let words = UnsafeMutablePointer<UInt>.allocate(capacity: 4)
            deinit { words.deallocate() }
        }
        private final class Shelf {
            let screen: Screen
            init(_ screen: Screen) { self.screen = screen }
        }

        func testWordInRawMemory_isNoHolder_whereTypedReferencesAccountForTheObject() throws {
            let scratch = Scratch()
            scratch.words.initialize(repeating: 0, count: 4)
            scratch.words[0] = UInt(bitPattern: Unmanaged.passRetained(scratch).toOpaque())
            defer { Unmanaged.passUnretained(scratch).release() }
            // Held by no reference that a snapshot can see.
            let shelf = Unmanaged.passRetained(Shelf(Screen()))
            defer { shelf.release() }
            let screen = UInt(bitPattern: Unmanaged.passUnretained(shelf.takeUnretainedValue().screen).toOpaque())
            scratch.words[1] = screen
            let retention = try XCTUnwrap(HeapSnapshot.capture().retention(of: [screen]))
            XCTAssertTrue(retention.steps.contains { $0.holder == "Shelf" }, "\(retention)")
            XCTAssertFalse(retention.steps.contains { $0.holder == "Scratch" }, "\(retention)")
        }

        // MARK: Globals

        private static let bus = PublishSubject<Int>()
        nonisolated(unsafe) private static var cache: [String: Screen] = [:]

        private final class Listener {
            var seen = 0
            static let line = #line + 4
            // Not inlined, because its closure would be compiled twice. The optimiser merges equal code and drops the
            // lines of the merged code.
            @inline(never) func listen(to source: Observable<Int>) -> any Disposable {
                source.subscribe(onNext: { self.seen += $0 })
            }
        }

        func testSubject_ofAGlobal_holdsItsObservers() throws {
            nonisolated(unsafe) var subscription: (any Disposable)?
            let planted = Planted {
                let listener = Listener()
                subscription = listener.listen(to: Self.bus)
                return listener
            }
            let retention = try XCTUnwrap(planted.retention())
            XCTAssertFalse(retention.isCycle)
            XCTAssertEqual(retention.grade, .proven, "\(retention)")
            XCTAssertEqual(
                retention.steps.map(\.description),
                [
                    "global RetentionTests.bus", "PublishSubject<Int>: observer",
                    """
                    closure in RetentionTests.Listener.listen(to:) at RetentionTests.swift:\(Listener.line): \
                    capture self
                    """,
                ])
            subscription?.dispose()
            XCTAssertNil(try planted.retention())
        }

        /// In closures in a collection, like the routes of a service.
        private static let routes: [@Sendable () -> Observable<Int>] = {
            let stream = Observable<Int>.never().share()
            return [{ stream }]
        }()

        func testSharedStream_inACollectionOfAGlobal_isToLoseItsObserver_andNotToBeRemoved() throws {
            nonisolated(unsafe) var subscription: (any Disposable)?
            let planted = Planted {
                let listener = Listener()
                subscription = listener.listen(to: Self.routes[0]())
                return listener
            }
            let retention = try XCTUnwrap(planted.retention())
            XCTAssertEqual(retention.grade, .proven, "\(retention)")
            XCTAssertEqual(
                retention.advice,
                """
                dispose the subscription whose closure is at RetentionTests.swift:\(Listener.line), which \
                'RetentionTests.routes' holds, for example in a bag that goes with its owner
                """)
            subscription?.dispose()
            XCTAssertNil(try planted.retention())
        }

        func testCache_ofAGlobal_holdsWhatIsInIt() throws {
            let planted = Planted {
                let screen = Screen()
                Self.cache["first"] = screen
                return screen
            }
            let retention = try XCTUnwrap(planted.retention())
            XCTAssertEqual(retention.grade, .proven, "\(retention)")
            XCTAssertEqual(retention.steps.map(\.description), ["global RetentionTests.cache: [value]"])
            XCTAssertEqual(
                retention.advice, "remove what is no longer needed from 'RetentionTests.cache', or give it a bound")
            Self.cache = [:]
            XCTAssertNil(try planted.retention())
        }
    }

    /// Objects that were made and released, and may still be alive.
    private final class Planted<Object: AnyObject> {
        private let places: [Place]

        private struct Place {
            weak var object: Object?
            let address: UInt
        }

        /// - Parameter count: several where a proof is expected, because remains of other objects in the heap of a long
        /// test program may seem to hold one of them.
        init(count: Int = 1, _ make: () -> Object) { places = (0..<count).map { _ in Self.place(make) } }

        @inline(never)
        private static func place(_ make: () -> Object) -> Place {
            let made = make()
            return Place(object: made, address: UInt(bitPattern: Unmanaged.passUnretained(made).toOpaque()))
        }

        var object: Object? { places.lazy.compactMap(\.object).first }

        func forEach(_ body: (Object) -> Void) { places.forEach { $0.object.map(body) } }

        func retention() throws -> Retention? {
            object == nil ? nil : try HeapSnapshot.capture().retention(of: places.map(\.address))
        }
    }
#endif

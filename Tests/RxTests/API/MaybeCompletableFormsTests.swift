import Rx
import RxBlocking
import XCTest

/// Calls every public name of `Maybe` and `Completable` in the form that users write.
final class MaybeCompletableFormsTests: XCTestCase {
    private let notes = Notes()
    private let failing = Maybe<Int>.error(Planted.fault)

    private func all<Source: ObservableConvertibleType>(_ source: Source) throws -> [Source.Element] {
        try source.toBlocking().toArray()
    }

    // MARK: Maybe

    func testMaybeCreate() throws {
        for (event, expected) in [
            (MaybeEvent.success(1), ["next(1)", "completed"]), (.error(Planted.fault), ["error(fault)"]),
            (.completed, ["completed"]),
        ] {
            let maybe = Maybe<Int>.create { maybe in
                maybe(event)
                return Disposables.create()
            }
            XCTAssertEqual(maybe.synchronousEvents, expected)
        }
        let observer: Maybe<Int>.MaybeObserver = { _ in }
        observer(.completed)
        XCTAssertEqual(
            Maybe<Int>.create(subscribe: {
                $0(.completed)
                return Disposables.create()
            }).synchronousEvents, ["completed"])
        XCTAssertEqual(try all(Maybe.just(1)), [1])
        XCTAssertEqual(try all(Maybe.just(1, scheduler: CurrentThreadScheduler.instance)), [1])
        XCTAssertEqual(Maybe<Int>.never().synchronousEvents, [])
        XCTAssertEqual(Maybe<Int>.empty().synchronousEvents, ["completed"])
    }

    func testMaybeSubscribe() {
        let notes = notes
        Maybe.just(1).subscribe { notes.add("\($0)") }.dispose()
        Maybe.just(1).subscribe(
            onSuccess: { notes.add("\($0)") }, onError: { _ in }, onCompleted: { notes.add("completed") },
            onDisposed: { notes.add("disposed") }
        ).dispose()
        failing.subscribe(onError: { notes.add("\($0)") }).dispose()
        Maybe<Int>.empty().subscribe(onCompleted: { notes.add("completed") }).dispose()
        Maybe.just(2).subscribe().dispose()
        Maybe.just(2).subscribe(
            with: notes, onSuccess: { $0.add("\($1)") }, onError: { $0.add("\($1)") },
            onCompleted: { $0.add("completed") }, onDisposed: { $0.add("disposed") }
        )
        .dispose()
        XCTAssertEqual(notes.lines, ["success(1)", "1", "disposed", "fault", "completed", "2", "disposed"])
    }

    func testMaybeDo() {
        let notes = notes
        func inspected(_ maybe: Maybe<Int>) -> Maybe<Int> {
            maybe.do(
                onNext: { notes.add("on \($0)") }, afterNext: { notes.add("after \($0)") },
                onError: { notes.add("on \($0)") },
                afterError: { notes.add("after \($0)") }, onCompleted: { notes.add("on completed") },
                afterCompleted: { notes.add("after completed") },
                onSubscribe: { notes.add("subscribe") }, onSubscribed: { notes.add("subscribed") },
                onDispose: { notes.add("dispose") })
        }
        XCTAssertEqual(inspected(.just(1)).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(
            notes.lines, ["subscribe", "on 1", "after 1", "on completed", "after completed", "subscribed", "dispose"])
        XCTAssertEqual(inspected(failing).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(notes.lines.suffix(5), ["subscribe", "on fault", "after fault", "subscribed", "dispose"])
        XCTAssertEqual(Maybe<Int>.empty().do(onCompleted: { throw Planted.fault }).synchronousEvents, ["error(fault)"])
    }

    func testMaybeOperators() throws {
        let one = Maybe.just(1)
        let none = Maybe<Int>.empty()
        XCTAssertEqual(try all(one.filter { $0 > 1 }), [])
        XCTAssertEqual(try all(one.map { $0 + 1 }), [2])
        XCTAssertEqual(try all(Maybe.just("1").compactMap(Int.init)), [1])
        XCTAssertEqual(try all(one.compactMap { _ -> Int? in nil }), [])
        XCTAssertEqual(try all(one.flatMap { Maybe.just("\($0)") }), ["1"])
        XCTAssertEqual(one.flatMap { _ -> Maybe<Int> in throw Planted.fault }.synchronousEvents, ["error(fault)"])
        let filled: Single<Int> = none.ifEmpty(default: 7)
        XCTAssertEqual(try all(filled), [7])
        let switched: Maybe<Int> = none.ifEmpty(switchTo: Maybe.just(7))
        XCTAssertEqual(try all(switched), [7])
        let single: Single<Int> = none.ifEmpty(switchTo: Single.just(7))
        XCTAssertEqual(try all(single), [7])
        XCTAssertEqual(try all(failing.catchAndReturn(7)), [7])
    }

    func testMaybeZip() throws {
        XCTAssertEqual(try all(Maybe.zip(Maybe.just(1), Maybe.just("a")) { "\($0)\($1)" }), ["1a"])
        XCTAssertEqual(try all(Maybe.zip(Maybe.just(1), Maybe.just("a"), resultSelector: { "\($0)\($1)" })), ["1a"])
        let pair: Maybe<(Int, String)> = Maybe.zip(.just(1), .just("a"))
        XCTAssertEqual(try all(pair.map { "\($0)\($1)" }), ["1a"])
        XCTAssertEqual(try all(Maybe.zip(Maybe.just(1), Maybe<Int>.empty())).count, 0)
    }

    // MARK: Completable

    func testCompletableCreate() {
        for (event, expected) in [(CompletableEvent.completed, "completed"), (.error(Planted.fault), "error(fault)")] {
            let completable = Completable.create { completable in
                completable(event)
                return Disposables.create {}
            }
            XCTAssertEqual(completable.synchronousEvents, [expected])
        }
        let observer: Completable.CompletableObserver = { _ in }
        observer(.completed)
        XCTAssertEqual(
            Completable.create(subscribe: {
                $0(.completed)
                return Disposables.create()
            }).synchronousEvents, ["completed"])
        XCTAssertEqual(Completable.error(Planted.fault).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(Completable.never().synchronousEvents, [])
        XCTAssertEqual(Completable.empty().synchronousEvents, ["completed"])
    }

    func testCompletableSubscribe() {
        let notes = notes
        Completable.empty().subscribe { notes.add("\($0)") }.dispose()
        Completable.empty().subscribe(
            onCompleted: { notes.add("completed") }, onError: { _ in }, onDisposed: { notes.add("disposed") }
        ).dispose()
        Completable.error(Planted.fault).subscribe(onError: { notes.add("\($0)") }).dispose()
        Completable.empty().subscribe().dispose()
        Completable.empty().subscribe(
            with: notes, onCompleted: { $0.add("completed") }, onError: { $0.add("\($1)") },
            onDisposed: { $0.add("disposed") }
        ).dispose()
        XCTAssertEqual(notes.lines, ["completed", "completed", "disposed", "fault", "completed", "disposed"])
    }

    func testCompletableDo() {
        let notes = notes
        func inspected(_ completable: Completable) -> Completable {
            completable.do(
                onError: { notes.add("on \($0)") }, afterError: { notes.add("after \($0)") },
                onCompleted: { notes.add("on completed") },
                afterCompleted: { notes.add("after completed") }, onSubscribe: { notes.add("subscribe") },
                onSubscribed: { notes.add("subscribed") },
                onDispose: { notes.add("dispose") })
        }
        XCTAssertEqual(inspected(.empty()).synchronousEvents, ["completed"])
        XCTAssertEqual(notes.lines, ["subscribe", "on completed", "after completed", "subscribed", "dispose"])
        XCTAssertEqual(inspected(.error(Planted.fault)).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(Completable.empty().do(onCompleted: { throw Planted.fault }).synchronousEvents, ["error(fault)"])
    }

    func testCompletableCombining() throws {
        let done = Completable.empty()
        let failed = Completable.error(Planted.fault)
        XCTAssertEqual(done.concat(failed).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(Completable.concat(AnySequence([done, done])).synchronousEvents, ["completed"])
        XCTAssertEqual(Completable.concat([done, done].dropFirst()).synchronousEvents, ["completed"])
        XCTAssertEqual(Completable.concat([done, failed]).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(Completable.concat(done, done, done).synchronousEvents, ["completed"])
        XCTAssertEqual(Completable.zip(done, done).synchronousEvents, ["completed"])
        XCTAssertEqual(Completable.zip([done, failed]).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(Completable.zip([done, done].dropFirst()).synchronousEvents, ["completed"])
        let single: Single<Int> = done.andThen(Single.just(1))
        XCTAssertEqual(try all(single), [1])
        let maybe: Maybe<Int> = done.andThen(Maybe.just(1))
        XCTAssertEqual(try all(maybe), [1])
        let completable: Completable = done.andThen(Completable.empty())
        XCTAssertEqual(completable.synchronousEvents, ["completed"])
        let observable: Observable<Int> = done.andThen(Observable.of(1, 2))
        XCTAssertEqual(try all(observable), [1, 2])
        XCTAssertEqual(failed.andThen(Single.just(1)).synchronousEvents, ["error(fault)"])
    }
}

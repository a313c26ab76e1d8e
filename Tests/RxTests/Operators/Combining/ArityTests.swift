import Rx
import Synchronization
import XCTest

/// Properties of `combineLatest` and `zip` for every number of sources and every type that declares them.
final class ArityTests: XCTestCase {
    func testCombineLatest_ofAnyNumber_combinesTheLatestAndCompletesWithTheLast() {
        checkLatest(LatestOfObservables.selecting) { $0 }
        checkLatest(LatestOfObservables.tuples) { $0 }
        checkLatest(LatestOfInfallibles.selecting, infallible)
        checkLatest(LatestOfInfallibles.tuples, infallible)
        checkLatest(LatestOfDrivers.selecting, driver)
        checkLatest(LatestOfDrivers.tuples, driver)
    }

    func testZip_ofAnyNumber_pairsInOrderAndCompletesWithTheLast() {
        checkZip(ZippedObservables.selecting) { $0 }
        checkZip(ZippedObservables.tuples) { $0 }
        checkZip(ZippedInfallibles.selecting, infallible)
        checkZip(ZippedDrivers.selecting, driver)
        checkZip(ZippedDrivers.tuples, driver)
    }

    func testZip_ofAnyNumberOfTraits_givesOneResultOnceAllHaveTheirValue() {
        checkOneResult(ZippedSingles.selecting) { $0.asSingle() }
        checkOneResult(ZippedSingles.tuples) { $0.asSingle() }
        checkOneResult(ZippedMaybes.selecting) { $0.asMaybe() }
        checkOneResult(ZippedMaybes.tuples) { $0.asMaybe() }
    }

    func testMaybeZip_withOneWithoutAValue_completesWithoutOneWhenAllHave() {
        for forms in [ZippedMaybes.selecting, ZippedMaybes.tuples] {
            forEachForm(forms, { $0.asMaybe() }) { subjects, notes, arity in
                subjects[0].onCompleted()
                for subject in subjects.dropFirst() {
                    XCTAssertEqual(notes.lines, [], "\(arity) sources")
                    subject.onNext(1)
                    subject.onCompleted()
                }
                XCTAssertEqual(notes.lines, ["completed"], "\(arity) sources")
            }
        }
    }

    func testAnyNumber_whenOneFails_failsAndEndsTheOthers() {
        checkError(LatestOfObservables.selecting + LatestOfObservables.tuples) { $0 }
        checkError(ZippedObservables.selecting + ZippedObservables.tuples) { $0 }
        checkError(ZippedSingles.selecting + ZippedSingles.tuples) { $0.asSingle() }
        checkError(ZippedMaybes.selecting + ZippedMaybes.tuples) { $0.asMaybe() }
    }

    func testAnyNumber_disposed_endsEverySource() {
        checkDispose(LatestOfObservables.selecting + LatestOfObservables.tuples) { $0 }
        checkDispose(ZippedObservables.selecting + ZippedObservables.tuples) { $0 }
        checkDispose(LatestOfInfallibles.selecting + LatestOfInfallibles.tuples, infallible)
        checkDispose(ZippedInfallibles.selecting, infallible)
        checkDispose(LatestOfDrivers.selecting + LatestOfDrivers.tuples, driver)
        checkDispose(ZippedDrivers.selecting + ZippedDrivers.tuples, driver)
        checkDispose(ZippedSingles.selecting + ZippedSingles.tuples) { $0.asSingle() }
        checkDispose(ZippedMaybes.selecting + ZippedMaybes.tuples) { $0.asMaybe() }
    }

    func testZipOfTraits_whoseSelectorThrows_fails() {
        XCTAssertEqual(
            Single.zip(.just(1), .just("a")) { _, _ -> Bool in throw Planted.fault }.synchronousEvents, ["error(fault)"]
        )
        XCTAssertEqual(
            Maybe.zip(.just(1), .just("a"), .just(0.5)) { _, _, _ -> Bool in throw Planted.fault }.synchronousEvents,
            ["error(fault)"])
    }

    func testInfallible_whoseSelectorThrows_reportsTheErrorAndEnds() {
        let handler = Hooks.defaultErrorHandler
        defer { Hooks.defaultErrorHandler = handler }
        let reported = Mutex<[String]>([])
        Hooks.defaultErrorHandler = { _, error in reported.withLock { $0.append("\(error)") } }
        var seen: [Int] = []
        _ = Infallible.zip(Infallible.just(1), Infallible.just(2)) { _, _ -> Int in throw Planted.fault }.subscribe(
            onNext: { seen.append($0) })
        _ = Infallible.combineLatest(Infallible.just(1), Infallible.just(2)) { _, _ -> Int in throw Planted.other }
            .subscribe(onNext: { seen.append($0) })
        XCTAssertEqual(seen, [])
        XCTAssertEqual(reported.withLock { $0 }, ["fault", "other"])
    }

    func testSources_ofSeveralKindsAndTypes_areAccepted() {
        let relay = BehaviorRelay(value: 2)
        let text = BehaviorSubject(value: "a").asDriver(onErrorJustReturn: "")
        XCTAssertEqual(
            Observable.combineLatest(Observable.just(1), relay, Observable.just("x")) { "\($0 + $1)\($2)" }.take(1)
                .synchronousEvents,
            ["next(3x)", "completed"])
        XCTAssertEqual(
            Infallible.combineLatest(relay.asInfallible(), Infallible.just("x")).map { "\($0)\($1)" }.asObservable()
                .take(1).synchronousEvents,
            ["next(2x)", "completed"])
        XCTAssertEqual(
            Driver.zip(relay.asDriver(), text, Driver.just(0.5)).map { "\($0)\($1)\($2)" }.asObservable().take(1)
                .synchronousEvents,
            ["next(2a0.5)", "completed"])
        let mixed: Single<String> = Single.zip(.just(1), .just("b"), .just([true])) { "\($0)\($1)\($2)" }
        XCTAssertEqual(mixed.synchronousEvents, ["next(1b[true])", "completed"])
    }

    #if TRACE_RESOURCES
        func testAnyNumber_afterEveryEnd_leavesNothing() {
            func run() {
                testCombineLatest_ofAnyNumber_combinesTheLatestAndCompletesWithTheLast()
                testZip_ofAnyNumber_pairsInOrderAndCompletesWithTheLast()
                testZip_ofAnyNumberOfTraits_givesOneResultOnceAllHaveTheirValue()
                testAnyNumber_whenOneFails_failsAndEndsTheOthers()
                testAnyNumber_disposed_endsEverySource()
            }
            // Runs once before the count, because schedulers are counted when they are first used.
            run()
            let before = Resources.total
            run()
            assertResourcesBack(to: before)
        }
    #endif
}

// MARK: Checks of each form

private func infallible(_ source: Observable<Int>) -> Infallible<Int> { source.asInfallible(onErrorJustReturn: -1) }

private func driver(_ source: Observable<Int>) -> Driver<Int> { source.asDriver(onErrorJustReturn: -1) }

/// Assembles and subscribes to the form of two sources, of three, and so on. Releases each form after `body`.
private func forEachForm<Source, Result: ObservableConvertibleType>(
    _ forms: [([Source]) -> Result], _ source: (Observable<Int>) -> Source,
    _ body: ([PublishSubject<Int>], Notes, Int) -> Void
) {
    for (index, assemble) in forms.enumerated() {
        // Selectors come first, then tuples, if both exist.
        let arity = index % 7 + 2
        let subjects = (0..<arity).map { _ in PublishSubject<Int>() }
        let notes = Notes()
        let subscription = assemble(subjects.map { source($0.asObservable()) }).record(in: notes)
        body(subjects, notes, arity)
        withExtendedLifetime(subscription) {}
    }
}

private func checkLatest<Source, Result: ObservableConvertibleType>(
    _ forms: [([Source]) -> Result], _ source: (Observable<Int>) -> Source
) {
    XCTAssertEqual(forms.count, 7)
    forEachForm(forms, source) { subjects, notes, arity in
        for (value, subject) in subjects.enumerated() { subject.onNext(value) }
        var row = Array(0..<arity)
        var expected = ["next(\(row))"]
        for place in row.indices {
            row[place] = 10 + place
            subjects[place].onNext(10 + place)
            expected.append("next(\(row))")
        }
        subjects.dropFirst().forEach { $0.onCompleted() }
        XCTAssertEqual(notes.lines, expected, "\(arity) sources")
        subjects[0].onCompleted()
        XCTAssertEqual(notes.lines, expected + ["completed"], "\(arity) sources")
    }
}

private func checkZip<Source, Result: ObservableConvertibleType>(
    _ forms: [([Source]) -> Result], _ source: (Observable<Int>) -> Source
) {
    XCTAssertEqual(forms.count, 7)
    forEachForm(forms, source) { subjects, notes, arity in
        // The first source is three elements ahead of the last one.
        for round in 0..<3 {
            for place in 0..<arity - 1 { subjects[place].onNext(round * 10 + place) }
        }
        XCTAssertEqual(notes.lines, [], "\(arity) sources")
        for round in 0..<2 { subjects[arity - 1].onNext(round * 10 + arity - 1) }
        let expected = ["next(\(Array(0..<arity)))", "next(\((0..<arity).map { $0 + 10 }))"]
        XCTAssertEqual(notes.lines, expected, "\(arity) sources")
        subjects.dropFirst().forEach { $0.onCompleted() }
        XCTAssertEqual(notes.lines, expected, "\(arity) sources")
        subjects[0].onCompleted()
        XCTAssertEqual(notes.lines, expected + ["completed"], "\(arity) sources")
    }
}

private func checkOneResult<Source, Result: ObservableConvertibleType>(
    _ forms: [([Source]) -> Result], _ source: (Observable<Int>) -> Source
) {
    XCTAssertEqual(forms.count, 7)
    forEachForm(forms, source) { subjects, notes, arity in
        for (value, subject) in subjects.enumerated() {
            XCTAssertEqual(notes.lines, [], "\(arity) sources")
            subject.onNext(value)
            subject.onCompleted()
        }
        XCTAssertEqual(notes.lines, ["next(\(Array(0..<arity)))", "completed"], "\(arity) sources")
    }
}

private func checkError<Source, Result: ObservableConvertibleType>(
    _ forms: [([Source]) -> Result], _ source: (Observable<Int>) -> Source
) {
    forEachForm(forms, source) { subjects, notes, arity in
        subjects[0].onNext(1)
        subjects[arity - 1].onError(Planted.fault)
        XCTAssertEqual(notes.lines, ["error(fault)"], "\(arity) sources")
        XCTAssertFalse(subjects.contains { $0.hasObservers }, "\(arity) sources")
    }
}

private func checkDispose<Source, Result: ObservableConvertibleType>(
    _ forms: [([Source]) -> Result], _ source: (Observable<Int>) -> Source
) {
    for assemble in forms {
        let subjects = (0..<8).map { _ in PublishSubject<Int>() }
        let notes = Notes()
        let subscription = assemble(subjects.map { source($0.asObservable()) }).record(in: notes)
        subjects[0].onNext(1)
        XCTAssertTrue(subjects[1].hasObservers)
        subscription.dispose()
        XCTAssertFalse(subjects.contains { $0.hasObservers })
        XCTAssertEqual(notes.lines, [])
    }
}

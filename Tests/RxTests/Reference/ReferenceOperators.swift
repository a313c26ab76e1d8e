import Rx

/// The operators whose order of events, disposal and release the reference specifies.
struct ReferenceOperator {
    let name: String
    let apply: (Observable<Int>) -> Observable<Int>

    init(_ name: String, _ apply: @escaping (Observable<Int>) -> Observable<Int>) {
        self.name = name
        self.apply = apply
    }

    private final class Owner {}

    static var all: [ReferenceOperator] { linear + joining + sharing + recovering + single }

    private static var linear: [ReferenceOperator] {
        let owner = Owner()
        return [
            .init("none") { $0 },
            .init("map") { $0.map { $0 } },
            .init("filter") { $0.filter { _ in true } },
            .init("scan") { $0.scan(0) { $0 + $1 } },
            .init("compactMap") { $0.compactMap { $0 } },
            .init("do next") { $0.do(onNext: { _ in }) },
            .init("do dispose") { $0.do(onDispose: {}) },
            .init("do subscribe") { $0.do(onSubscribe: {}) },
            .init("take1") { $0.take(1) },
            .init("take2") { $0.take(2) },
            .init("skip") { $0.skip(1) },
            .init("takeLast") { $0.takeLast(1) },
            .init("takeWhile") { $0.take(while: { $0 < 5 }) },
            .init("takeWhileF") { $0.take(while: { $0 < 1 }) },
            .init("takeUntil pred") { $0.take(until: { $0 == 2 }) },
            .init("startWith") { $0.startWith(0) },
            .init("distinct") { $0.distinctUntilChanged() },
            .init("enumerated") { $0.enumerated().map { $1 } },
            .init("withUnretained") { $0.withUnretained(owner).map { $1 } },
            .init("asObservable") { $0.asObservable() },
            .init("infallible") { $0.asInfallible(onErrorJustReturn: 1).asObservable() },
            .init("observeOn") { $0.observe(on: CurrentThreadScheduler.instance) },
            .init("subscribeOn") { $0.subscribe(on: CurrentThreadScheduler.instance) },
            .init("materialize") { $0.materialize().map { $0.element ?? -1 } },
            .init("dematerialize") { $0.materialize().dematerialize() },
            .init("using") { source in Observable.using({ BooleanDisposable() }) { _ in source } },
            .init("deferred") { source in Observable.deferred { source } },
        ]
    }

    private static var joining: [ReferenceOperator] {
        let never = Observable<Int>.never()
        return [
            .init("concat1") { Observable.concat([$0]) },
            .init("concat2nd") { Observable.concat([.empty(), $0]) },
            .init("concat then") { $0.concat(Observable.just(9)) },
            .init("concatMap") { Observable.just($0).concatMap { $0 } },
            .init("concatMap outer") { $0.concatMap { Observable.just($0) } },
            .init("merge of") { Observable.merge($0) },
            .init("merge never? of 2") { Observable.merge($0, .empty()) },
            .init("merge outer") { $0.map { Observable.just($0) }.merge() },
            .init("merge inner") { Observable.just($0).merge() },
            .init("mergeMax") { Observable.just($0).merge(maxConcurrent: 1) },
            .init("flatMap outer") { $0.flatMap { Observable.just($0) } },
            .init("flatMapLatest") { $0.flatMapLatest { Observable.just($0) } },
            .init("flatMapFirst") { $0.flatMapFirst { Observable.just($0) } },
            .init("switch inner") { Observable.just($0).switchLatest() },
            .init("zip") { Observable.zip($0, Observable.of(1, 2, 3)) { a, _ in a } },
            .init("zip2") { Observable.zip(Observable.of(1, 2, 3), $0) { a, _ in a } },
            .init("zip coll") { Observable.zip([$0, $0.map { $0 }]) { $0[0] } },
            .init("combineLatest") { Observable.combineLatest($0, Observable.of(1)) { a, _ in a } },
            .init("combineLatest2") { Observable.combineLatest(Observable.of(1), $0) { a, _ in a } },
            .init("combineLatest coll") { Observable.combineLatest([$0]) { $0[0] } },
            .init("withLatestFrom") { $0.withLatestFrom(Observable.of(1)) { a, _ in a } },
            .init("withLatestFrom 2nd") { Observable.of(1).withLatestFrom($0) { _, a in a } },
            .init("amb") { Observable.amb([$0, never]) },
            .init("takeUntil") { $0.take(until: never) },
            .init("skipUntil") { $0.skip(until: Observable.just(1)) },
            .init("skipUntil never") { $0.skip(until: never) },
            .init("sample") { $0.sample(Observable.just(1)) },
        ]
    }

    private static var sharing: [ReferenceOperator] {
        [
            .init("share") { $0.share() },
            .init("share replay") { $0.share(replay: 1) },
            .init("share forever") { $0.share(replay: 1, scope: .forever) },
            .init("publish refCount") { $0.publish().refCount() },
            .init("multicast sel") { $0.multicast({ PublishSubject<Int>() }, selector: { $0 }) },
            .init("groupBy") { $0.groupBy { $0 }.flatMap { $0 } },
        ]
    }

    private static var recovering: [ReferenceOperator] {
        [
            .init("catch") { $0.catch { .error($0) } },
            .init("catch return") { $0.catchAndReturn(7) },
            .init("catch seq") { Observable.catch(sequence: [$0]) },
            .init("retry2") { $0.retry(2) },
            .init("retryWhen") { source in
                source.retry(when: { (errors: Observable<any Error>) in errors.flatMap { Observable<Int>.error($0) } })
            },
        ]
    }

    private static var single: [ReferenceOperator] {
        [
            .init("toArray") { $0.toArray().asObservable().map { $0.count } },
            .init("reduce") { $0.reduce(0, accumulator: +) },
            .init("asSingle") { $0.take(1).asSingle().asObservable() },
            .init("asMaybe") { $0.take(1).asMaybe().asObservable() },
            .init("asSingle err") { $0.asSingle().asObservable() },
            .init("first") { $0.first().asObservable().map { $0 ?? -1 } },
            .init("single") { $0.single() },
            .init("single pred") { $0.single { $0 == 1 } },
            .init("elementAt") { $0.element(at: 1) },
            .init("elementAt beyond") { $0.element(at: 5) },
            .init("ignore") { $0.ignoreElements().map { _ -> Int in } },
            .init("asCompletable") { $0.ignoreElements().asCompletable().asObservable().map { _ -> Int in } },
            .init("ifEmpty") { $0.ifEmpty(default: 1) },
            .init("ifEmpty switch") { $0.ifEmpty(switchTo: .just(1)) },
            .init("ifEmpty switch used") { $0.filter { _ in false }.ifEmpty(switchTo: .just(1)) },
        ]
    }
}

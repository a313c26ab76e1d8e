import Foundation
import Rx
import RxBlocking
import XCTest

private final class Player: ReactiveCompatible {
    var volume = 0
    var name: String? = nil
}

extension Reactive where Base: Player {
    fileprivate var doubled: Int { base.volume * 2 }
    fileprivate static var count: Int { 3 }
}

/// Calls every public name of the core types in the form that users write.
final class CoreFormsTests: XCTestCase {
    /// A user-defined sequence: it has `asObservable()` by default.
    private struct Pair: ObservableType {
        typealias Element = Int

        func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable where Observer.Element == Int {
            observer.onNext(1)
            observer.onNext(2)
            observer.onCompleted()
            return Disposables.create()
        }
    }

    /// A user-defined observer.
    private final class Keeper: ObserverType {
        var events: [Event<Int>] = []
        func on(_ event: Event<Int>) { events.append(event) }
    }

    func testObservableTypes() throws {
        let pair = Pair()
        XCTAssertEqual(try pair.toBlocking().toArray(), [1, 2])
        let convertible: any ObservableConvertibleType<Int> = pair
        XCTAssertEqual(convertible.asObservable().synchronousEvents.count, 3)
        let renamed: RxObservable<Int> = Observable.just(1)
        XCTAssertEqual(try renamed.asObservable().toBlocking().toArray(), [1])
        func generic<Source: ObservableType>(_ source: Source) -> Observable<Source.Element> { source.map { $0 } }
        XCTAssertEqual(try generic(pair).toBlocking().toArray(), [1, 2])
    }

    func testObservers() {
        let keeper = Keeper()
        let observer: AnyObserver<Int> = keeper.asObserver()
        observer.onNext(1)
        observer.asObserver().on(.next(2))
        observer.mapObserver { (text: String) in text.count }.onNext("abc")
        observer.mapObserver { (_: String) throws -> Int in throw Planted.fault }.onNext("")
        AnyObserver<Int>(keeper).onCompleted()
        let handler: AnyObserver<Int>.EventHandler = { keeper.on($0) }
        AnyObserver(eventHandler: handler).onError(Planted.other)
        XCTAssertEqual(
            keeper.events.map(\.debugDescription),
            ["next(1)", "next(2)", "next(3)", "error(fault)", "completed", "error(other)"])
        let subject = PublishSubject<Int>()
        let subscription = Observable.of(1, 2).subscribe(subject)
        subscription.dispose()
    }

    func testEvents() {
        XCTAssertEqual(Event.next(1).element, 1)
        XCTAssertNil(Event.next(1).error)
        XCTAssertFalse(Event.next(1).isStopEvent)
        XCTAssertTrue(Event<Int>.completed.isStopEvent)
        XCTAssertTrue(Event<Int>.completed.isCompleted)
        XCTAssertTrue(Event<Int>.error(Planted.fault).error is Planted)
        XCTAssertEqual(Event.next(1).map { $0 + 1 }.debugDescription, "next(2)")
        XCTAssertEqual(Event.next(1).map { _ -> Int in throw Planted.fault }.debugDescription, "error(fault)")
        XCTAssertEqual(Event<Int>.completed.debugDescription, "completed")
        func unwrap<Source: EventConvertible>(_ source: Source) -> Event<Source.Element> { source.event }
        XCTAssertEqual(unwrap(Event.next(1)).element, 1)
        _ = Observable.of(1).subscribe { event in
            switch event {
            case .next(let element): XCTAssertEqual(element, 1)
            case .error(let error): XCTFail("\(error)")
            case .completed: break
            }
        }
    }

    func testErrors() {
        let object = Player()
        let errors: [RxError] = [
            .unknown, .disposed(object: object), .overflow, .argumentOutOfRange, .noElements, .moreThanOneElement,
            .timeout,
        ]
        XCTAssertEqual(Set(errors.map(\.debugDescription)).count, 7)
    }

    func testDisposables() {
        let flag = BooleanDisposable()
        let cancelable: any Cancelable = flag
        let disposable: any Disposable = cancelable
        disposable.dispose()
        XCTAssertTrue(cancelable.isDisposed)
    }

    func testSubscribing_inEveryForm() {
        let source = Observable.of(1, 2)
        let notes = Notes()
        let bag = DisposeBag()
        source.subscribe { event in notes.add("\(event)") }.disposed(by: bag)
        source.subscribe(
            onNext: { notes.add("a\($0)") }, onError: { _ in }, onCompleted: { notes.add("a completed") },
            onDisposed: { notes.add("a disposed") }
        )
        .disposed(by: bag)
        source.subscribe(onNext: { notes.add("b\($0)") }).disposed(by: bag)
        source.subscribe(onCompleted: { notes.add("c completed") }).disposed(by: bag)
        source.subscribe(onDisposed: { notes.add("d disposed") }).disposed(by: bag)
        source.subscribe().disposed(by: bag)
        Observable<Int>.error(Planted.fault).subscribe(onError: { notes.add("e \($0)") }).disposed(by: bag)
        XCTAssertEqual(
            notes.lines,
            [
                "next(1)", "next(2)", "completed", "a1", "a2", "a completed", "a disposed", "b1", "b2", "c completed",
                "d disposed", "e fault",
            ])
    }

    func testSubscribing_withAnObject() {
        let player = Player()
        let bag = DisposeBag()
        Observable.of(1, 2).subscribe(
            with: player, onNext: { player, value in player.volume += value }, onError: { _, _ in },
            onCompleted: { player in player.name = "done" }, onDisposed: { player in player.name! += "." }
        ).disposed(by: bag)
        Observable.of(4).subscribe(with: player, onNext: { player, value in player.volume += value }).disposed(by: bag)
        Observable.of(4).subscribe(with: player) { player, value in player.volume += value }.disposed(by: bag)
        XCTAssertEqual(player.volume, 11)
        XCTAssertEqual(player.name, "done.")
    }

    func testReactive() {
        let player = Player()
        let volume: Binder<Int> = player.rx.volume
        volume.onNext(7)
        XCTAssertEqual(player.volume, 7)
        XCTAssertTrue(player.rx.base === player)
        XCTAssertEqual(player.rx.doubled, 14)
        XCTAssertEqual(Player.rx.count, 3)
        XCTAssertTrue(Reactive(player).base === player)
        let name: Binder<String?> = player.rx.name
        name.onNext("x")
        XCTAssertEqual(player.name, "x")
    }

    func testBinder() {
        let player = Player()
        let here = Binder<Int>(player, scheduler: CurrentThreadScheduler.instance) { player, value in
            player.volume = value
        }
        here.on(.next(3))
        here.onCompleted()
        XCTAssertEqual(player.volume, 3)
        let onMain = Binder(player) { (player, value: Int) in player.volume = value }
        onMain.onNext(4)
        XCTAssertEqual(player.volume, 4)
        _ = Observable.of(5, 6).subscribe(here)
        XCTAssertEqual(player.volume, 6)
    }

    func testIntegers() throws {
        func numbers<Number: RxAbstractInteger>(_ type: Number.Type) -> Observable<Number> {
            .range(start: 1, count: 2)
        }
        XCTAssertEqual(try numbers(UInt8.self).toBlocking().toArray(), [1, 2])
    }
}

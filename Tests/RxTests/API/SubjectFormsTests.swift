import Rx
import XCTest

/// Calls every public name of subjects in the form that users write.
final class SubjectFormsTests: XCTestCase {
    private func send<Subject: SubjectType>(_ subject: Subject, _ values: [Int]) -> [String]
    where Subject.Observer.Element == Int {
        let notes = Notes()
        let subscription = subject.asObservable().subscribe { notes.add("\($0)") }
        let observer = subject.asObserver()
        values.forEach { observer.onNext($0) }
        observer.onCompleted()
        subscription.dispose()
        return notes.lines
    }

    func testPublishSubject() {
        let subject = PublishSubject<Int>()
        XCTAssertFalse(subject.hasObservers)
        XCTAssertEqual(send(subject, [1, 2]), ["next(1)", "next(2)", "completed"])
        XCTAssertFalse(subject.isDisposed)
        subject.dispose()
        XCTAssertTrue((subject as any Cancelable).isDisposed)
        let observer: PublishSubject<Int>.SubjectObserverType = subject.asObserver()
        observer.on(.next(1))
    }

    func testBehaviorSubject() throws {
        let subject = BehaviorSubject(value: 0)
        XCTAssertEqual(try subject.value(), 0)
        XCTAssertEqual(send(subject, [1]), ["next(0)", "next(1)", "completed"])
        XCTAssertFalse(subject.hasObservers)
        let observer: BehaviorSubject<Int>.SubjectObserverType = subject.asObserver()
        observer.onNext(1)
        subject.dispose()
        XCTAssertTrue(subject.isDisposed)
        XCTAssertThrowsError(try subject.value())
    }

    func testReplaySubject() {
        let subject = ReplaySubject<Int>.create(bufferSize: 1)
        subject.onNext(8)
        subject.onNext(9)
        XCTAssertEqual(send(subject, [1]), ["next(9)", "next(1)", "completed"])
        XCTAssertFalse(subject.hasObservers)
        (subject as any Disposable).dispose()
        let unbounded: ReplaySubject<Int> = .createUnbounded()
        unbounded.onNext(8)
        XCTAssertEqual(send(unbounded, [1]), ["next(8)", "next(1)", "completed"])
        let observer: ReplaySubject<Int>.SubjectObserverType = unbounded.asObserver()
        observer.onNext(1)
    }

    func testAsyncSubject() {
        let subject = AsyncSubject<Int>()
        XCTAssertFalse(subject.hasObservers)
        XCTAssertEqual(send(subject, [1, 2]), ["next(2)", "completed"])
        let observer: AsyncSubject<Int>.SubjectObserverType = subject.asObserver()
        observer.onNext(1)
    }
}

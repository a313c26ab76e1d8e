import Rx
import RxBlocking
import XCTest

/// Calls every public name of connectable and shared sequences in the form that users write.
final class SharingFormsTests: XCTestCase {
    private let source = Observable.of(1, 2, 3)

    private func all<Source: ObservableConvertibleType>(_ source: Source) throws -> [Source.Element] {
        try source.toBlocking().toArray()
    }

    func testConnecting() {
        let notes = Notes()
        let bag = DisposeBag()
        let connectables: [ConnectableObservable<Int>] = [
            source.publish(), source.replay(1), source.replayAll(), source.multicast(PublishSubject()),
            source.multicast { ReplaySubject.create(bufferSize: 1) },
            source.multicast(makeSubject: { PublishSubject() }),
        ]
        for connectable in connectables {
            connectable.subscribe(onNext: { notes.add("\($0)") }).disposed(by: bag)
            let connection: any Disposable = connectable.connect()
            connection.disposed(by: bag)
        }
        XCTAssertEqual(notes.lines, Array(repeating: ["1", "2", "3"], count: 6).flatMap { $0 })
        func connect<Source: ConnectableObservableType>(_ source: Source) -> any Disposable { source.connect() }
        connect(source.publish()).dispose()
    }

    func testCounting() throws {
        XCTAssertEqual(try all(source.publish().refCount()), [1, 2, 3])
        XCTAssertEqual(try all(source.replay(1).refCount()), [1, 2, 3])
        XCTAssertEqual(try all(source.multicast(makeSubject: { PublishSubject() }).refCount()), [1, 2, 3])
    }

    func testSelecting() throws {
        XCTAssertEqual(
            try all(
                source.multicast(
                    { PublishSubject() }, selector: { shared in Observable.zip(shared, shared.skip(1)) { $0 + $1 } })),
            [3, 5])
        XCTAssertEqual(
            try all(source.multicast({ ReplaySubject.createUnbounded() }) { shared in shared.map { "\($0)" } }),
            ["1", "2", "3"])
    }

    func testSharing() throws {
        XCTAssertEqual(try all(source.share()), [1, 2, 3])
        XCTAssertEqual(try all(source.share(replay: 1)), [1, 2, 3])
        XCTAssertEqual(try all(source.share(replay: 2, scope: .whileConnected)), [1, 2, 3])
        XCTAssertEqual(try all(source.share(replay: 1, scope: .forever)), [1, 2, 3])
        XCTAssertEqual(try all(source.share(scope: .forever)), [1, 2, 3])
        let scopes: [SubjectLifetimeScope] = [.whileConnected, .forever]
        XCTAssertEqual(scopes.count, 2)
    }
}

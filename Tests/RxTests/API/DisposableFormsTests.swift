import Rx
import XCTest

/// Calls every public name of disposables in the form that users write.
final class DisposableFormsTests: XCTestCase {
    private final class Custom: DisposeBase, Disposable, @unchecked Sendable {
        // @unchecked: it has no state.
        func dispose() {}
    }

    private var flags: [BooleanDisposable] = []

    private func flag() -> BooleanDisposable {
        flags.append(BooleanDisposable())
        return flags[flags.count - 1]
    }

    private func assertAllDisposed(_ count: Int, file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertEqual(flags.map(\.isDisposed), Array(repeating: true, count: count), file: file, line: line)
        flags = []
    }

    func testDisposables() {
        var calls = 0
        let one: any Cancelable = Disposables.create { calls += 1 }
        Disposables.create(with: { calls += 1 }).dispose()
        one.dispose()
        XCTAssertEqual(calls, 2)
        XCTAssertTrue(one.isDisposed)
        Disposables.create().dispose()
        Disposables.create(flag(), flag()).dispose()
        Disposables.create(flag(), flag(), flag()).dispose()
        Disposables.create(flag(), flag(), flag(), flag(), flag()).dispose()
        Disposables.create([flag(), flag()]).dispose()
        assertAllDisposed(12)
    }

    func testDisposeBag() {
        var bag: DisposeBag? = DisposeBag()
        flag().disposed(by: bag!)
        bag!.insert(flag())
        bag!.insert(flag(), flag())
        bag!.insert([flag(), flag()])
        bag!.insert {
            flag()
            flag()
        }
        bag = nil
        _ = DisposeBag(disposing: flag(), flag())
        _ = DisposeBag(disposing: [flag()])
        _ = DisposeBag {
            flag()
            if true { flag() }
        }
        assertAllDisposed(13)
        withExtendedLifetime(bag) {}
    }

    func testCompositeDisposable() throws {
        let group = CompositeDisposable()
        let first = flag()
        let key: CompositeDisposable.DisposeKey = try XCTUnwrap(group.insert(first))
        _ = group.insert(flag())
        XCTAssertEqual(group.count, 2)
        group.remove(for: key)
        XCTAssertTrue(first.isDisposed)
        XCTAssertFalse(group.isDisposed)
        group.dispose()
        XCTAssertNil(group.insert(flag()))
        CompositeDisposable(flag(), flag()).dispose()
        CompositeDisposable(flag(), flag(), flag()).dispose()
        CompositeDisposable(flag(), flag(), flag(), flag(), flag()).dispose()
        CompositeDisposable(disposables: [flag()]).dispose()
        assertAllDisposed(14)
    }

    func testSingleOnes() {
        XCTAssertFalse(BooleanDisposable().isDisposed)
        XCTAssertTrue(BooleanDisposable(isDisposed: true).isDisposed)
        let serial = SerialDisposable()
        serial.disposable = flag()
        serial.disposable = flag()
        XCTAssertTrue(flags[0].isDisposed)
        XCTAssertTrue(serial.disposable is BooleanDisposable)
        serial.dispose()
        XCTAssertTrue(serial.isDisposed)
        serial.disposable.dispose()
        let single = SingleAssignmentDisposable()
        single.setDisposable(flag())
        single.dispose()
        XCTAssertTrue(single.isDisposed)
        let counted = RefCountDisposable(disposable: flag())
        let use = counted.retain()
        counted.dispose()
        XCTAssertFalse(counted.isDisposed)
        use.dispose()
        XCTAssertTrue(counted.isDisposed)
        let moved = ScheduledDisposable(scheduler: CurrentThreadScheduler.instance, disposable: flag())
        moved.dispose()
        XCTAssertTrue(moved.isDisposed)
        assertAllDisposed(5)
        let bases: [DisposeBase] = [Custom(), DisposeBag(), SerialDisposable(), counted]
        XCTAssertEqual(bases.map { $0 is any Disposable }, [true, false, true, true])
    }
}

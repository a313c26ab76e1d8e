import Testing

@testable import Rx
@testable import HeapTrace

@Suite struct HeapRoleTests {
    @Test func property_ofAMemory_isThatOfTheClass() throws {
        let subject = ReplaySubject<Int>.create(bufferSize: 2)
        let observers = try #require(properties(of: subject).map(\.value).first { $0 is any MemoryRole })
        #expect(HeapRole(of: type(of: observers)) == .memory)
        let names = properties(of: observers as AnyObject).map(\.label)
        #expect(names.contains(try #require(HeapRole.memory.property)))
    }

    @Test func property_ofAGroupTable_isThatOfTheClass() throws {
        let grouping = Grouping<Int, Int>(next: { _, _ in }, down: TokenSink(token: { _, _ in }))
        #expect(HeapRole(of: type(of: grouping)) == .groupTable)
        #expect(properties(of: grouping).map(\.label).contains(try #require(HeapRole.groupTable.property)))
    }

    @Test func role_isInherited() {
        #expect(HeapRole(of: RestartableTimedItem.self) == .timer)
        #expect(HeapRole(of: MainScheduler.self) == .scheduler)
        #expect(HeapRole(of: HistoricalScheduler.self) == .scheduler)
    }

    @Test func implementationDetails_haveNone() {
        #expect(HeapRole(of: TokenSink.self) == nil)
        #expect(HeapRole(of: Int.self) == nil)
    }

    @Test func publicDisposables_haveTheirNamesWithoutAModule() {
        for name in ["BooleanDisposable", "CompositeDisposable", "DisposeBag", "SingleAssignmentDisposable"] {
            #expect(HeapRole.isPublicDisposable(name), "\(name)")
        }
        for name in ["SubjectSubscription", "PublishSubject<Int>", "TokenSink", "", "Missing"] {
            #expect(!HeapRole.isPublicDisposable(name), "\(name)")
        }
    }

    private func properties(of object: AnyObject) -> [(label: String, value: Any)] {
        sequence(first: Mirror(reflecting: object)) { $0.superclassMirror }.flatMap { mirror in
            mirror.children.map { ($0.label ?? "", $0.value) }
        }
    }
}

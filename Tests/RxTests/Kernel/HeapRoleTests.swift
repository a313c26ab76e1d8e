import Testing

@testable import Rx

/// `RxTrace` finds elements and groups by the names of these properties.
@Suite struct HeapRoleTests {
    @Test func property_ofAMemory_isThatOfTheClass() throws {
        let subject = ReplaySubject<Int>.create(bufferSize: 2)
        let observers = try #require(bearer(of: .memory, in: subject))
        #expect(properties(of: observers).contains(try #require(HeapRole.memory.property)))
    }

    @Test func property_ofAGroupTable_isThatOfTheClass() throws {
        let grouping = Grouping<Int, Int>(next: { _, _ in }, down: TokenSink(token: { _, _ in }))
        #expect(properties(of: grouping).contains(try #require(HeapRole.groupTable.property)))
    }

    @Test func role_isInherited() {
        #expect(RestartableTimedItem.heapRole == .timer)
        #expect(MainScheduler.heapRole == .scheduler)
        #expect(HistoricalScheduler.heapRole == .scheduler)
    }

    @Test func publicDisposables_haveTheirNamesWithoutAModule() {
        #expect(HeapRole.publicDisposables.contains("DisposeBag"))
    }

    private func properties(of object: AnyObject) -> [String] {
        sequence(first: Mirror(reflecting: object)) { $0.superclassMirror }.flatMap { $0.children.compactMap(\.label) }
    }

    /// The first value of a stored property that has a role.
    private func bearer(of role: HeapRole, in object: AnyObject) -> AnyObject? {
        sequence(first: Mirror(reflecting: object)) { $0.superclassMirror }.lazy.flatMap(\.children)
            .compactMap { $0.value as? any HeapRoleBearer }.first { type(of: $0).heapRole == role }
    }
}

import Foundation

extension PublishedLeak {
    /// A common report about stores with scopes: the parent caches a child store for each identifier and never removes
    /// the children of rows that have gone. The published mend removes the child when its row disappears.
    static let scopedStore = PublishedLeak(
        name: "scoped-store",
        expected: Expectation(
            "Store<RowState>", heldBy: "Store<ListState>.children", change: "Store<ListState>.children"),
        innocents: { count in (0..<count).map { Store(RowState(title: "row \($0)")) } },
        leaky: .synchronous {
            let row = ListScreen.shared.store.scope(id: UUID(), RowState(title: "new"))
            row.send { $0.isDone = true }
        },
        fixed: .synchronous {
            let id = UUID()
            let row = ListScreen.shared.store.scope(id: id, RowState(title: "new"))
            row.send { $0.isDone = true }
            ListScreen.shared.store.removeScope(id: id)
        })
}

private struct ListState {
    var changes = 0
}

private struct RowState {
    var title: String
    var isDone = false
}

private final class Store<State> {
    private(set) var state: State
    private var didChange: () -> Void = {}
    private var children: [UUID: AnyObject] = [:]

    init(_ state: State) { self.state = state }

    func scope<Child>(id: UUID, _ state: Child) -> Store<Child> where State == ListState {
        if let child = children[id] as? Store<Child> { return child }
        let child = Store<Child>(state)
        child.didChange = { [unowned self] in self.state.changes += 1 }
        children[id] = child
        return child
    }

    func removeScope(id: UUID) { children[id] = nil }

    func send(_ change: (inout State) -> Void) {
        change(&state)
        didChange()
    }
}

private final class ListScreen {
    static let shared = ListScreen()

    let store = Store(ListState())
}

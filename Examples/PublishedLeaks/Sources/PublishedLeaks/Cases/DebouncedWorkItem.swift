import Dispatch

extension PublishedLeak {
    /// A common report about debouncing with `DispatchWorkItem`: the block captures `self`, and `self` keeps the item
    /// after it has run. The published mend is `[weak self]`.
    static let debouncedWorkItem = PublishedLeak(
        name: "debounced-work-item",
        expected: Expectation(
            "DraftEditor", heldBy: "DraftEditor.pendingSave", change: "closure in DraftEditor.textDidChange(_:)"),
        innocents: { count in
            (0..<count).map { _ in
                let editor = DraftEditor()
                editor.textDidChangeWeakly("old")
                return editor
            }
        },
        leaky: .synchronous {
            let editor = DraftEditor()
            editor.textDidChange("Dear")
            editor.textDidChange("Dear Ada")
            editor.waitUntilSaved()
        },
        fixed: .synchronous {
            let editor = DraftEditor()
            editor.textDidChangeWeakly("Dear")
            editor.textDidChangeWeakly("Dear Ada")
            editor.waitUntilSaved()
        })
}

private final class DraftEditor: @unchecked Sendable {
    private var text = ""
    private var saved = ""
    private var pendingSave: DispatchWorkItem?
    private let queue = DispatchQueue(label: "drafts")

    func textDidChange(_ text: String) {
        self.text = text
        pendingSave?.cancel()
        let item = DispatchWorkItem { self.save() }
        pendingSave = item
        queue.async(execute: item)
    }

    func textDidChangeWeakly(_ text: String) {
        self.text = text
        pendingSave?.cancel()
        let item = DispatchWorkItem { [weak self] in self?.save() }
        pendingSave = item
        queue.async(execute: item)
    }

    /// Waits until the queue has run all items.
    func waitUntilSaved() { queue.sync {} }

    private func save() { saved = text }
}

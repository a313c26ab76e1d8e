extension PublishedLeak {
    /// A common report about undo: the steps are cases of an indirect enumeration, each with a closure that captures
    /// the editor, and the editor keeps the enumeration. The published mend is `[weak self]`.
    static let indirectHistory = PublishedLeak(
        name: "indirect-history",
        expected: Expectation(
            "DrawingEditor", heldBy: "DrawingEditor.history", change: "closure in DrawingEditor.draw(_:)"),
        innocents: { count in
            (0..<count).map { _ in
                let editor = DrawingEditor()
                editor.drawWeakly("circle")
                return editor
            }
        },
        leaky: .synchronous {
            let editor = DrawingEditor()
            editor.draw("line")
            editor.drawWeakly("circle")
            editor.drawWeakly("square")
        },
        fixed: .synchronous {
            let editor = DrawingEditor()
            editor.drawWeakly("line")
            editor.drawWeakly("circle")
            editor.drawWeakly("square")
        })
}

private indirect enum UndoHistory {
    case empty
    case step(name: String, undo: () -> Void, earlier: UndoHistory)
}

private final class DrawingEditor {
    private var shapes: [String] = []
    private var history = UndoHistory.empty

    func draw(_ shape: String) {
        shapes.append(shape)
        history = .step(name: "Draw \(shape)", undo: { self.shapes.removeLast() }, earlier: history)
    }

    func drawWeakly(_ shape: String) {
        shapes.append(shape)
        history = .step(
            name: "Draw \(shape)", undo: { [weak self] in _ = self?.shapes.popLast() }, earlier: history)
    }

    func undo() {
        guard case .step(_, let undo, let earlier) = history else { return }
        undo()
        history = earlier
    }
}

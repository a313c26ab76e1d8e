extension PublishedLeak {
    /// A common report about linked lists in Swift: both links of a node are strong. The published mend makes the link
    /// to the previous node weak; here `removeAll()` cuts it.
    static let doublyLinkedList = PublishedLeak(
        name: "doubly-linked-list",
        expected: Expectation(
            "LineNode", heldBy: "LineNode.previous", "LineNode.next", change: "LineNode.previous", "LineNode.next"),
        innocents: { count in (0..<count).map { LineNode("line \($0)") } },
        leaky: .synchronous { TextBuffer().edit() },
        fixed: .synchronous {
            let buffer = TextBuffer()
            buffer.edit()
            buffer.removeAll()
        })
}

private final class LineNode {
    var text: String
    var next: LineNode?
    var previous: LineNode?

    init(_ text: String) { self.text = text }
}

private final class TextBuffer {
    private var first: LineNode?
    private var last: LineNode?

    func append(_ text: String) {
        let node = LineNode(text)
        node.previous = last
        last?.next = node
        last = node
        if first == nil { first = node }
    }

    func edit() { ["import Foundation", "", "print(1)"].forEach(append) }

    func removeAll() {
        var node = first
        while let current = node {
            node = current.next
            current.previous = nil
            current.next = nil
        }
        (first, last) = (nil, nil)
    }
}

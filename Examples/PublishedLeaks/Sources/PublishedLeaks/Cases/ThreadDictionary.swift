import Foundation

extension PublishedLeak {
    /// A common report about `Thread.current.threadDictionary`: a parser of each document is cached there under a key
    /// that never comes again. The published mend removes it when the document closes.
    static let threadDictionary = PublishedLeak(
        name: "thread-dictionary",
        expected: Expectation(
            "DocumentParser", heldBy: "threadDictionary", "Thread",
            change: "threadDictionary", "DocumentStore.parser(for:)"),
        innocents: { count in (0..<count).map { DocumentParser(document: "draft \($0)") } },
        leaky: .synchronous { _ = DocumentStore().parser(for: UUID().uuidString).parse("<a/>") },
        fixed: .synchronous {
            let (store, document) = (DocumentStore(), UUID().uuidString)
            _ = store.parser(for: document).parse("<a/>")
            store.close(document)
        })
}

private final class DocumentParser {
    let document: String
    private var depth = 0

    init(document: String) { self.document = document }

    func parse(_ text: String) -> Int {
        depth += text.filter { $0 == "<" }.count
        return depth
    }
}

private struct DocumentStore {
    func parser(for document: String) -> DocumentParser {
        let parsers = Thread.current.threadDictionary
        if let parser = parsers[document] as? DocumentParser { return parser }
        let parser = DocumentParser(document: document)
        parsers[document] = parser
        return parser
    }

    func close(_ document: String) { Thread.current.threadDictionary.removeObject(forKey: document) }
}

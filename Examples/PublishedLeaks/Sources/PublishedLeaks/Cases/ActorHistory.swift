extension PublishedLeak {
    /// A common report about download managers as actors: finished work stays in the dictionary that prevents double
    /// downloads. The published mend removes the entry when the download has ended.
    static let actorHistory = PublishedLeak(
        name: "actor-history",
        expected: Expectation("Article", heldBy: "ArticleStore.downloads", change: "ArticleStore.downloads"),
        innocents: { count in (0..<count).map { Article(id: -$0, text: "draft") } },
        leaky: .asynchronous { _ = await ArticleStore.shared.article(removing: false) },
        fixed: .asynchronous { _ = await ArticleStore.shared.article(removing: true) })
}

private final class Article: Sendable {
    let id: Int
    let text: String

    init(id: Int, text: String) { (self.id, self.text) = (id, text) }
}

private actor ArticleStore {
    static let shared = ArticleStore()

    private var downloads: [Int: Task<Article, Never>] = [:]
    private var newestID = 0

    func article(removing: Bool) async -> Article {
        newestID += 1
        let id = newestID
        if let download = downloads[id] { return await download.value }
        let download = Task { Article(id: id, text: "Article \(id)") }
        downloads[id] = download
        let article = await download.value
        if removing { downloads[id] = nil }
        return article
    }
}

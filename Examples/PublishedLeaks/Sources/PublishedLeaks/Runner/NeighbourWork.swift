/// Innocent work that each run does next to a case: a cache with a bound, a pool and short-lived objects. No report may
/// name it.
final class NeighbourWork {
    static let shared = NeighbourWork()

    private final class Page {
        let number: Int
        var text = ""

        init(number: Int) { self.number = number }
    }

    private var pages: [Int: Page] = [:]
    private var pool: [Page] = []
    private var turns = 0

    /// Does the work of one run. The cache holds 30 pages at most, the pool four.
    func doOneTurn() {
        turns += 1
        pages[turns] = Page(number: turns)
        pages[turns - 30] = nil
        let page = pool.popLast() ?? Page(number: turns)
        page.text = (0..<8).map { "line \($0) of page \(page.number)" }.joined(separator: "\n")
        if pool.count < 4 { pool.append(page) }
    }
}

import Foundation

extension PublishedLeak {
    /// A common report about `Operation`: the completion block captures the operation whose block it is. The published
    /// mend is `[weak operation]` or `[unowned operation]`.
    static let operationCompletion = PublishedLeak(
        name: "operation-completion",
        expected: Expectation(
            "ResizeOperation", heldBy: "completionBlock", "ResizeOperation",
            change: "closure in ThumbnailService.resize"),
        innocents: { count in (0..<count).map { ResizeOperation(width: $0) } },
        leaky: .synchronous { ThumbnailService.shared.prepare(width: 64, isWeak: false) },
        fixed: .synchronous { ThumbnailService.shared.prepare(width: 64, isWeak: true) })
}

private final class ResizeOperation: Operation, @unchecked Sendable {
    let width: Int
    private(set) var height = 0

    init(width: Int) { self.width = width }

    override func main() { height = width / 2 }
}

private final class ThumbnailService: @unchecked Sendable {
    static let shared = ThumbnailService()

    private var lastHeight = 0

    /// Prepares an operation that the caller never starts, as the row has scrolled away.
    func prepare(width: Int, isWeak: Bool) {
        let operation = isWeak ? resizeWeakly(width: width) : resize(width: width)
        operation.queuePriority = .low
        operation.cancel()
    }

    private func resize(width: Int) -> ResizeOperation {
        let operation = ResizeOperation(width: width)
        operation.completionBlock = { self.lastHeight = operation.height }
        return operation
    }

    private func resizeWeakly(width: Int) -> ResizeOperation {
        let operation = ResizeOperation(width: width)
        operation.completionBlock = { [weak operation] in self.lastHeight = operation?.height ?? 0 }
        return operation
    }
}

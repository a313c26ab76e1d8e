import Foundation

extension PublishedLeak {
    /// A common report about image caches: entries are kept by an identifier that is never asked for twice, without a
    /// bound. The published mend limits the number of entries.
    static let cacheByUUID = PublishedLeak(
        name: "cache-by-uuid",
        expected: Expectation("DecodedImage", heldBy: "ImageLoader.cache", change: "ImageLoader.cache"),
        innocents: { count in (0..<count).map { DecodedImage(width: 8, height: 2 + $0 % 2) } },
        leaky: .synchronous { ImageLoader.unbounded.load(Attachment()) },
        fixed: .synchronous { ImageLoader.bounded.load(Attachment()) })
}

private struct Attachment {
    let id = UUID()
}

private final class DecodedImage {
    let width: Int
    let height: Int
    private let pixels: [UInt8]

    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        pixels = Array(repeating: 0, count: width * height)
    }
}

private final class ImageLoader {
    static let unbounded = ImageLoader(limit: .max)
    static let bounded = ImageLoader(limit: 8)

    private let limit: Int
    private var cache: [UUID: DecodedImage] = [:]
    private var order: [UUID] = []

    init(limit: Int) { self.limit = limit }

    @discardableResult func load(_ attachment: Attachment) -> DecodedImage {
        if let image = cache[attachment.id] { return image }
        let image = DecodedImage(width: 16, height: 16)
        cache[attachment.id] = image
        if limit < .max {
            order.append(attachment.id)
            if order.count > limit { cache[order.removeFirst()] = nil }
        }
        return image
    }
}

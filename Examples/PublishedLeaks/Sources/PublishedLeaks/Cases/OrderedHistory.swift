import OrderedCollections

extension PublishedLeak {
    /// A common report about upload queues: finished uploads stay in an ordered dictionary, since only cancelled ones
    /// are removed. The published mend removes them in both cases.
    static let orderedHistory = PublishedLeak(
        name: "ordered-history",
        expected: Expectation("Upload", heldBy: "UploadQueue.uploads", change: "UploadQueue.uploads"),
        innocents: { count in (0..<count).map { Upload(id: -$0) } },
        leaky: .synchronous { UploadQueue.shared.upload(removesFinished: false) },
        fixed: .synchronous { UploadQueue.shared.upload(removesFinished: true) })
}

private final class Upload {
    let id: Int
    private(set) var progress = 0.0

    init(id: Int) { self.id = id }

    func finish() { progress = 1 }
}

private final class UploadQueue {
    static let shared = UploadQueue()

    private var uploads: OrderedDictionary<Int, Upload> = [:]
    private var lastID = 0

    func upload(removesFinished: Bool) {
        lastID += 1
        let upload = Upload(id: lastID)
        uploads[upload.id] = upload
        upload.finish()
        if removesFinished { uploads.removeValue(forKey: upload.id) }
    }

    func cancel(_ id: Int) { uploads.removeValue(forKey: id) }
}

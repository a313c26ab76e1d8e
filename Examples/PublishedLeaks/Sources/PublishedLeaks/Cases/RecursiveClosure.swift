extension PublishedLeak {
    /// A common report about retries: a local variable holds a closure that calls itself through the variable. The
    /// published mend sets the variable to `nil` when the last attempt has ended.
    static let recursiveClosure = PublishedLeak(
        name: "recursive-closure",
        expected: Expectation(
            "UploadJob", heldBy: "attempt", "closure in RetryingUploader.upload",
            change: "closure in RetryingUploader.upload"),
        innocents: { count in (0..<count).map { UploadJob(name: "draft \($0)") } },
        leaky: .synchronous { RetryingUploader().upload(UploadJob(name: "photo"), clearing: false) },
        fixed: .synchronous { RetryingUploader().upload(UploadJob(name: "photo"), clearing: true) })
}

private final class UploadJob {
    let name: String
    private(set) var attempts = 0

    init(name: String) { self.name = name }

    /// Succeeds at the third attempt.
    func run() -> Bool {
        attempts += 1
        return attempts == 3
    }
}

private final class RetryingUploader {
    private var finished: [String] = []

    func upload(_ job: UploadJob, clearing: Bool) {
        var attempt: (() -> Void)?
        attempt = {
            if job.run() { self.finished.append(job.name) } else { attempt?() }
        }
        attempt?()
        if clearing { attempt = nil }
    }
}

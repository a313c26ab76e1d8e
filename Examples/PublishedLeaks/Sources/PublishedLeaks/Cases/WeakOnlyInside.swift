extension PublishedLeak {
    /// A common report about nested closures: `[weak self]` of the inner closure makes the outer closure capture `self`
    /// strongly. The published mend moves the capture list to the outer closure.
    static let weakOnlyInside = PublishedLeak(
        name: "weak-only-inside",
        expected: Expectation(
            "ProfileEditor", heldBy: "ImageUploader.onReady", "ProfileEditor.uploader",
            change: "closure in ProfileEditor.prepare()"),
        innocents: { count in
            (0..<count).map { _ in
                let editor = ProfileEditor()
                editor.prepareWeakly()
                return editor
            }
        },
        leaky: .synchronous {
            let editor = ProfileEditor()
            editor.prepare()
            editor.save()
        },
        fixed: .synchronous {
            let editor = ProfileEditor()
            editor.prepareWeakly()
            editor.save()
        })
}

private final class ImageUploader {
    var onReady: ((ImageUploader) -> Void)?

    func connect() { onReady?(self) }

    func upload(_ bytes: [UInt8], completion: (Int) -> Void) { completion(bytes.count) }
}

private final class ProfileEditor {
    private let uploader = ImageUploader()
    private var uploadedBytes = 0

    func prepare() {
        uploader.onReady = { uploader in
            uploader.upload([1, 2, 3]) { [weak self] count in self?.uploadedBytes = count }
        }
    }

    func prepareWeakly() {
        uploader.onReady = { [weak self] uploader in
            uploader.upload([1, 2, 3]) { count in self?.uploadedBytes = count }
        }
    }

    func save() { uploader.connect() }
}

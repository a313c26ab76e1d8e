extension PublishedLeak {
    /// A common report about C libraries with a context pointer: `Unmanaged.passRetained` is not balanced by a release.
    /// The published mend takes the retained value in the completion callback.
    static let unbalancedRetain = PublishedLeak(
        name: "unbalanced-retain",
        expected: Expectation(
            "TransferContext", heldBy: "retain", "Unmanaged", "TransferContext",
            change: "FileTransfer.start(releasing:)", "Unmanaged.passRetained"),
        innocents: { count in (0..<count).map { TransferContext(file: "backup \($0)") } },
        leaky: .synchronous { FileTransfer().start(releasing: false) },
        fixed: .synchronous { FileTransfer().start(releasing: true) })
}

private final class TransferContext {
    let file: String
    private(set) var bytes = 0

    init(file: String) { self.file = file }

    func add(_ count: Int) { bytes += count }
}

/// The part of a C library that calls back with a pointer.
private struct CTransfer {
    let context: UnsafeMutableRawPointer
    let progress: @convention(c) (UnsafeMutableRawPointer, Int) -> Void
    let completion: @convention(c) (UnsafeMutableRawPointer) -> Void

    func perform() {
        (1...3).forEach { progress(context, $0) }
        completion(context)
    }
}

private struct FileTransfer {
    func start(releasing: Bool) {
        let context = Unmanaged.passRetained(TransferContext(file: "photo.jpg")).toOpaque()
        let progress: @convention(c) (UnsafeMutableRawPointer, Int) -> Void = { pointer, count in
            Unmanaged<TransferContext>.fromOpaque(pointer).takeUnretainedValue().add(count)
        }
        let transfer =
            if releasing {
                CTransfer(context: context, progress: progress) { pointer in
                    _ = Unmanaged<TransferContext>.fromOpaque(pointer).takeRetainedValue()
                }
            } else {
                CTransfer(context: context, progress: progress) { pointer in
                    _ = Unmanaged<TransferContext>.fromOpaque(pointer).takeUnretainedValue()
                }
            }
        transfer.perform()
    }
}

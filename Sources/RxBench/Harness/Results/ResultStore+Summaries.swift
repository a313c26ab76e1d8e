import Foundation
import Synchronization

extension ResultStore {
    /// The figures of `entries`, in their order, or why a file cannot be used. Reads on all cores; O(*n*) in the bytes
    /// of the files.
    public static func summaries(of entries: [Entry]) -> [Result<ResultSummary, ResultError>] {
        let summaries = Mutex([Result<ResultSummary, ResultError>?](repeating: nil, count: entries.count))
        DispatchQueue.concurrentPerform(iterations: entries.count) { index in
            let summary = summary(at: entries[index].path)
            summaries.withLock { $0[index] = summary }
        }
        return summaries.withLock { $0.compactMap(\.self) }
    }

    private static func summary(at path: String) -> Result<ResultSummary, ResultError> {
        guard let bytes = contents(of: path) else { return .failure(.unreadable(path)) }
        return Result { () throws(ResultError) in try ResultSummary.decoded(from: bytes, name: path) }
    }

    /// The bytes of a file, read straight into the array: `Data` would be copied once more.
    private static func contents(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        var isRead = true
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(information.st_size)) { buffer, count in
            while count < buffer.count {
                // The address lies within the buffer: `count` is below its size, which then is not 0.
                let received = read(descriptor, buffer.baseAddress! + count, buffer.count - count)
                if received > 0 {
                    count += received
                } else if received == 0 {
                    break
                } else if errno != EINTR {
                    isRead = false
                    break
                }
            }
        }
        return isRead ? bytes : nil
    }
}

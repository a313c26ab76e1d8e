import Foundation

/// Collects the standard output of the process, from creation until `stop()`.
///
/// The stream itself is diverted, so that the output of a library counts as output of the example.
final class OutputCapture {
    private let file: UnsafeMutablePointer<FILE>
    private let original: Int32
    private var isStopped = false

    init() {
        guard let file = tmpfile() else {
            fatalError("There is no temporary file to be had: \(String(cString: strerror(errno))).")
        }
        self.file = file
        fflush(nil)
        original = dup(STDOUT_FILENO)
        dup2(fileno(file), STDOUT_FILENO)
    }

    /// Returns the lines so far, without spaces at either end.
    func lines() -> [String] {
        fflush(nil)
        let descriptor = fileno(file)
        var bytes = [UInt8](repeating: 0, count: Int(lseek(descriptor, 0, SEEK_END)))
        let count = pread(descriptor, &bytes, bytes.count, 0)
        var lines = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// Restores the standard output.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        fflush(nil)
        dup2(original, STDOUT_FILENO)
        close(original)
        fclose(file)
    }

    deinit { stop() }
}

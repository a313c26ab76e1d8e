#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Files that exist completely or not at all.
enum WholeFile {
    /// Writes first to a hidden file in the same folder, which is flushed to the disk and then renamed.
    static func write(_ text: String, to path: String) throws(ReportSignalError) {
        let end = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let partial = "\(path[..<end]).\(path[end...]).\(getpid()).partial"
        guard fill(partial, Array(text.utf8)), rename(partial, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(partial)
            throw ReportSignalError(
                """
                The report '\(path)' was not written: \(reason). See to it that the folder is there and can be \
                written to.
                """
            )
        }
    }

    private static func fill(_ path: String, _ bytes: [UInt8]) -> Bool {
        guard let file = fopen(path, "w") else { return false }
        let isWritten =
            fwrite(bytes, 1, bytes.count, file) == bytes.count && fflush(file) == 0 && fsync(fileno(file)) == 0
        let code = errno
        let isClosed = fclose(file) == 0
        // What went wrong first is what is told.
        if !isWritten { errno = code }
        return isWritten && isClosed
    }
}

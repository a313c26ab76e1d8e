import Foundation

#if canImport(Darwin)
    import Darwin
    private let systemWrite = Darwin.write
#elseif canImport(Glibc)
    import Glibc
    private let systemWrite = Glibc.write
#elseif canImport(Musl)
    import Musl
    private let systemWrite = Musl.write
#endif

/// Files that exist completely or not at all.
public enum AtomicFile {
    /// Writes `bytes` to `path`: first to a hidden file in the same folder, which is flushed to the disk and then renamed.
    ///
    /// A kill at any moment leaves the old file or the new one. The folder must exist.
    /// - Throws: ``FileError``; the hidden file is gone then.
    public static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        // Empty for a bare name: a file in the current folder, not in the root.
        let parent = (path as NSString).deletingLastPathComponent
        let folder = parent.isEmpty ? "." : parent
        removeLeftovers(in: folder)
        let partial = "\(folder)/.\((path as NSString).lastPathComponent).\(getpid())\(suffix)"
        do throws(FileError) {
            try fill(partial, bytes)
            guard rename(partial, path) == 0 else { throw FileError(path: path, code: errno) }
        } catch {
            unlink(partial)
            // Nobody has heard of the hidden file.
            throw FileError(path: path, code: error.code)
        }
        // The rename itself must survive a crash of the machine; a folder that cannot be flushed is no reason to lose the file.
        let descriptor = open(folder, O_RDONLY)
        if descriptor >= 0 {
            fsync(descriptor)
            close(descriptor)
        }
    }

    private static let suffix = ".partial"

    private static func fill(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw FileError(path: path, code: errno) }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { written += count } else if errno != EINTR { throw FileError(path: path, code: errno) }
        }
        guard fsync(descriptor) == 0 else { throw FileError(path: path, code: errno) }
    }

    /// Removes hidden files whose writer no longer lives.
    private static func removeLeftovers(in folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasSuffix(suffix) {
            let writer = name.dropLast(suffix.count).split(separator: ".").last.flatMap { pid_t($0) }
            if let writer, kill(writer, 0) != 0, errno == ESRCH { unlink("\(folder)/\(name)") }
        }
    }
}

/// A file or folder could not be used; `code` is the system's error number.
public struct FileError: Error, Equatable, CustomStringConvertible {
    /// The file or folder.
    public let path: String
    /// The system's error number.
    public let code: Int32

    /// One sentence with the path and the system's reason.
    public var description: String { "'\(path)' cannot be written: \(String(cString: strerror(code)))." }
}

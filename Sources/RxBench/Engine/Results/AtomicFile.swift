import Foundation
import Synchronization

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

/// Writes files that exist either completely or not at all.
package enum AtomicFile {
    /// Writes `bytes` to `path`. The bytes are first written to a hidden file in the same folder. The hidden file is
    /// flushed to the disk and then renamed.
    ///
    /// If the process is killed at any moment, either the old file or the new file exists. The folder must exist. A
    /// symbolic link is kept, and its target is replaced. A pipe or a device cannot be replaced, so the bytes are
    /// written to it.
    ///
    /// - Throws: ``FileError``. The hidden file has been removed in this case.
    package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        do throws(FileError) {
            switch kind(of: path) {
            case S_IFCHR, S_IFBLK, S_IFIFO, S_IFSOCK: try append(bytes, into: path)
            case nil: _ = try place(bytes, at: path) { rename($0, $1) }
            default: _ = try place(bytes, at: target(of: path)) { rename($0, $1) }
            }
        } catch {
            throw FileError(path: path, code: error.code)
        }
    }

    /// Returns the type of the file at `path`, such as `S_IFREG`, or `nil` if there is no file.
    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// Returns the path with all symbolic links resolved.
    private static func target(of path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// Writes `bytes` to `path` in the same way as `write(_:to:)`, unless a file exists there. Returns whether the file
    /// was written.
    ///
    /// If several processes, even on several machines, create one path at the same time, exactly one of them succeeds.
    package static func create(_ bytes: [UInt8], at path: String) throws(FileError) -> Bool {
        guard access(path, F_OK) != 0 else { return false }
        return try place(bytes, at: path) { partial, path in
            let status = link(partial, path)
            let code = errno
            if status == 0 || code == EEXIST { unlink(partial) }
            // The file system has no hard links. In this case a file of another process may be replaced if it appears
            // at this moment.
            if status != 0, [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(code) { return rename(partial, path) }
            errno = code
            return status
        }
    }

    /// Fills a hidden file and passes it to `move`. Returns `false` if a file already exists at `path`.
    private static func place(
        _ bytes: [UInt8], at path: String, move: (String, String) -> Int32
    ) throws(FileError) -> Bool {
        // The parent folder of a bare name is empty, which means the current folder and not the root.
        let parent = (path as NSString).deletingLastPathComponent
        let folder = parent.isEmpty ? "." : parent
        removeLeftovers(in: folder)
        // The name contains a number, because several threads may write to the same path at the same time.
        let number = writes.wrappingAdd(1, ordering: .relaxed).newValue
        let partial = "\(folder)/.\((path as NSString).lastPathComponent).\(number).\(host).\(getpid())\(suffix)"
        do throws(FileError) {
            try fill(partial, bytes)
            guard move(partial, path) == 0 else {
                if errno == EEXIST { return false }
                throw FileError(path: path)
            }
        } catch {
            unlink(partial)
            // The error names `path`, because the caller does not know about the hidden file.
            throw FileError(path: path, code: error.code)
        }
        // The renaming itself must survive a crash of the machine. If the folder cannot be flushed, the file is kept
        // anyway.
        let descriptor = open(folder, O_RDONLY)
        if descriptor >= 0 {
            fsync(descriptor)
            close(descriptor)
        }
        return true
    }

    private static let suffix = ".partial"
    /// The number of files that this process has started to write.
    private static let writes = Atomic<Int>(0)

    /// A text that distinguishes processes of this machine from processes of another machine that writes to the same
    /// folder. It is a hash of the host name (FNV-1a; Fowler, Noll, Vo).
    static let host: String = {
        var hash: UInt32 = 2_166_136_261
        for byte in ProcessInfo.processInfo.hostName.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return String(hash, radix: 16)
    }()

    private static func fill(_ path: String, _ bytes: [UInt8]) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw FileError(path: path) }
        defer { close(descriptor) }
        guard write(bytes, to: descriptor), fsync(descriptor) == 0 else { throw FileError(path: path) }
    }

    /// Writes `bytes` to an existing file that must not be replaced.
    private static func append(_ bytes: [UInt8], into path: String) throws(FileError) {
        let descriptor = open(path, O_WRONLY)
        guard descriptor >= 0 else { throw FileError(path: path) }
        defer { close(descriptor) }
        guard write(bytes, to: descriptor) else { throw FileError(path: path) }
    }

    /// Writes `bytes`. Returns whether all bytes were written. If not, `errno` is the reason.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { written += count } else if errno != EINTR { return false }
        }
        return true
    }

    /// Removes hidden files that were written by a process of this machine that no longer exists.
    private static func removeLeftovers(in folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasSuffix(suffix) {
            let words = name.dropLast(suffix.count).split(separator: ".")
            guard words.count >= 2, words[words.count - 2] == host, let writer = pid_t(words[words.count - 1]) else {
                continue
            }
            if kill(writer, 0) != 0, errno == ESRCH { unlink("\(folder)/\(name)") }
        }
    }
}

/// An error for a file or folder that could not be used. `code` is the system's error number.
package struct FileError: Error, Equatable, CustomStringConvertible {
    /// The path of the file or folder.
    package let path: String
    /// The system's error number.
    package let code: Int32

    /// Creates an error for the file or folder at `path`. `code` is the system's error number. The default is `errno`.
    package init(path: String, code: Int32 = errno) {
        self.path = path
        self.code = code
    }

    /// A sentence with the path and the system's reason.
    package var description: String { "'\(path)' cannot be written: \(String(cString: strerror(code)))." }
}

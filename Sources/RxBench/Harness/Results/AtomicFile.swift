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

/// Files that exist completely or not at all.
package enum AtomicFile {
    /// Writes `bytes` to `path`: first to a hidden file in the same folder, which is flushed to the disk and then
    /// renamed.
    ///
    /// A kill at any moment leaves the old file or the new one. The folder must exist. A link stays one: what it leads
    /// to is replaced. A pipe or a device cannot be replaced; it receives the bytes.
    /// - Throws: ``FileError``; the hidden file is gone then.
    package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        do throws(FileError) {
            switch kind(of: path) {
            case S_IFCHR, S_IFBLK, S_IFIFO, S_IFSOCK: try pour(bytes, into: path)
            case nil: _ = try place(bytes, at: path) { rename($0, $1) }
            default: _ = try place(bytes, at: target(of: path)) { rename($0, $1) }
            }
        } catch {
            throw FileError(path: path, code: error.code)
        }
    }

    /// The kind of file behind `path`: `S_IFREG` and the like, or `nil` for nothing.
    private static func kind(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// The path behind all links.
    private static func target(of path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    /// Writes `bytes` to `path` in the same way, unless there is a file already. Returns whether it was written.
    ///
    /// Of several processes, on several machines too, that create one path at the same time, one does.
    package static func create(_ bytes: [UInt8], at path: String) throws(FileError) -> Bool {
        guard access(path, F_OK) != 0 else { return false }
        return try place(bytes, at: path) { partial, path in
            let status = link(partial, path)
            let code = errno
            if status == 0 || code == EEXIST { unlink(partial) }
            // A file system without hard links: here a moment is left in which another process can be replaced.
            if status != 0, [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(code) { return rename(partial, path) }
            errno = code
            return status
        }
    }

    /// Fills a hidden file and hands it to `move`; whether that succeeded, or `false` when something is in the way.
    private static func place(
        _ bytes: [UInt8], at path: String, move: (String, String) -> Int32
    ) throws(FileError) -> Bool {
        // Empty for a bare name: a file in the current folder, not in the root.
        let parent = (path as NSString).deletingLastPathComponent
        let folder = parent.isEmpty ? "." : parent
        removeLeftovers(in: folder)
        // Numbered: threads may write to one path at the same time.
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
            // Nobody has heard of the hidden file.
            throw FileError(path: path, code: error.code)
        }
        // The rename itself must survive a crash of the machine; a folder that cannot be flushed is no reason to lose
        // the file.
        let descriptor = open(folder, O_RDONLY)
        if descriptor >= 0 {
            fsync(descriptor)
            close(descriptor)
        }
        return true
    }

    private static let suffix = ".partial"
    /// How many files this process has begun to write.
    private static let writes = Atomic<Int>(0)

    /// Tells the processes of this machine from those of another that writes to the same folder: a hash of its name
    /// (FNV-1a; Fowler, Noll, Vo).
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

    /// Writes `bytes` to what is there already and must stay.
    private static func pour(_ bytes: [UInt8], into path: String) throws(FileError) {
        let descriptor = open(path, O_WRONLY)
        guard descriptor >= 0 else { throw FileError(path: path) }
        defer { close(descriptor) }
        guard write(bytes, to: descriptor) else { throw FileError(path: path) }
    }

    /// Whether all `bytes` were written; `errno` says why not.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { written += count } else if errno != EINTR { return false }
        }
        return true
    }

    /// Removes hidden files whose writer, on this machine, no longer lives.
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

/// A file or folder could not be used; `code` is the system's error number.
package struct FileError: Error, Equatable, CustomStringConvertible {
    /// The file or folder.
    package let path: String
    /// The system's error number.
    package let code: Int32

    /// The system's error `code` for the file or folder at `path`: that of the last call, if nothing else is said.
    package init(path: String, code: Int32 = errno) {
        self.path = path
        self.code = code
    }

    /// One sentence with the path and the system's reason.
    package var description: String { "'\(path)' cannot be written: \(String(cString: strerror(code)))." }
}

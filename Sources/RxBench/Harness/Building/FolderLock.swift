import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A folder that one process uses at a time, for as long as this object lives; the system frees it when the process
/// ends in any way.
final class FolderLock {
    private let descriptor: Int32

    init(folder: String) throws(BuildFailure) {
        // Closed on exec: a child that outlives this process must not keep the folder.
        descriptor = open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw BuildFailure("'\(folder)' cannot be written: \(String(cString: strerror(errno))). Make it writable.")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw BuildFailure("Another 'ab' is at work on this package. Wait for it to end.", isPassing: true)
        }
    }

    deinit { close(descriptor) }
}

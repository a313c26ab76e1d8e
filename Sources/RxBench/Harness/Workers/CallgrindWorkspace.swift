import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A temporary folder with a copy of an executable that valgrind can run, and with the files that callgrind writes. Gone with this object.
final class CallgrindWorkspace {
    private let folder: String
    private let valgrind: String
    private let original: String
    private var processes = 0

    /// Copies `executable`.
    init(executable: String, valgrind: String) throws(FileError) {
        self.valgrind = valgrind
        original = executable
        Self.removeLeftovers()
        folder = "\(Self.parent)/\(Self.prefix)\(getpid())-\(UInt32.random(in: 0 ... .max))"
        guard mkdir(folder, 0o700) == 0 else { throw FileError(path: folder, code: errno) }
        guard let bytes = FileManager.default.contents(atPath: executable) else { throw FileError(path: executable, code: ENOENT) }
        try AtomicFile.write(ExecutableImage.hidingDebugInformation(in: Array(bytes)), to: image)
        guard chmod(image, 0o700) == 0 else { throw FileError(path: image, code: errno) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// What starts a worker under callgrind: `request` receives the name that its files begin with.
    func command(
        separateCallers: Int = 0, _ request: (_ output: String) throws -> [String]
    ) rethrows -> (executable: String, arguments: [String]) {
        processes += 1
        let output = "\(folder)/counts-\(processes)"
        // Callgrind takes a percent sign for the beginning of a variable.
        let options = [
            "--tool=callgrind", "--quiet", "--instr-atstart=no", "--callgrind-out-file=\(output.replacing("%", with: "%%"))",
            // Else a thread that spins keeps the turn from the one it waits for.
            "--fair-sched=try", "--separate-callers=\(separateCallers)", "--compress-pos=no",
        ]
        return (valgrind, options + [image] + (try request(output)))
    }

    /// The file that the last process wrote last; callgrind numbers them.
    var lastFile: String? {
        let name = "counts-\(processes)."
        let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { file in
            file.hasPrefix(name) ? Int(file.dropFirst(name.count)) : nil
        }
        return numbers.max().map { "\(folder)/\(name)\($0)" }
    }

    /// Where libraries that lie beside the executable are found.
    var libraryFolder: String { (original as NSString).deletingLastPathComponent }

    private var image: String { "\(folder)/\((original as NSString).lastPathComponent)" }

    private static let prefix = "rxbench-callgrind-"
    private static var parent: String {
        let path = FileManager.default.temporaryDirectory.path
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Removes folders of processes that were killed.
    private static func removeLeftovers() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
            let owner = name.dropFirst(prefix.count).split(separator: "-").first.flatMap { pid_t($0) }
            if let owner, kill(owner, 0) != 0, errno == ESRCH { try? FileManager.default.removeItem(atPath: "\(parent)/\(name)") }
        }
    }
}

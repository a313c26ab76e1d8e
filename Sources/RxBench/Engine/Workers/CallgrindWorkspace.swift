import Foundation

/// A temporary folder that contains a copy of an executable that valgrind can run, and the files that callgrind writes.
/// The folder is removed when this object is deinitialised.
///
/// All paths in the folder have the same length in every run and for every benchmark. A process reads these paths, and
/// a string that is one byte longer may belong to a different size class of the allocator, which moves later
/// allocations. An additional digit in a name would therefore change the count of an iteration (decision 13).
final class CallgrindWorkspace {
    private let folder: String
    private let valgrind: String
    private let original: String
    private var processes = 0

    /// Creates the folder and copies `executable` into it.
    init(executable: String, valgrind: String) throws(FileError) {
        self.valgrind = valgrind
        original = executable
        Self.removeLeftovers()
        folder = Self.folder(in: Self.parent, process: getpid(), random: UInt32.random(in: 0 ... .max))
        guard mkdir(folder, 0o700) == 0 else { throw FileError(path: folder) }
        guard let bytes = FileManager.default.contents(atPath: executable) else {
            throw FileError(path: executable, code: ENOENT)
        }
        try AtomicFile.write(ExecutableImage.hidingDebugInformation(in: Array(bytes)), to: image)
        guard chmod(image, 0o700) == 0 else { throw FileError(path: image) }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Returns the command that starts a worker under callgrind. `request` receives the prefix of the names of the
    /// worker's files, and returns the worker's arguments.
    func command(
        _ request: (_ output: String) throws -> [String]
    ) rethrows -> (executable: String, arguments: [String]) {
        processes += 1
        let output = "\(folder)/\(fileName)"
        // A percent sign is doubled, because callgrind interprets it as the beginning of a variable.
        let options = [
            "--tool=callgrind", "--quiet", "--instr-atstart=no",
            "--callgrind-out-file=\(output.replacing("%", with: "%%"))",
            // Without this option, a spinning thread may keep the turn that the awaited thread needs.
            "--fair-sched=try",
            // No debugger is attached. The pipes for a debugger would remain in the temporary folder if the process is
            // killed.
            "--vgdb=no", "--compress-pos=no",
            // If callgrind skipped the jumps between libraries, it would add them to their callers later. Jumps from
            // before a reset would then be counted after the reset.
            "--skip-plt=no",
        ]
        return (valgrind, options + [image] + (try request(output)))
    }

    /// The folder of the original executable. Libraries next to the original executable are found there.
    var libraryFolder: String { (original as NSString).deletingLastPathComponent }

    private var image: String { "\(folder)/\((original as NSString).lastPathComponent)" }

    private var fileName: String { "counts-\(Self.padded("\(processes)", to: 6))" }

    /// Returns the path of the folder. The path has the same length for every temporary folder, unless the path of the
    /// temporary folder itself is too long.
    static func folder(in parent: String, process: pid_t, random: UInt32) -> String {
        let beginning = "\(parent)/\(prefix)\(padded("\(process)", to: 10))-"
        return beginning + padded("\(random)", to: max(10, width - beginning.utf8.count))
    }

    /// The length of the folder's path in bytes. On macOS, the path of the temporary folder takes 49 of them.
    static let width = 160

    /// The name of the environment variable that pads the environment.
    static let paddingName = "RXBENCH_PADDING"

    /// Returns the padding that extends `environment` to a multiple of 32 KiB. The environment is stored above the
    /// stack, so its length determines where the stack begins, and therefore affects the count of an iteration that
    /// allocates.
    static func padding(for environment: [String: String]) -> String {
        // Each variable also needs space for a pointer, an equals sign and a terminating zero.
        func size(_ name: String, _ value: String) -> Int {
            name.utf8.count + value.utf8.count + 2 + MemoryLayout<UInt>.size
        }
        let taken = environment.filter { $0.key != paddingName }.reduce(size(paddingName, "")) {
            $0 + size($1.key, $1.value)
        }
        let block = 32 * 1024
        return String(repeating: "-", count: (block - taken % block) % block)
    }

    private static func padded(_ digits: String, to width: Int) -> String {
        String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    private static let prefix = "rxbench-callgrind-"
    private static var parent: String {
        let path = FileManager.default.temporaryDirectory.path
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Removes the folders of processes that were killed.
    private static func removeLeftovers() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
            let owner = name.dropFirst(prefix.count).split(separator: "-").first.flatMap { pid_t($0) }
            if let owner, kill(owner, 0) != 0, errno == ESRCH {
                try? FileManager.default.removeItem(atPath: "\(parent)/\(name)")
            }
        }
    }
}

/// Changes an executable so that valgrind can run it.
enum ExecutableImage {
    /// Returns `bytes` with the debug sections renamed, so that valgrind does not read them. The code and the names of
    /// functions are unchanged.
    ///
    /// Valgrind 3.19 fails on the debug information that Swift 6 writes (DWARF 5): "I can't recover. Giving up." If the
    /// bytes are not a 64-bit little-endian ELF file, they are returned unchanged. The file format is described in
    /// System V ABI, "ELF-64 Object File Format", chapters 3 and 4.
    static func hidingDebugInformation(in bytes: [UInt8]) -> [UInt8] {
        guard bytes.starts(with: [0x7F, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F"), 2, 1]),
            let table = number(8, at: 0x28, in: bytes), let size = number(2, at: 0x3A, in: bytes),
            let names = number(2, at: 0x3E, in: bytes)
        else { return bytes }
        let (header, overflows) = table.addingReportingOverflow(size * names)
        guard !overflows, header <= bytes.count, let start = number(8, at: header + 0x18, in: bytes),
            let length = number(8, at: header + 0x20, in: bytes), start <= bytes.count, length <= bytes.count - start
        else { return bytes }
        var result = bytes
        for (name, replacement) in [(".debug_", ".hidden"), (".zdebug", ".hidden"), (".gnu_debug", ".gnu_hidde")] {
            replace(Array(name.utf8), by: Array(replacement.utf8), in: &result, range: start..<start + length)
        }
        return result
    }

    private static func replace(_ name: [UInt8], by replacement: [UInt8], in bytes: inout [UInt8], range: Range<Int>) {
        var index = range.lowerBound
        while index + name.count <= range.upperBound {
            if bytes[index..<index + name.count].elementsEqual(name) {
                bytes.replaceSubrange(index..<index + name.count, with: replacement)
                index += name.count
            } else {
                index += 1
            }
        }
    }

    /// Returns the little-endian number that is stored in `count` bytes at `offset`. Returns `nil` if the range is out
    /// of bounds or the number does not fit.
    private static func number(_ count: Int, at offset: Int, in bytes: [UInt8]) -> Int? {
        guard offset >= 0, offset <= bytes.count - count else { return nil }
        var value: UInt64 = 0
        for byte in bytes[offset..<offset + count].reversed() { value = value << 8 | UInt64(byte) }
        return Int(exactly: value)
    }
}

import Foundation

/// Runs the compiler as a client's build would, with the modules that the tests were built with.
enum Compiler {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Returns the compiler's diagnostics for `sources`, compiled as one module.
    static func diagnostics(of sources: [URL], _ flags: [String] = []) throws -> Diagnostics {
        try compile(sources, ["-typecheck"] + flags).diagnostics
    }

    /// Compiles `sources` to a program and runs it. Returns its output and the compiler's diagnostics.
    static func output(of sources: [URL], _ flags: [String] = []) throws -> (text: String, diagnostics: Diagnostics) {
        let folder = try TemporaryFolder()
        let program = folder.url.appending(path: "program").path
        let (diagnostics, complaints) = try compile(sources, ["-o", program] + flags + objects)
        guard diagnostics.lines(.error).isEmpty, FileManager.default.fileExists(atPath: program) else {
            throw Failure(description: "It does not compile:\n\(complaints)")
        }
        let execution = try run(program, [])
        guard execution.code == 0 else {
            throw Failure(description: "It ends with \(execution.code):\n\(execution.output)")
        }
        return (execution.output, diagnostics)
    }

    private static func compile(
        _ sources: [URL], _ flags: [String]
    ) throws -> (
        diagnostics: Diagnostics, complaints: String
    ) {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "diagnostics.dia")
        let map = try folder.write(#"{"": {"diagnostics": "\#(file.path)"}}"#, to: "outputs.json")
        // Whole-module mode, because otherwise each file would get a separate file of diagnostics.
        let options = ["-wmo", "-serialize-diagnostics", "-output-file-map", map.path]
        let complaints = try run("swiftc", options + flags + imports + sources.map(\.path)).output
        return (try Diagnostics(contentsOf: file), complaints)
    }

    /// The package manager's build folder: it contains the tests, the modules, and the modules' object files.
    private static let products: URL = {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
        return bundle.bundleURL.pathExtension == "xctest"
            ? bundle.bundleURL.deletingLastPathComponent() : bundle.bundleURL
    }()

    private static let imports: [String] = {
        let maps = files(in: products, ending: ".build").map { $0.appending(path: "module.modulemap").path }
        return ["-I", products.appending(path: "Modules").path]
            + maps.filter(FileManager.default.fileExists).flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }()

    private static let objects = ["CRx", "Rx", "RxFoundation", "RxLegacy"].flatMap { module in
        let folder = products.appending(path: "\(module).build")
        let objects = files(in: folder, ending: ".o").map(\.path)
        // The folder also contains object files of sources that have been deleted.
        guard let map = try? Data(contentsOf: folder.appending(path: "output-file-map.json")),
            let outputs = try? JSONDecoder().decode([String: [String: String]].self, from: map)
        else { return objects }
        let names = Set(outputs.values.compactMap { $0["object"].map { URL(fileURLWithPath: $0).lastPathComponent } })
        return objects.filter { names.contains(URL(fileURLWithPath: $0).lastPathComponent) }
    }

    static func files(in folder: URL, ending: String) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(ending) }.sorted().map { folder.appending(path: $0) }
    }

    private static func run(_ command: String, _ arguments: [String]) throws -> (code: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [command] + arguments
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

/// A folder that is deleted after its last use.
final class TemporaryFolder {
    let url = FileManager.default.temporaryDirectory.appending(path: "compiler-\(UUID().uuidString)")
        .resolvingSymlinksInPath()

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ text: Data, to name: String) throws -> URL {
        let file = url.appending(path: name)
        try text.write(to: file)
        return file
    }

    func write(_ text: String, to name: String) throws -> URL { try write(Data(text.utf8), to: name) }
}

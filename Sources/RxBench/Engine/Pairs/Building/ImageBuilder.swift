import Foundation

/// Builds images in one package folder whose files are exchanged. The second side and every later side therefore
/// compile only the files that differ.
///
/// All files are in `.build/rxbench-ab` of the package. Nothing is written to the repository, and no worktree is
/// registered in it.
package struct ImageBuilder {
    private let git: Git
    /// The package's folder, relative to the root of the repository. The path is empty for the root itself.
    private let package: String
    private let product: String
    private let folder: String
    private let compared: ComparedPaths
    private let recipe: ImageRecipe?
    private let lock: FolderLock
    private let announce: (String) -> Void
    /// The number of cache entries that are kept. An entry with all its layouts needs at most 300 MB.
    private static let mostImages = 4
    /// The end of the name of a file that lists the exchanged files of a tree that does not compile.
    private static let noteSuffix = ".exchange.json"
    // Functions begin at cache lines, so that a layout moves them as a whole and the figures of different layouts
    // differ less. Thread-local variables are accessed as in a program. A library would otherwise call a function for
    // each access ('Mutex' has such a variable).
    private static let flags = [
        "-Xswiftc", "-Xllvm", "-Xswiftc", "-align-all-functions=6", "-Xcc", "-falign-functions=64", "-Xcc",
        "-ftls-model=initial-exec", "-Xswiftc", "-gnone",
    ]

    /// Creates a builder for the package at `path` and its executable `product`.
    ///
    /// - Parameters:
    ///   - paths: The compared paths, relative to the root of the repository. If they are empty, the default is used.
    ///     See ``ComparedPaths``.
    ///   - recipe: The recipe of the tool's own repository, used if the package is its root.
    ///   - announce: Called with a line of text before each step that takes seconds.
    package init(
        package path: String, product: String, comparing paths: [String], recipe: ImageRecipe?,
        announce: @escaping (String) -> Void
    ) throws {
        #if !os(Linux)
            throw BuildFailure(
                "'ab' is unavailable on this system: its images are linked by the linkers of Linux alone.")
        #else
            git = try Git(folder: path)
            let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            let root = URL(fileURLWithPath: git.root).resolvingSymlinksInPath().path
            package = real == root ? "" : String(real.dropFirst(root.count + 1))
            self.product = product
            self.recipe = package.isEmpty ? recipe : nil
            compared = try ComparedPaths(
                paths: paths, standard: self.recipe?.compared ?? [], root: git.root, package: package, product: product)
            folder = "\(real)/.build/rxbench-ab"
            self.announce = announce
            try FileManager.default.createDirectory(atPath: "\(folder)/cache", withIntermediateDirectories: true)
            lock = try FolderLock(folder: folder)
            removeLeftovers()
        #endif
    }

    /// Removes the files that a killed comparison left behind. The lock ensures that no other process uses the folder.
    private func removeLeftovers() {
        for place in [folder, "\(folder)/cache"] {
            for name in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            where name.hasPrefix("incoming-") || name.hasSuffix(".partial") {
                try? FileManager.default.removeItem(atPath: "\(place)/\(name)")
            }
        }
    }

    /// Returns the revision that `name` denotes: a commit, or the working tree for `nil` and `.`.
    package func revision(_ name: String?) throws -> Revision {
        guard let name, name != "." else { return .workingTree }
        return .commit(try git.commit(name))
    }

    /// The names of branches and tags.
    package var names: [String] { git.names }

    /// Compiles both sides: head unchanged, and head's benchmarks with base's compared files. If base's code does not
    /// compile a file of head's benchmarks, head is compiled once more, and both sides have base's version of the file.
    ///
    /// - Parameter check: A closure that is called with head's image and the names of benchmarks that base has and head
    ///   does not. An error that it throws ends the build before base is compiled.
    /// - Throws: ``BuildFailure``, ``Interrupted`` if a signal arrived, or the error of `check`. No temporary file is
    ///   left.
    package func build(
        base: Revision, head: Revision, check: (BuiltImage, [String]) throws -> Void = { _, _ in }
    ) throws -> BothSides {
        let incoming = "\(folder)/incoming-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: incoming) }
        let compiler = compilerVersion
        let frame = try tree(head, in: "\(incoming)/head")
        let old = try tree(base, in: "\(incoming)/base")
        let compiled = CompiledFiles(of: frame, package: package)
        let benchmarks = BenchmarkFiles(of: frame)
        let retired = BenchmarkFiles(of: old).names { compared.isShared($0) && compiled.contain($0) }
            .subtracting(benchmarks.names()).sorted()
        let differences = frame.differences(from: old)
        let shared = differences.filter { compared.isShared($0) && compiled.contain($0) }
        var uncompared = benchmarks.uncompared(shared, isByName: compared.areNamed)
        let manifests = differences.filter { path in
            ComparedPaths.describesBuild(path) && path.hasSuffix(".swift")
                && [frame, old].allSatisfy { FileManager.default.fileExists(atPath: "\($0.folder)/\(path)") }
        }
        let headsManifests = SourceTree(folder: "\(incoming)/manifests")
        for path in manifests {
            try SourceTree.copy("\(frame.folder)/\(path)", to: "\(headsManifests.folder)/\(path)")
        }
        let newest = try build(frame, head, compiler)
        try check(newest, retired)
        let mixed = SourceTree(folder: "\(incoming)/mixed")
        try SourceTree.copy(frame.folder, to: mixed.folder)
        try compared.take(from: old, into: mixed)
        var exchange = BenchmarkExchange(
            of: Set(uncompared.filter { $0.kind == .benchmark }.map(\.path)),
            isOfBenchmarks: { compared.isShared($0) && benchmarks.contain($0) })
        let before: BuiltImage
        do {
            before = try build(mixed, base, compiler, exchanging: &exchange, from: old)
        } catch let failure as BuildFailure where !manifests.isEmpty && failure.cause == .build {
            // Head's benchmarks may need a target, a product or a dependency that only head's manifest has.
            announce("\(base.name) does not build head's benchmarks with its own manifest; trying head's.")
            try mixed.replace(manifests, from: headsManifests)
            before = try build(mixed, base, compiler, exchanging: &exchange, from: old)
            uncompared += manifests.filter { path in
                let folder = (path as NSString).deletingLastPathComponent
                return ManifestDifference.matters(
                    "\(old.folder)/\(folder)", "\(headsManifests.folder)/\(folder)",
                    isShared: { compared.isShared(folder.isEmpty ? $0 : "\(folder)/\($0)") })
            }.map { UncomparedFile(path: $0, kind: .buildDescription) }
        }
        let after = exchange.paths.isEmpty ? newest : try build(frame, head, compiler, after: exchange, from: old)
        uncompared = uncompared.map { file in
            exchange.paths.contains(file.path) ? UncomparedFile(path: file.path, kind: .exchangedBenchmark) : file
        }
        uncompared += after.differingResources(from: before).map { UncomparedFile(path: $0, kind: .resource) }
        return BothSides(
            base: before, head: after, newest: newest, retired: retired, uncompared: uncompared,
            areSameSources: before.key == after.key)
    }

    /// Two compiled sides.
    package struct BothSides: Sendable {
        /// The compiled sides.
        package let base, head: BuiltImage
        /// Head with all its own benchmarks. It is the same image as `head`, unless both sides have base's version of a
        /// file of benchmarks.
        package let newest: BuiltImage
        /// The IDs of benchmarks that base's sources name and head's do not.
        package let retired: [String]
        /// The compiled files that differ between the two revisions but are the same on both sides.
        package let uncompared: [UncomparedFile]
        /// Whether both sides are compiled from the same files.
        package let areSameSources: Bool
    }

    private func tree(_ revision: Revision, in folder: String) throws -> SourceTree {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let tree = try SourceTree(revision, of: git, in: folder)
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        return tree
    }

    /// Compiles a tree as it is.
    private func build(_ tree: SourceTree, _ revision: Revision, _ compiler: String) throws -> BuiltImage {
        switch try compile(tree, key(of: tree, compiler), revision) {
        case .image(let image): return image
        case .errors(let errors): throw failure(of: revision, errors)
        }
    }

    private func failure(of revision: Revision, _ errors: String) -> BuildFailure {
        BuildFailure("\(revision.name) does not compile:\n\(CompilerMessage.summary(shown(errors)))")
    }

    /// Compiles a tree of base. If its code does not compile a file of benchmarks, continues with base's version.
    private func build(
        _ tree: SourceTree, _ revision: Revision, _ compiler: String, exchanging exchange: inout BenchmarkExchange,
        from old: SourceTree
    ) throws -> BuiltImage {
        while true {
            let key = try key(of: tree, compiler)
            // A tree that did not compile before is not compiled again.
            let note = "\(folder)/cache/\(key)\(Self.noteSuffix)"
            let known = FileManager.default.contents(atPath: note)
                .flatMap { try? JSONDecoder().decode(Set<String>.self, from: $0) }
            if known.map({ exchange.add($0) }) != true {
                switch try compile(tree, key, revision) {
                case .image(let image): return image
                case .errors(let errors):
                    let former = exchange.paths
                    guard exchange.add(after: errors, root: copy) else { throw failure(of: revision, errors) }
                    let files = exchange.paths.subtracting(former)
                    try AtomicFile.write(Array(try JSONEncoder().encode(files)), to: note)
                    announce(
                        """
                        \(revision.name) does not compile head's benchmarks; both sides use its own version of \
                        \(files.sorted().map { "'\($0)'" }.joined(separator: ", ")). The compiler says:
                        \(CompilerMessage.summary(shown(errors)))
                        """)
                }
            }
            try tree.replace(exchange.paths.sorted(), from: old)
        }
    }

    /// Compiles head once more, with base's version of the exchanged files.
    private func build(
        _ tree: SourceTree, _ revision: Revision, _ compiler: String, after exchange: BenchmarkExchange,
        from old: SourceTree
    ) throws -> BuiltImage {
        try tree.replace(exchange.paths.sorted(), from: old)
        do {
            return try build(tree, revision, compiler)
        } catch let failure as BuildFailure where failure.cause == .build {
            throw BuildFailure(
                """
                Neither side compiles the other's benchmarks. Compare in two steps, over a commit that has what both \
                versions of the benchmarks use. \(failure.description)
                """)
        }
    }

    /// The result of compiling a tree.
    private enum Compilation {
        case image(BuiltImage)
        /// The compiler's messages.
        case errors(String)
    }

    /// Prepares a tree for compilation and returns the key of its image.
    private func key(of tree: SourceTree, _ compiler: String) throws -> String {
        try ManifestPaths.makeAbsolute(in: tree.folder, package: package, root: git.root)
        try recipe?.reduce(tree)
        return compared.key(
            of: tree, root: git.root, package: package, product: product, compiler: compiler, flags: Self.flags,
            pins: pins)
    }

    private func compile(_ tree: SourceTree, _ key: String, _ revision: Revision) throws -> Compilation {
        if let image = BuiltImage.find(key, in: "\(folder)/cache") { return .image(image) }
        announce("Compiling \(revision.name); the first time this takes minutes, later only what has changed.")
        try tree.synchronize(to: copy, keeping: [".build"])
        // The package manager keeps files that were removed from a bundle, and bundles of the other side.
        for bundle in bundles { try FileManager.default.removeItem(atPath: bundle) }
        if let errors = try compile() { return .errors(errors) }
        let link = try LinkCommand.read(product: product, plan: "\(folder)/build/release.yaml")
        removeOldImages()
        return .image(
            try BuiltImage.store(
                link.command, objects: link.objects, resources: bundles, key: key, in: "\(folder)/cache"))
    }

    /// Replaces the path of the compiled copy in messages with the path of the repository.
    private func shown(_ errors: String) -> String { errors.replacing(copy + "/", with: git.root + "/") }

    /// The folder that is compiled. The package manager identifies a package by the name of its folder. If the compared
    /// package is itself a dependency of the harness, its folder must therefore keep its name.
    private var copy: String { "\(folder)/package/\((git.root as NSString).lastPathComponent)" }

    /// The resource bundles that the last build produced.
    private var bundles: [String] {
        let products = "\(folder)/build/release"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: products)) ?? []
        return names.filter { $0.hasSuffix(".resources") }.sorted().map { "\(products)/\($0)" }
    }

    /// The file with the versions of dependencies. It is the same on both sides, unless a commit contains its own file.
    private var pins: String { "\(folder)/../../Package.resolved" }

    /// Compiles the package folder. Returns the compiler's messages if the build fails, or `nil`.
    private func compile() throws -> String? {
        let path = package.isEmpty ? copy : "\(copy)/\(package)"
        if FileManager.default.fileExists(atPath: pins),
            !FileManager.default.fileExists(atPath: "\(path)/Package.resolved")
        {
            try SourceTree.copy(pins, to: "\(path)/Package.resolved")
        }
        let build = try SwiftBuild(
            ["-c", "release", "--package-path", path, "--scratch-path", "\(folder)/build", "--product", product]
                + Self.flags,
            purpose: "'ab' compiles both sides")
        return build.hasSucceeded ? nil : build.words
    }

    private var compilerVersion: String {
        ChildProcess.find("swiftc").flatMap { ChildProcess.output(of: $0, ["--version"], timeoutSeconds: 60) }
            ?? "unknown"
    }

    private func removeOldImages() {
        let cache = "\(folder)/cache"
        func date(_ name: String) -> Date {
            (try? FileManager.default.attributesOfItem(atPath: "\(cache)/\(name)"))?[.modificationDate] as? Date
                ?? .distantPast
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
        for entries in [names.filter { !$0.contains(".") }, names.filter { $0.hasSuffix(Self.noteSuffix) }] {
            let old = entries.map { (date($0), $0) }.sorted { $0.0 > $1.0 }.dropFirst(Self.mostImages - 1)
            for (_, name) in old { try? FileManager.default.removeItem(atPath: "\(cache)/\(name)") }
        }
    }
}

/// A lock on a folder that only one process may use at a time. The lock is held during the lifetime of this object. The
/// system releases it when the process ends in any way.
final class FolderLock {
    private let descriptor: Int32

    init(folder: String) throws(BuildFailure) {
        // The descriptor is closed on exec, because a child process that outlives this process must not keep the lock.
        descriptor = open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw BuildFailure("'\(folder)' cannot be written: \(String(cString: strerror(errno))). Make it writable.")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw BuildFailure("Another 'ab' is at work on this package. Wait for it to end.", cause: .passing)
        }
    }

    deinit { close(descriptor) }
}

/// A finished run of `swift build`.
package struct SwiftBuild {
    /// Whether everything was built.
    package let hasSucceeded: Bool
    /// The standard output of the build.
    package let output: String
    private let complaints: String

    /// The text of both output streams. Compilers write errors to one stream, and the package manager writes them to
    /// the other.
    package var words: String { output + complaints }

    /// Runs `swift build` with `arguments` and waits until it ends.
    ///
    /// - Parameter purpose: The purpose of the build, for the error message if Swift is not installed.
    /// - Throws: ``Interrupted`` if a signal arrived.
    package init(_ arguments: [String], purpose: String) throws {
        guard let swift = ChildProcess.find("swift") else {
            throw BuildFailure("Swift is not on the PATH, and \(purpose). Add it and run this again.")
        }
        // The package manager leaves temporary folders behind, and its compilers leave more if they are interrupted.
        let temporary = FileManager.default.temporaryDirectory.appendingPathComponent(
            "rxbench-build-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
        } catch {
            throw BuildFailure(
                "No folder can be made in '\(FileManager.default.temporaryDirectory.path)', and \(purpose). Set TMPDIR "
                    + "to a folder that can be written.")
        }
        defer { try? FileManager.default.removeItem(at: temporary) }
        // The build is interrupted in the same way as by a user. If it were killed, its compilers would continue to
        // run.
        let child = try ChildProcess(
            executable: swift, arguments: ["build"] + arguments, environment: ["TMPDIR": temporary.path],
            interruption: SIGINT)
        let result = try child.wait(timeoutSeconds: 3_600)
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        hasSucceeded = result.ending == .exited(0)
        output = String(decoding: result.output, as: UTF8.self)
        complaints = result.complaints
    }
}

import Foundation
import RxBenchEngine

/// The executables of a package, to choose the program with the races among them.
struct RacePrograms {
    /// The names of all executables, in the manifest's order.
    let executables: [String]
    /// The names of the executables that depend on `RxBenchRaces`.
    private let users: Set<String>

    /// Asks the package manager for the manifest of the package in `folder`.
    init(of folder: String) throws {
        guard let swift = ChildProcess.find("swift") else {
            throw BuildFailure("Swift is not on the PATH, and 'races' reads the manifest. Add it and run this again.")
        }
        // In a separate folder: a build that runs in the package's folder would block it.
        let child = try ChildProcess(
            executable: swift,
            arguments: [
                "package", "--package-path", folder, "--scratch-path", "\(folder)/.build/rxbench-manifest",
                "dump-package",
            ], interruption: SIGINT)
        let result = try child.wait(timeoutSeconds: 300)
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        guard result.ending == .exited(0), let manifest = try? Manifest(Data(result.output)) else {
            throw BuildFailure("The manifest of '\(folder)' cannot be read:\n\(result.complaints)")
        }
        self.init(manifest)
    }

    private init(_ manifest: Manifest) {
        let products = manifest.products.filter(\.isExecutable)
        let named = Set(products.flatMap(\.targets))
        let targets = manifest.targets.filter { $0.type == "executable" }
        executables = products.map(\.name) + targets.map(\.name).filter { !named.contains($0) }
        let using = Set(targets.filter { !$0.dependencies.isDisjoint(with: ["RxBench", "RxBenchRaces"]) }.map(\.name))
        users = using.union(products.filter { !using.isDisjoint(with: $0.targets) }.map(\.name))
    }

    /// How a program is chosen where no option names one.
    enum Choice: Equatable {
        case program(String)
        /// The user has to choose.
        case several([String])
        case none
    }

    /// The program with the races: '<tool>-races', or the tool itself if it is of this package and has races, or the
    /// only one whose name ends with '-races', or the tool if it is of this package, or the only one that depends on
    /// the search.
    func choice(for tool: String, hasRaces: Bool) -> Choice {
        if executables.contains("\(tool)-races") { return .program("\(tool)-races") }
        if hasRaces, executables.contains(tool) { return .program(tool) }
        let named = executables.filter { $0.hasSuffix("-races") }
        if named.isEmpty, executables.contains(tool) { return .program(tool) }
        let candidates = named.isEmpty ? executables.filter(users.contains) : named
        return switch candidates.count {
        case 0: .none
        case 1: .program(candidates[0])
        default: .several(candidates)
        }
    }
}

/// The part of the output of `swift package dump-package` that is needed.
private struct Manifest: Decodable {
    struct Product: Decodable {
        let name: String
        let targets: [String]
        let isExecutable: Bool

        private enum CodingKeys: CodingKey { case name, targets, type }
        private enum Kinds: CodingKey { case executable }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            name = try fields.decode(String.self, forKey: .name)
            targets = try fields.decode([String].self, forKey: .targets)
            isExecutable = try fields.nestedContainer(keyedBy: Kinds.self, forKey: .type).contains(.executable)
        }
    }

    struct Target: Decodable {
        let name: String
        let type: String
        /// The names of products and targets.
        let dependencies: Set<String>

        private enum CodingKeys: CodingKey { case name, type, dependencies }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            name = try fields.decode(String.self, forKey: .name)
            type = try fields.decode(String.self, forKey: .type)
            let all = try fields.decode([Dependency].self, forKey: .dependencies)
            dependencies = Set(all.compactMap(\.name))
        }
    }

    /// `{ "product": ["RxBench", "rx", …] }`, or with `target` or `byName`: the first word is the name.
    struct Dependency: Decodable {
        let name: String?

        private enum Kinds: CodingKey { case product, target, byName }

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Kinds.self)
            guard let kind = fields.allKeys.first else {
                name = nil
                return
            }
            var words = try fields.nestedUnkeyedContainer(forKey: kind)
            name = try words.decode(String.self)
        }
    }

    let products: [Product]
    let targets: [Target]

    init(_ json: Data) throws { self = try JSONDecoder().decode(Manifest.self, from: json) }
}

/// The name of a kind of machine, under which results are stored together.
public enum MachineName {
    /// The name where nothing tells the machine.
    public static let unknown = "unknown"

    /// A stable lowercase name such as `linux-x86_64-amd-epyc-2c`: system, architecture, processor, cores.
    public static func slug(system: String, architecture: String, processor: String?, cores: Int) -> String {
        "\(system.lowercased())-\(architecture.lowercased())-\(model(of: processor))-\(cores)c"
    }

    /// Whether `text` may name a machine: lowercase letters, digits and underscores, with single hyphens between them.
    public static func isValid(_ text: String) -> Bool {
        text.utf8.count <= 100
            && text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).allSatisfy { word in
                !word.isEmpty
                    && word.allSatisfy {
                        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "_")
                    }
            }
    }

    /// What is left of a processor's name without marketing: `amd-epyc`.
    package static func model(of processor: String?) -> String {
        let marketing: Set<String> = ["cpu", "processor", "r", "tm", "with", "core", "cores", "virtual"]
        let words = (processor ?? "unknown").lowercased().prefix { $0 != "@" }
            .replacing("(r)", with: " ").replacing("(tm)", with: " ")
            .split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
            .filter { !marketing.contains(String($0)) && !$0.hasSuffix("-core") }
        return words.isEmpty ? "unknown" : words.prefix(5).joined(separator: "-")
    }
}

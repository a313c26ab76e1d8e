/// The name of a kind of machine, under which results are stored together.
public enum MachineName {
    /// A stable lowercase name such as `linux-x86_64-amd-epyc-2c`: system, architecture, processor, cores.
    public static func slug(system: String, architecture: String, processor: String?, cores: Int) -> String {
        let marketing: Set<String> = ["cpu", "processor", "r", "tm", "with", "core", "cores", "virtual"]
        let words = (processor ?? "unknown").lowercased().prefix { $0 != "@" }
            .replacing("(r)", with: " ").replacing("(tm)", with: " ")
            .split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
            .filter { !marketing.contains(String($0)) && !$0.hasSuffix("-core") }
        let model = words.isEmpty ? "unknown" : words.prefix(5).joined(separator: "-")
        return "\(system.lowercased())-\(architecture.lowercased())-\(model)-\(cores)c"
    }
}

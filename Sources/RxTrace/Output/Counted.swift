extension String {
    /// A number of things in words: `1 run`, `2 runs`.
    package static func counted(_ count: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }
}

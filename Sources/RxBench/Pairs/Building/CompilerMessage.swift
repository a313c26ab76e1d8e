/// One error as a compiler prints it.
package struct CompilerMessage: Equatable {
    let file: String
    /// Both from 1.
    let line, column: Int
    let text: String

    /// The errors in what a build printed, each once.
    static func errors(in output: String) -> [CompilerMessage] {
        var errors: [CompilerMessage] = []
        for line in output.split(separator: "\n") {
            guard
                let match = line.wholeMatch(
                    of: #/(?<file>/[^:]+):(?<line>[0-9]+):(?<column>[0-9]+): error: (?<text>.*)/#),
                let number = Int(match.line), let column = Int(match.column)
            else { continue }
            let error = CompilerMessage(
                file: String(match.file), line: number, column: column, text: String(match.text))
            if !errors.contains(error) { errors.append(error) }
        }
        return errors
    }

    /// The first errors, or those without a place, or the last words of a build that names none.
    package static func summary(_ output: String) -> String {
        let errors = errors(in: output)
        guard errors.isEmpty else {
            return errors.prefix(5).map { "\($0.file):\($0.line): \($0.text)" }.joined(separator: "\n")
        }
        // The invocation of a linker names every object, in a line of some kilobytes.
        let lines = output.split(separator: "\n").filter { $0.utf8.count < 1_000 }
        let complaints = linkerReasons(lines) + lines.filter { $0.hasPrefix("error: ") }
        return (complaints.isEmpty ? lines.suffix(8) : complaints.prefix(5)).joined(separator: "\n")
    }

    /// Why a linker gave up, in its own words.
    private static func linkerReasons(_ lines: [Substring]) -> [Substring] {
        let signs = [
            "undefined reference to", "undefined symbol", "multiple definition of", "duplicate symbol",
            "cannot find -l", "ld: error:", "ld.gold: error:",
        ]
        return lines.filter { line in signs.contains { line.contains($0) } }
    }
}

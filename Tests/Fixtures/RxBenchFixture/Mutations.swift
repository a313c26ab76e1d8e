import Foundation
import RxBench
import RxBenchCommands
import RxBenchEngine

/// Reads mutated result files and uses each one as the tool does, to check that none ends the process.
///
/// `RxBenchFixture mutate FILE COUNT SEED [FIRST]`: mutant number *n* depends only on the seed and *n*, so `COUNT 1`
/// and `FIRST n` repeat one mutant.
struct Mutations {
    private let original: [UInt8]
    private let result: RunResult
    private let seed: UInt64
    /// Whether there is only one mutant. It is then printed.
    private let isAlone: Bool

    static func run(_ arguments: [String]) -> Never {
        guard arguments.count >= 3, let data = FileManager.default.contents(atPath: arguments[0]),
            let count = Int(arguments[1]),
            let seed = UInt64(arguments[2]), let result = try? RunResult.decoded(from: Array(data), name: "original")
        else { exit(64) }
        let first = arguments.count > 3 ? Int(arguments[3]) ?? 0 : 0
        let mutations = Mutations(original: Array(data), result: result, seed: seed, isAlone: count == 1)
        var accepted = 0
        for number in first..<(first + count) {
            // Written before each thousand mutants, so that a crash shows where to look.
            if number % 1_000 == 0 { FileHandle.standardError.write(Data("from \(number)\n".utf8)) }
            if mutations.read(number) { accepted += 1 }
        }
        print(
            """
            \(count) mutants of seed \(seed): \(accepted) read as results, \
            \(count - accepted) refused in a sentence each
            """)
        exit(0)
    }

    /// Returns whether the mutant is still a result.
    private func read(_ number: Int) -> Bool {
        let bytes = mutant(of: original, number)
        if isAlone { FileHandle.standardError.write(Data(bytes)) }
        do {
            use(try RunResult.decoded(from: bytes, name: "mutant"), isThorough: number % 16 == 0)
            return true
        } catch {
            guard error.description.hasPrefix("'mutant' "), error.description.hasSuffix("."),
                !error.description.contains("\n")
            else {
                fatalError("no sentence: \(error.description)")
            }
            return false
        }
    }

    /// Uses a result as the tool's verbs do.
    private func use(_ mutant: RunResult, isThorough: Bool) {
        let report = RunReport(mutant)
        blackHole(report.text() + report.verdict)
        for (before, after) in [(result, mutant), (mutant, result)] {
            blackHole(ResultComparison.obstacles(before, after))
            let comparison = ComparisonReport(ResultComparison(before, after))
            blackHole(comparison.table(isComplete: true).text + comparison.verdict + comparison.notes.joined())
        }
        var budgets = Budgets(conditions: Budgets.Conditions(result.environment))
        blackHole(budgets.update(with: mutant, known: Set(mutant.benchmarks.map(\.id)), reason: nil))
        let check = BudgetReport(BudgetCheck(result, against: budgets, known: []))
        blackHole(check.table(isComplete: true).text + check.verdict + check.notes.joined())
        blackHole(try? ResultMerge.merge([("a", mutant), ("b", result)], order: []))
        blackHole(try? ResultMerge.merge([("a", mutant)], order: []))
        blackHole(mutant.encoded())
        guard isThorough else { return }
        blackHole(HTMLReport(mutant, baseline: result).document + MarkdownReport(mutant).document)
        for format in ExportFormats.all { blackHole(format.document(of: [mutant])) }
        let summary = ResultSummary(mutant)
        let trend = TrendReport(Trend([ResultSummary(result), summary, summary], history: .unavailable("none")))
        blackHole(trend.verdict + trend.notes.joined())
    }

    /// The original with one to four changes.
    private func mutant(of original: [UInt8], _ number: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(number))
        var bytes = original
        // Every other mutant stays JSON, so that more than the parser is tested.
        let keepsShape = number.isMultiple(of: 2)
        for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
            Self.change(&bytes, &generator, keepsShape: keepsShape)
        }
        return bytes
    }

    /// Replacements for numbers and other values: the ends of ranges, and values of other types.
    private static let values = [
        "0", "-1", "1", "1e308", "-1e308", "1e-320", "9223372036854775807", "9223372036854775808",
        "18446744073709551615", "0.1", "1e15", "1e19", "2",
        "-0.0", "1e400", "18446744073709551616", "null", "true", "\"\"", "[]", "{}", "\"\\ud83d\\ude00\"",
        "\"\\u0000\"", "[[1e308,1e308]]",
    ].map { Array($0.utf8) }

    private static func change(_ bytes: inout [UInt8], _ generator: inout SeededGenerator, keepsShape: Bool) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        let length = min(Int.random(in: 1...40, using: &generator), bytes.count - place)
        switch keepsShape ? 9 : Int.random(in: 0..<10, using: &generator) {
        case 0: bytes[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &generator))
        case 1: bytes.removeSubrange(place..<place + length)
        case 2: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
        case 3: bytes.removeSubrange(place...)
        case 4: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        default:
            let choice = keepsShape ? values.prefix(13) : values[...]
            guard let range = number(in: bytes, from: place), let value = choice.randomElement(using: &generator) else {
                return
            }
            bytes.replaceSubrange(range, with: value)
        }
    }

    /// Finds the next number after a colon, a bracket or a comma.
    private static func number(in bytes: [UInt8], from place: Int) -> Range<Int>? {
        func isNumeric(_ byte: UInt8) -> Bool {
            (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte)
        }
        var start = place
        while start < bytes.count, ![0x3A, 0x5B, 0x2C].contains(bytes[start]) { start += 1 }
        start += 1
        while start < bytes.count, !(0x30...0x39).contains(bytes[start]) { start += 1 }
        var end = start
        while end < bytes.count, isNumeric(bytes[end]) { end += 1 }
        return start < end ? start..<end : nil
    }
}

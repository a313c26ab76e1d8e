import Foundation
import Rx
import RxTrace

// Leaks                 lists the gallery
// Leaks NAME            repeats a leak or its twin and prints the report: Leaks self-in-own-bag/leak
// Leaks NAME --finding  prints one line for scripts/leak-gallery: verdict, names, grade

/// Repeats `scenario` and returns the exit code: 0 if the report says what it should.
func examine(_ scenario: LeakScenario, asFinding: Bool) async -> Int32 {
    let report = await scenario.detectGrowth()
    let finding = scenario.finding(in: report)
    if asFinding {
        func word(_ isRight: Bool) -> String { isRight ? "yes" : "no" }
        print(word(finding.isVerdictRight), word(finding.missingNames.isEmpty), word(finding.isGradeRight))
    } else {
        print(LeakTree().text(of: LeakRecord(report)))
        if !finding.missingNames.isEmpty { print("The report does not name \(finding.missingNames.joined(separator: ", ")).") }
    }
    return finding.isRight ? 0 : 1
}

let arguments = CommandLine.arguments.dropFirst()
let scenarios = PlantedLeak.all.flatMap { [$0.leak, $0.twin] }

guard let name = arguments.first else {
    for planted in PlantedLeak.all { print("\(planted.name)\n  \(planted.mistake)\n  \(planted.remedy)") }
    print("Run 'Leaks \(scenarios[0].name)' to see the report of one, or 'Leaks \(scenarios[1].name)' for its clean twin.")
    exit(0)
}
guard let scenario = scenarios.first(where: { $0.name == name }) else {
    FileHandle.standardError.write(Data("Error: There is no '\(name)'. The names are \(scenarios.map(\.name).joined(separator: ", ")).\n".utf8))
    exit(64)
}
exit(await examine(scenario, asFinding: arguments.contains("--finding")))

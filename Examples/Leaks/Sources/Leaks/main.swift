import Foundation
import Rx
import RxTrace
import RxTraceObjects

// Leaks                        lists the gallery
// Leaks --pairs                lists the names of all pairs
// Leaks NAME …                 repeats leaks or their twins and prints the report: Leaks self-in-own-bag/leak
// Leaks --format FORMAT NAME … prints the report for another tool: json, junit, sarif
// Leaks --rounds COUNT [--objects] NAME
//                              looks for growth COUNT times in one process, with or without following objects,
//                              and prints the number of rounds with a right verdict, and with a right verdict
//                              and names, for scripts/bars/leak-pairs

func fail(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data("Error: \(sentence)\n".utf8))
    exit(64)
}

let planted = PlantedLeak.all + PlantedLeak.circumstances
let scenarios = planted.flatMap { [$0.leak, $0.twin] }
var names = Array(CommandLine.arguments.dropFirst())
var format: any LeakFormat = LeakTree()
if names.first == "--format" {
    guard names.count > 1, let named = LeakFormats.named(names[1]) else {
        fail("'--format' takes one of \(LeakFormats.all.map(\.name).joined(separator: ", ")).")
    }
    format = named
    names.removeFirst(2)
}
if names.first == "--rounds" {
    guard names.count > 2, let rounds = Int(names[1]), let scenario = scenarios.first(where: { $0.name == names.last })
    else {
        fail("'--rounds' takes a number and a name.")
    }
    RxTrace.followsObjects = names.contains("--objects")
    var right = 0
    var named = 0
    for _ in 0..<rounds {
        let report = await scenario.detectGrowth()
        let finding = scenario.finding(in: report)
        right += finding.isVerdictRight ? 1 : 0
        named += finding.isVerdictRight && finding.missingNames.isEmpty ? 1 : 0
        if !finding.isVerdictRight || !finding.missingNames.isEmpty {
            FileHandle.standardError.write(
                Data("The report does not name \(finding.missingNames): \(report.details)\n".utf8))
        }
    }
    print(right, named)
    exit(0)
}
if names == ["--pairs"] {
    planted.forEach { print($0.name) }
    exit(0)
}
if names.isEmpty {
    for planted in PlantedLeak.all { print("\(planted.name)\n  \(planted.mistake)\n  \(planted.remedy)") }
    print("\nUnder circumstances in which a detector is easily misled:")
    for planted in PlantedLeak.circumstances { print("  \(planted.name)\n  \(planted.mistake)\n  \(planted.remedy)") }
    print(
        "Run 'Leaks \(scenarios[0].name)' to see the report of one, or 'Leaks \(scenarios[1].name)' for its clean twin."
    )
    exit(0)
}

// Record all details: the calls that made the leaked objects, and their holders.
RxTrace.level = .paranoid

var reports: [GrowthReport] = []
var isRight = true
for name in names {
    guard let scenario = scenarios.first(where: { $0.name == name }) else {
        fail("There is no '\(name)'. The names are \(scenarios.map(\.name).joined(separator: ", ")).")
    }
    let report = await scenario.detectGrowth()
    let finding = scenario.finding(in: report)
    isRight = isRight && finding.isRight
    reports.append(report)
    if !finding.missingNames.isEmpty {
        FileHandle.standardError.write(
            Data("The report does not name \(finding.missingNames.joined(separator: ", ")).\n".utf8))
    }
}
print(format.text(of: LeakDocument(reports)), terminator: "")
exit(isRight ? 0 : 1)

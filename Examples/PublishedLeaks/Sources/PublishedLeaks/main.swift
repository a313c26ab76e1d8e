// Searches for published leaks, and compares the reports with the known causes. Each search runs in a separate process;
// with '--together' all run in this process, one after another, as the tests of a suite do.
//
// published-leaks [NAME …] [--details] [--innocents COUNT] [--together]

import Foundation

/// Prints an error and ends the process.
func fail(_ sentence: String) -> Never {
    FileHandle.standardError.write(Data("Error: \(sentence)\n".utf8))
    exit(64)
}

var arguments = Array(CommandLine.arguments.dropFirst())

if arguments.first == "--case", arguments.count == 4, let innocents = Int(arguments[3]) {
    guard let leak = PublishedLeak.all.first(where: { $0.name == arguments[1] }) else {
        fail("There is no case '\(arguments[1])'.")
    }
    let finding = try await CaseProcess.search(leak, variant: arguments[2], innocents: innocents)
    FileHandle.standardOutput.write(try JSONEncoder().encode(finding))
    exit(0)
}

var innocents = 300
if let index = arguments.firstIndex(of: "--innocents") {
    guard index + 1 < arguments.count, let count = Int(arguments[index + 1]), count >= 0 else {
        fail("'--innocents' takes a number.")
    }
    innocents = count
    arguments.removeSubrange(index...index + 1)
}
let showsDetails = arguments.contains("--details")
let areTogether = arguments.contains("--together")
arguments.removeAll { $0 == "--details" || $0 == "--together" }
var leaks = PublishedLeak.all.filter { leak in
    arguments.isEmpty || arguments.contains { leak.name.contains($0) }
}
guard !leaks.isEmpty else {
    fail("No name contains \(arguments). The names are \(PublishedLeak.all.map(\.name).joined(separator: ", ")).")
}

// Some libraries have to be called on the main thread, which no code runs on after the first suspension on Linux.
if areTogether { leaks = leaks.filter { !$0.leaky.isAsynchronous } + leaks.filter(\.leaky.isAsynchronous) }

@MainActor func finding(_ leak: PublishedLeak, variant: String) async throws -> Finding {
    guard areTogether else { return try CaseProcess.run(leak, variant: variant, innocents: innocents) }
    return try await CaseProcess.search(leak, variant: variant, innocents: innocents)
}

setvbuf(stdout, nil, Int32(_IOLBF), 0)
var (found, accused) = (0, 0)
for leak in leaks {
    let leaky = try await finding(leak, variant: "leaky")
    let fixed = try await finding(leak, variant: "fixed")
    let faults = leaky.faults(of: leak)
    found += faults.isEmpty ? 1 : 0
    let isTwinClean = fixed.isClean(except: leak.leakOfSystem)
    accused += isTwinClean ? 0 : 1
    let cause = faults.isEmpty ? "right cause" : "WRONG (\(faults.joined(separator: ", ")))"
    let clean = fixed.isLeak ? "clean except for a leak of the system" : fixed.outcome
    let twin = isTwinClean ? clean : "ACCUSED (\(fixed.outcome))"
    print("\(leak.name): \(leaky.outcome), \(cause), twin \(twin)")
    print("    \(leaky.headlines.first ?? "no leak reported")")
    if showsDetails { print(leaky.details) }
    if showsDetails || !isTwinClean { print(fixed.details) }
}
print("\(found) of \(leaks.count) found with the right cause; \(accused) twins accused")
exit(found == leaks.count && accused == 0 ? 0 : 1)

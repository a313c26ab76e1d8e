import RxBenchRaces

// Compiled with instrumentation by 'scripts/races': faults that a search must find, twins that it must not report,
// programs with a known set of outcomes, and random programs.
if CommandLine.arguments.dropFirst().first == "random-programs" {
    RandomPrograms.check(count: CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1_000)
} else {
    RaceMain.run(
        cleanTwins + endlessRaces + plantedFaults + litmusTests
            + freedMemory + plantedTaskFaults + cleanTaskTwins + taskLitmusTests + referenceRaces + outlinedRaces
            + memoryPrograms + combinedPrograms + lockPrograms + queuePrograms + waitingPrograms + atomicPrograms
            + programsInC + kindsOfRaces + waysOfRaces + foundationPrograms + concurrencyPrograms + filePrograms
            + repeatedRaces + lateStorePrograms)
}

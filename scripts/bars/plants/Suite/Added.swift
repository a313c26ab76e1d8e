// plant: There is a new benchmark, of a function that base does not have, and it fails.
// twin: There is a new benchmark, of a function that base does not have, and it works.
// beside: planted/steady
// expected: not in base, failed: Its check expected 46 and got 45
// exit: 3
// twin-expected: not in base
// all:
import PlantedWork
import RxBench

// base:
let added: [Benchmark] = []
// planted:
let added: [Benchmark] = [Benchmark.work("planted/added", is: 46) { fresh() }]
// twin:
let added: [Benchmark] = [Benchmark.work("planted/added", is: 45) { fresh() }]

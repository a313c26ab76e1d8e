// plant: The benchmark is deleted.
// twin: It is defined by other words.
// expected: not in head
// exit: 4
// all:
import PlantedWork
import RxBench

// base:
let deleted = [Benchmark.work("planted/deleted", is: 45) { steady() }]
// planted:
let deleted: [Benchmark] = []
// twin:
let deleted = [45].map { expected in Benchmark.work("planted/deleted", is: expected) { steady() } }

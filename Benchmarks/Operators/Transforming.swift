import Rx
import RxBench

/// Operators that make something else of each element.
let transforming: [Benchmark] = [
    .push("operator/map", decides: "The unit in which other operators are measured.", tags: ["stateless"], expecting: 1_000) { $0.map { $0 &+ 1 } },
    .push("operator/compact-map", decides: "Whether an optional result costs more than map.", tags: ["stateless"], expecting: 500, relativeTo: "operator/map") {
        $0.compactMap { $0 & 1 == 0 ? $0 : nil }
    },
    .push("operator/scan", decides: "Whether state per subscription costs more than map.", tags: ["stateful"], expecting: 1_000, relativeTo: "operator/map") {
        $0.scan(0) { $0 &+ $1 }
    },
    .stream("operator/reduce", decides: "What folding a sequence costs.", tags: ["stateful"], elements: 10_000, expecting: 1, allocations: 4) {
        integers(10_000).reduce(0) { $0 &+ $1 }
    },
    .push("operator/enumerated", decides: "Whether a checked counter costs more than map.", tags: ["stateful"], expecting: 1_000, relativeTo: "operator/map") {
        $0.enumerated()
    },
    .push("operator/materialize", decides: "What wrapping elements in events costs.", tags: ["stateless"], expecting: 1_000, relativeTo: "operator/map") {
        $0.materialize()
    },
    .stream("operator/to-array?elements=10000", decides: "What collecting a sequence costs.", tags: ["stateful"], elements: 10_000, expecting: 1, allocations: 17) {
        integers(10_000).toArray().asObservable()
    },
    .push("operator/scan/into", decides: "Whether to fold into a value in place rather than to make a new one.", tags: ["stateful"], expecting: 1_000, relativeTo: "operator/map") {
        $0.scan(into: 0) { $0 &+= $1 }
    },
    .push("operator/dematerialize", decides: "What taking events apart costs, beside making them.", tags: ["stateless"], expecting: 1_000, relativeTo: "operator/materialize") {
        $0.materialize().dematerialize()
    },
    .push("operator/with-unretained", decides: "What asking for each element whether an object still lives costs.", tags: ["stateless"], expecting: 1_000, relativeTo: "operator/map") {
        $0.withUnretained(witness) { $1 }
    },
    .push("operator/group-by?groups=8", decides: "What finding an element's group costs.", tags: ["stateful"], expecting: 1_000, relativeTo: "operator/map") {
        $0.groupBy { $0 & 7 }.flatMap { $0 }
    },
]

/// What `withUnretained` asks for.
private final class Witness: Sendable {}
private let witness = Witness()

import Rx
import RxBench

import struct Foundation.Data

/// Operators that transform each element.
let transforming: [Benchmark] = [
    .push(
        "operator/map", decides: "The unit in which other operators are measured.", tags: ["stateless"],
        expecting: 1_000
    ) { $0.map { $0 &+ 1 } },
    .push(
        "operator/compact-map", decides: "Whether an optional result costs more than map.", tags: ["stateless"],
        expecting: 500, relativeTo: "operator/map"
    ) {
        $0.compactMap { $0 & 1 == 0 ? $0 : nil }
    },
    .push(
        "operator/scan", decides: "Whether state per subscription costs more than map.", tags: ["stateful"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.scan(0) { $0 &+ $1 }
    },
    .stream(
        "operator/reduce", decides: "What folding a sequence costs.", tags: ["stateful"], elements: 10_000,
        expecting: 1, allocations: 4
    ) {
        integers(10_000).reduce(0) { $0 &+ $1 }
    },
    .push(
        "operator/enumerated", decides: "Whether a checked counter costs more than map.", tags: ["stateful"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.enumerated()
    },
    .push(
        "operator/pairwise", decides: "Whether remembering an element costs more than map.", tags: ["stateful"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.startWith(0).pairwise()
    },
    .stream(
        "operator/count", decides: "What counting a sequence costs.", tags: ["stateful"], elements: 10_000,
        expecting: 1
    ) {
        integers(10_000).count()
    },
    .stream(
        "operator/expand?depth=1000", decides: "What one more level costs that is made of an element.",
        tags: ["joining"], elements: 1_000, expecting: 1_000
    ) {
        Observable.just(1).expand { $0 < 1_000 ? Observable.just($0 &+ 1) : .empty() }
    },
    .push(
        "operator/buffer-with-trigger", decides: "What an element costs that waits for another sequence.",
        tags: ["stateful"], expecting: 1_000, relativeTo: "operator/map", allocations: nil
    ) {
        $0.bufferWithTrigger($0)
    },
    .push(
        "operator/materialize", decides: "What wrapping elements in events costs.", tags: ["stateless"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.materialize()
    },
    .push(
        "operator/with-unretained", decides: "What a weak reference costs an element.", tags: ["stateless"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.withUnretained(LastingOwner.instance) { owner, value in value &+ owner.step }
    },
    .push(
        "operator/group-by?keys=10", decides: "What looking up the group of an element costs.", tags: ["stateful"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.groupBy { $0 % 10 }.flatMap { $0 }
    },
    .push(
        "operator/group-by?keys=1000", decides: "What looking up one of many groups costs.", tags: ["stateful"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.groupBy { $0 % 1_000 }.flatMap { $0 }
    },
    .stream(
        "operator/to-array?elements=10000", decides: "What collecting a sequence costs.", tags: ["stateful"],
        elements: 10_000, expecting: 1, allocations: 17
    ) {
        integers(10_000).toArray().asObservable()
    },
    .push(
        "operator/scan/into", decides: "Whether to fold into a value in place rather than to make a new one.",
        tags: ["stateful"], expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.scan(into: 0) { $0 &+= $1 }
    },
    .push(
        "operator/dematerialize", decides: "What taking events apart costs, beside making them.", tags: ["stateless"],
        expecting: 1_000, relativeTo: "operator/materialize"
    ) {
        $0.materialize().dematerialize()
    },
    .push(
        "operator/decode", decides: "What handing data to a decoder costs beside the decoding.", tags: ["stateless"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.map { _ in Length.ten }.decode(type: Int.self, decoder: Length())
    },
]

/// A decoder that does almost no work: its result is the number of bytes of the data.
private struct Length: DataDecoder {
    static let ten = Data(repeating: 1, count: 10)

    func decode<Item: Decodable>(_ type: Item.Type, from data: Data) throws -> Item {
        guard let count = data.count as? Item else { throw RxError.unknown }
        return count
    }
}

/// An object that outlives every benchmark.
private final class LastingOwner: Sendable {
    static let instance = LastingOwner()
    let step = 1
}

import Rx
import RxBench

/// Chains of stateless operators, and the equivalent hand-written loops.
///
/// The twelve closures have distinct bodies: the compiler would merge identical closures into one function.
let chains: [Benchmark] =
    Closures.allCases.flatMap { closures in
        [1, 6, 12].flatMap { depth in [handLoop(depth: depth, closures), chain(depth: depth, closures)] }
    } + [textChain, mixedChain]

private let elements = 10_000

/// Whether the closures of a chain capture variables: the compiler cannot inline capturing closures into the operators.
private enum Closures: String, CaseIterable {
    case plain, capturing
}

private func handLoopID(_ depth: Int, _ closures: Closures) -> String {
    "operator/limit/hand-loop?depth=\(depth)&closures=\(closures.rawValue)"
}

private func chain(depth: Int, _ closures: Closures) -> Benchmark {
    Benchmark(
        "operator/chain/map-filter?depth=\(depth)&closures=\(closures.rawValue)",
        decides: "Whether a chain of stateless operators costs more than the loop one would write in its place.",
        tags: ["chain", "stateless"], operations: elements, relativeTo: handLoopID(depth, closures),
        limits: limits(depth, closures),
        stages: depth > 1 ? stages(of: steps(closures, depth), elements: elements) : []
    ) {
        let sum = Sum()
        let cell = sum.cell
        let sequence = steps(closures, depth).reduce(integers(elements)) { $1.apply($0) }
        let hiddenSequence = hidden(sequence)
        var total = 0
        return Workload(check: { try confirm(total, is: expectedSum(depth)) }) {
            _ = hiddenSequence.subscribe(onNext: { cell.pointee &+= $0 })
            total = sum.take()
            blackHole(total)
        }
    }
}

/// The project's limits for a chain of twelve: the nanoseconds of each operator and event, and the ratio to the loop.
private func limits(_ depth: Int, _ closures: Closures) -> [Limit] {
    guard depth == 12 else { return [] }
    let nanoseconds: Double = closures == .plain ? 3 : 7
    return [.time(atMostNanoseconds: nanoseconds * 12), .ratio(atMost: 1.5), .allocationsPerIteration(atMost: 15)]
}

private func handLoop(depth: Int, _ closures: Closures) -> Benchmark {
    Benchmark(
        handLoopID(depth, closures), decides: "The limit: a loop over the same closures, without a library.",
        tags: ["limit"], operations: elements
    ) {
        let k = opaque(1)
        let (maps, filters) =
            switch closures {
            case .plain: (plainMaps(), plainFilters())
            case .capturing: (capturingMaps(k), capturingFilters(k))
            }
        let sum = Sum()
        let cell = sum.cell
        var total = 0
        return Workload(check: { try confirm(total, is: expectedSum(depth)) }) {
            switch depth {
            case 1: loop(maps.0) { cell.pointee &+= $0 }
            case 6: loop(maps.0, filters.0, maps.1, filters.1, maps.2, filters.2) { cell.pointee &+= $0 }
            default:
                loop(
                    maps.0, filters.0, maps.1, filters.1, maps.2, filters.2,
                    maps.3, filters.3, maps.4, filters.4, maps.5, filters.5
                ) { cell.pointee &+= $0 }
            }
            total = sum.take()
            blackHole(total)
        }
    }
}

/// The sum of every chain and loop of a depth. With `k` = 1, the capturing closures compute the same as the plain ones.
private func expectedSum(_ depth: Int) -> Int {
    (0..<elements).reduce(0) { total, value in
        var x = value &+ 1
        if depth == 1 { return total &+ x }
        x = (x ^ 5) &* 3
        if depth == 6 { return total &+ x }
        return total &+ (((x >> 1) | 64) &- 9)
    }
}

// MARK: The chains

/// The operators of the chains, in order. Their closures are written only here: the compiler would merge a second
/// closure with the same text with the first one, and the chain would take 37 ns instead of 26.
private func steps(_ closures: Closures, _ depth: Int) -> [Step] {
    let k = opaque(1)
    let all: [Step] =
        switch closures {
        case .plain:
            [
                Step("map") { $0.map { $0 &+ 1 } }, Step("filter") { $0.filter { $0 >= 0 } },
                Step("map") { $0.map { $0 ^ 5 } },
                Step("filter") { $0.filter { $0 != -7 } }, Step("map") { $0.map { $0 &* 3 } },
                Step("filter") { $0.filter { $0 < 1 << 60 } },
                Step("map") { $0.map { $0 >> 1 } }, Step("filter") { $0.filter { ($0 | 7) > 0 } },
                Step("map") { $0.map { $0 | 64 } },
                Step("filter") { $0.filter { ($0 & 0xffff_ffff_ffff) >= 0 } }, Step("map") { $0.map { $0 &- 9 } },
                Step("filter") { $0.filter { ($0 ^ 3) != 1 << 50 } },
            ]
        case .capturing:
            [
                Step("map") { $0.map { $0 &+ k } }, Step("filter") { $0.filter { $0 >= -k } },
                Step("map") { $0.map { $0 ^ (k &+ 4) } },
                Step("filter") { $0.filter { $0 != -7 &- k } }, Step("map") { $0.map { $0 &* (k &+ 2) } },
                Step("filter") { $0.filter { $0 < k << 58 } },
                Step("map") { $0.map { $0 >> k } }, Step("filter") { $0.filter { ($0 | k) >= 0 } },
                Step("map") { $0.map { $0 | k << 6 } },
                Step("filter") { $0.filter { ($0 & (0xffff_ffff << k)) >= 0 } },
                Step("map") { $0.map { $0 &- (k &+ 8) } },
                Step("filter") { $0.filter { ($0 ^ k) != 1 << 50 } },
            ]
        }
    return Array(all.prefix(depth))
}

// MARK: The loops

private typealias Map = (Int) throws -> Int
private typealias Filter = (Int) throws -> Bool

private func plainMaps() -> (Map, Map, Map, Map, Map, Map) {
    ({ $0 &+ 1 }, { $0 ^ 5 }, { $0 &* 3 }, { $0 >> 1 }, { $0 | 64 }, { $0 &- 9 })
}

private func plainFilters() -> (Filter, Filter, Filter, Filter, Filter, Filter) {
    (
        { $0 >= 0 }, { $0 != -7 }, { $0 < 1 << 60 }, { ($0 | 7) > 0 }, { ($0 & 0xffff_ffff_ffff) >= 0 },
        { ($0 ^ 3) != 1 << 50 }
    )
}

private func capturingMaps(_ k: Int) -> (Map, Map, Map, Map, Map, Map) {
    ({ $0 &+ k }, { $0 ^ (k &+ 4) }, { $0 &* (k &+ 2) }, { $0 >> k }, { $0 | k << 6 }, { $0 &- (k &+ 8) })
}

private func capturingFilters(_ k: Int) -> (Filter, Filter, Filter, Filter, Filter, Filter) {
    (
        { $0 >= -k }, { $0 != -7 &- k }, { $0 < k << 58 }, { ($0 | k) >= 0 }, { ($0 & (0xffff_ffff << k)) >= 0 },
        { ($0 ^ k) != 1 << 50 }
    )
}

@inline(never)
private func loop(_ a: Map, _ receive: (Int) -> Void) {
    for value in 0..<elements {
        guard let x = try? a(value) else { return }
        receive(x)
    }
}

@inline(never)
private func loop(_ a: Map, _ b: Filter, _ c: Map, _ d: Filter, _ e: Map, _ f: Filter, _ receive: (Int) -> Void) {
    do {
        for value in 0..<elements {
            var x = try a(value)
            guard try b(x) else { continue }
            x = try c(x)
            guard try d(x) else { continue }
            x = try e(x)
            guard try f(x) else { continue }
            receive(x)
        }
    } catch {}
}

@inline(never)
private func loop(
    _ a: Map, _ b: Filter, _ c: Map, _ d: Filter, _ e: Map, _ f: Filter,
    _ g: Map, _ h: Filter, _ i: Map, _ j: Filter, _ k: Map, _ l: Filter, _ receive: (Int) -> Void
) {
    do {
        for value in 0..<elements {
            var x = try a(value)
            guard try b(x) else { continue }
            x = try c(x)
            guard try d(x) else { continue }
            x = try e(x)
            guard try f(x) else { continue }
            x = try g(x)
            guard try h(x) else { continue }
            x = try i(x)
            guard try j(x) else { continue }
            x = try k(x)
            guard try l(x) else { continue }
            receive(x)
        }
    } catch {}
}

// MARK: Reference-counted values

/// Operators over strings are not fused: this measures the cost of one sink for each operator.
private let textChain = Benchmark.stream(
    "operator/chain/text?depth=6", decides: "What a chain over values that must be retained costs.",
    tags: ["chain", "stateless"],
    elements: 1_000, expecting: 1_000, allocations: 9
) {
    let suffix = opaque("-suffix-that-is-longer-than-fifteen-bytes")
    return integers(1_000).map { _ in suffix }
        .filter { $0.utf8.count > 1 }.map { $0 }.filter { $0.utf8.count != 3 }.map { $0 }.filter {
            $0.utf8.count < 1_000
        }
}

// MARK: Operators of all kinds

/// The parts of an application's pipeline: stateless operators, operators with state per subscription, a coordinator.
private let mixedSteps = [
    Step("map") { $0.map { $0 &* 2 } }, Step("filter") { $0.filter { $0 & 6 != 2 } },
    Step("scan") { $0.scan(0) { $0 ^ $1 } },
    Step("distinctUntilChanged") { $0.distinctUntilChanged() },
    Step("flatMap(just)") { $0.flatMap { Observable.just($0 &+ 1) } },
    Step("do") { $0.do(onNext: { blackHole($0) }) }, Step("share") { $0.share() }, Step("take") { $0.take(1 << 40) },
]

private let mixedChain = Benchmark(
    "operator/chain/mixed", decides: "Which operator of an everyday pipeline is worth making faster.", tags: ["chain"],
    operations: 1_000,
    stages: stages(of: mixedSteps, elements: 1_000)
) {
    let sequence = hidden(mixedSteps.reduce(integers(1_000)) { $1.apply($0) })
    let sum = Sum()
    let cell = sum.cell
    var received = 0
    return Workload(check: { received > 0 }) {
        _ = sequence.subscribe(onNext: { _ in cell.pointee &+= 1 })
        received = sum.take()
        blackHole(received)
    }
}

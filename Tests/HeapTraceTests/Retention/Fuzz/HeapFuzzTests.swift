#if os(Linux) && Jemalloc
    import CJemalloc
    import Foundation
    import HeapTrace
    import XCTest

    /// Builds random object graphs, and compares the readings of the heap with the known graph.
    ///
    /// `HEAP_FUZZ_GRAPHS=10000` builds that number of graphs. `HEAP_FUZZ_SEED=…` repeats the graphs of a seed.
    final class HeapFuzzTests: XCTestCase {
        private struct Tally {
            var graphs = 0, leaked = 0, explained = 0, proven = 0, chains = 0
        }

        override func setUp() {
            // Refers to jemalloc, so that it is linked.
            XCTAssertEqual(mallctl("thread.tcache.flush", nil, nil, nil, 0), 0)
        }

        func testRandomGraphs_neverProveWhatIsNotTrue() throws {
            let environment = ProcessInfo.processInfo.environment
            let graphs = environment["HEAP_FUZZ_GRAPHS"].flatMap(Int.init) ?? 40
            let seed = environment["HEAP_FUZZ_SEED"].flatMap(UInt64.init) ?? .random(in: 0...(.max))
            print("seed \(seed)")
            var random = SeededGenerator(seed: seed)
            var tally = Tally()
            var next = 0
            while tally.graphs < graphs {
                try round(of: min(50, graphs - tally.graphs), &next, &random, &tally)
            }
            print(
                """
                \(tally.graphs) graphs: \(tally.leaked) leaked objects, \(tally.explained) explained, \
                \(tally.proven) of them proven; \(tally.chains) proven chains
                """
            )
            XCTAssertGreaterThan(tally.proven, tally.leaked / 2)
            XCTAssertGreaterThan(tally.chains, 0)
        }

        /// Checks one snapshot of many graphs.
        private func round(
            of count: Int, _ next: inout Int, _ random: inout SeededGenerator, _ tally: inout Tally
        ) throws {
            var graphs: [FuzzGraph] = []
            var locals: [FuzzNode] = []
            for _ in 0..<count {
                let graph = FuzzGraph(from: next, &random, locals: &locals)
                next = graph.numbers.upperBound
                graphs.append(graph)
            }
            let snapshot = try HeapSnapshot.capture()
            let living = FuzzNode.alive
            for graph in graphs {
                let alive = graph.alive
                XCTAssertEqual(
                    living.filter { graph.numbers.contains($0) }, alive, "The graph is not what it should be.")
                let leaked = alive.subtracting(graph.held)
                tally.graphs += 1
                tally.leaked += leaked.count
                for number in alive { check(number, graph, leaked, snapshot, &tally) }
            }
            withExtendedLifetime(locals) {}
            for graph in graphs { graph.clear() }
            FuzzGraph.held = []
        }

        private func check(
            _ number: Int, _ graph: FuzzGraph, _ leaked: Set<Int>, _ snapshot: HeapSnapshot, _ tally: inout Tally
        ) {
            guard let retention = snapshot.retention(of: [graph.addresses[number]!]) else { return }
            if leaked.contains(number) { tally.explained += 1 }
            XCTAssertFalse(retention.steps.isEmpty)
            guard retention.grade == .proven else { return }
            if retention.isCycle {
                XCTAssertTrue(leaked.contains(number), "Held from outside, and yet a proven cycle: \(retention)")
                tally.proven += 1
            } else {
                XCTAssertTrue(
                    graph.reachable(from: graph.globals).contains(number),
                    "Not held by the global, and yet a proven chain: \(retention)")
                tally.chains += 1
            }
        }
    }
#endif

import PeersSuite
import PeersWork
import Testing

@Suite("Peers", .serialized) struct PeersTests {
    @Test(arguments: [rxLeg] + peers) func `a leg's results are those expected, whatever their number`(leg: Leg) {
        for operations in [20, 60] { #expect(leg.problems(operations: operations) == []) }
    }

    @Test func `Rx has every workload`() {
        #expect(Family.allCases.filter { rxLeg.round($0, 20) == nil } == [])
    }

    @Test func `a leg has no counterpart of these workloads, and no others`() {
        let missing = peers.prefix(3).map { leg in
            "\(leg.name): " + Family.allCases.filter { leg.round($0, 20) == nil }.map { "\($0)" }.joined(separator: " ")
        }
        #expect(
            missing == [
                "open-combine: create groupBy merge withLatestFrom combineLatest shareReplay recursion virtualTime",
                "async-sequence: groupBy behavior withLatestFrom combineLatest shareReplay flatMapLatest "
                    + "schedule recursion virtualTime delay",
                "hand-loop: recursion virtualTime",
            ])
    }

    @Test func `a planted leg that loses an element is named`() {
        let planted = Leg("planted") { _, operations in { (0..<operations - 1).reduce(0, +) } }
        #expect(
            planted.problems(operations: 20, families: [.range]) == [
                "'planted/source/range', 20 operations, round 1: success(171), expected 190.",
                "'planted/source/range', 20 operations, round 2: success(171), expected 190.",
            ])
    }
}

extension Leg: CustomTestStringConvertible {
    public var testDescription: String { name }
}

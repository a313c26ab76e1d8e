import AsyncLeg
import LoopLeg
import OpenCombineLeg
import PeersWork
import RxBench
import RxLeg

#if PEER_RXSWIFT
    import RxSwiftLeg
#endif

/// The leg that all other legs are compared with.
public let rxLeg = Leg("rx") { RxLeg.makeRound($0, $1) }

/// The alternatives to Rx.
public let peers: [Leg] = {
    var peers = [
        Leg("open-combine") { OpenCombineLeg.makeRound($0, $1) },
        Leg("async-sequence") { AsyncLeg.makeRound($0, $1) },
        Leg("hand-loop") { LoopLeg.makeRound($0, $1) },
    ]
    #if PEER_RXSWIFT
        peers.append(Leg("rx-swift") { RxSwiftLeg.makeRound($0, $1) })
    #endif
    return peers
}()

/// Every workload of Rx and its counterparts. Each counterpart is measured alternately with Rx in one process.
public let peersSuite = Suite(
    "Peers",
    Family.allCases.flatMap { family in
        [benchmark(family, rxLeg, relativeTo: nil)].compactMap(\.self)
            + peers.compactMap { benchmark(family, $0, relativeTo: rxLeg) }
    })

/// Returns the benchmark of a workload, or `nil` if the leg has no counterpart.
private func benchmark(_ family: Family, _ leg: Leg, relativeTo baseline: Leg?) -> Benchmark? {
    guard leg.round(family, 20) != nil else { return nil }
    let operations = family.operations
    return Benchmark(
        "\(leg.name)/\(family.rawValue)", decides: family.decides, tags: [leg.name], operations: operations,
        relativeTo: baseline.map { "\($0.name)/\(family.rawValue)" },
        // An iteration of a library may leave objects for another thread to free.
        limits: [.anyLiveResources]
    ) {
        guard let round = leg.round(family, operations) else {
            preconditionFailure("The leg had this workload before.")
        }
        var result = 0
        return Workload(check: { try confirm(result, is: family.expected(operations)) }) { result = try round() }
    }
}

import Foundation
import RxBench

/// The file that this code was loaded from: an image may be called after the fault that is planted in it.
private let imageName: String = {
    let address = UInt(bitPattern: #dsohandle)
    for line in ((try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? "").split(separator: "\n") {
        let bounds = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
        if bounds.count == 2, bounds[0] <= address, address < bounds[1] { return String(line.split(separator: " ").last ?? "") }
    }
    return ""
}()

private func loop(_ id: String, steps: Int) -> Benchmark {
    Benchmark(id, decides: "Nothing: half of a comparison.", operations: 1_000) {
        let count = opaque(steps)
        return Workload {
            var value: UInt64 = 1
            for _ in 0..<count { value = opaque(value &* 6_364_136_223_846_793_005 &+ 1) }
            blackHole(value)
        }
    }
}

/// For comparisons of two images: equal work, work that takes half as long again in an image called 'slow', and work that an image called
/// 'old' does not have.
let paired = Suite(
    "Paired",
    [
        loop("fixture/paired/steady", steps: 1_000),
        loop("fixture/paired/planted", steps: imageName.contains("slow") ? 1_500 : 1_000),
        Benchmark("fixture/paired/throws", decides: "Nothing: it has no set-up.") { throw CocoaError(.fileNoSuchFile) },
    ] + (imageName.contains("old") ? [] : [loop("fixture/paired/new", steps: 1_000)]))

import Foundation
import RxBench

/// The file that this code was loaded from: an image may be called after the fault that is planted in it.
private let imageName: String = {
    var information = Dl_info()
    guard dladdr(#dsohandle, &information) != 0, let name = information.dli_fname else { return "" }
    return String(cString: name)
}()

private func loop(_ id: String, steps: Int) -> Benchmark {
    Benchmark(id, decides: "Nothing: half of a comparison.", tags: ["paired"], operations: 1_000) {
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
        Benchmark("fixture/paired/throws", decides: "Nothing: it has no set-up.", tags: ["paired"]) { throw CocoaError(.fileNoSuchFile) },
    ] + (imageName.contains("old") ? [] : [loop("fixture/paired/new", steps: 1_000)]))

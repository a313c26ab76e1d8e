import Foundation
import HeapTrace
import RxTraceObjects

/// A separate process for one search, so that the remains of one case do not disturb the next.
enum CaseProcess {
    /// Runs `published-leaks --case NAME VARIANT COUNT` and returns its finding.
    static func run(_ leak: PublishedLeak, variant: String, innocents: Int) throws -> Finding {
        let process = Process()
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["--case", leak.name, variant, "\(innocents)"]
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            return Finding(failure: "The process ended with \(process.terminationStatus).")
        }
        return try JSONDecoder().decode(Finding.self, from: data)
    }

    /// Searches for the leak in this process.
    @MainActor static func search(_ leak: PublishedLeak, variant: String, innocents: Int) async throws -> Finding {
        HeapTrace.followsObjects = true
        let bystanders = Bystanders(keeping: leak.innocents(innocents))
        let body = variant == "leaky" ? leak.leaky : leak.fixed
        let name = "\(leak.name)/\(variant)"
        let report =
            switch body {
            case .synchronous(let body):
                try HeapTrace.detectGrowth(named: name) {
                    try body()
                    doInnocentWork(of: leak, bystanders)
                }
            case .asynchronous(let body):
                try await HeapTrace.detectGrowth(named: name) {
                    try await body()
                    doInnocentWork(of: leak, bystanders)
                }
            }
        return Finding(report)
    }

    static func doInnocentWork(of leak: PublishedLeak, _ bystanders: Bystanders) {
        NeighbourWork.shared.doOneTurn()
        if leak.replacesInnocents { bystanders.replaceOne { leak.innocents(1) } }
    }
}

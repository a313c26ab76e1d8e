import Foundation
import RxBenchEngine
import RxBenchRaces

/// The instrumented programs of 'Tests/Fixtures/RaceFixture', which 'scripts/races' compiles and names.
enum FixtureImage {
    static let path = ProcessInfo.processInfo.environment["RX_RACE_FIXTURE"]
    /// The program with deep instrumentation.
    static let deepPath = ProcessInfo.processInfo.environment["RX_RACE_FIXTURE_DEEP"]

    struct Silent: Error, CustomStringConvertible { let description: String }

    static func record(_ request: RaceRequest, of image: String? = path) throws -> RaceRecord {
        let text = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
        return try JSONDecoder().decode(RaceRecord.self, from: Data(output([RaceMain.verb, text], of: image)))
    }

    static func record(
        _ id: String, of image: String? = path, replay: String? = nil, change: (inout RaceRequest) -> Void = { _ in }
    ) throws -> RaceRecord {
        var request = RaceRequest(id: id, seconds: 10)
        request.isExhaustive = true
        request.replay = replay
        change(&request)
        return try record(request, of: image)
    }

    static func output(_ arguments: [String], of image: String? = path) throws -> [UInt8] {
        let process = SelfSubprocess(executable: image ?? "", timeoutSeconds: 100)
        switch try process.output(of: arguments, environment: ["SWIFT_DETERMINISTIC_HASHING": "1"]) {
        case .success(let bytes): return bytes
        case .failure(let failure): throw Silent(description: failure.description)
        }
    }
}

import Foundation
import Testing

@Suite("Atomic file under a kill") struct AtomicFileKillTests {
    @Test func `a kill at any moment leaves the old file or the new one`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/result.json"
        for trial in 0..<30 {
            // The numbers of steps differ by a prime, so that each kill happens at a different moment of the write.
            let result = try Tool.fixture("write-and-die", path, "\(trial * 104_729)")
            #expect(result.code == -9)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            #expect(bytes.count == 300_000)
            #expect(Set(bytes).count == 1)
        }
    }
}

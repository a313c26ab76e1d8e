import RxBench
import Testing

@testable import RxBenchEngine

@Suite("A folder for callgrind") struct CallgrindWorkspaceTests {
    @Test(arguments: [
        "/tmp", "/var/folders/zz/zyxvpxvq6csfxvn_n0000000000000/T", "/home/somebody/of/some/name/temporary",
    ])
    func `has a path of one length, whoever makes it where`(parent: String) {
        for (process, random) in [(1 as Int32, 0 as UInt32), (4_194_304, .max), (77, 123_456_789)] {
            let path = CallgrindWorkspace.folder(in: parent, process: process, random: random)
            #expect(path.utf8.count == CallgrindWorkspace.width)
            #expect(path.hasPrefix("\(parent)/"))
        }
    }

    @Test func `is named differently by every process and every number`() {
        let paths = [(1 as Int32, 2 as UInt32), (1, 3), (2, 2), (12, 2), (1, 22)].map {
            CallgrindWorkspace.folder(in: "/tmp", process: $0, random: $1)
        }
        #expect(Set(paths).count == paths.count)
    }

    @Test(arguments: [
        [:], ["A": "b"], ["PATH": "/usr/bin", "HOME": String(repeating: "é", count: 2_000)],
        ["X": String(repeating: "x", count: 40_000)],
    ])
    func `fills environments up to the same size`(environment: [String: String]) {
        let name = CallgrindWorkspace.paddingName
        let padded = environment.merging([name: CallgrindWorkspace.padding(for: environment)]) { $1 }
        let size = padded.reduce(0) { $0 + "\($1.key)=\($1.value)".utf8.count + 1 + 8 }
        #expect(size.isMultiple(of: 32 * 1024) && size > 0)
        // An existing padding is replaced.
        #expect(CallgrindWorkspace.padding(for: padded) == CallgrindWorkspace.padding(for: environment))
    }

    @Test func `below a long path it is as long as it must be`() {
        let parent = "/" + String(repeating: "x", count: 200)
        #expect(
            CallgrindWorkspace.folder(in: parent, process: 1, random: 2).hasSuffix(
                "/rxbench-callgrind-0000000001-0000000002"))
    }
}

import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Formats of /proc and /sys") struct ProcFormatTests {
    private let statistics = """
        cpu  1000 10 200 5000 60 7 8 90 300 0
        cpu0 500 5 100 2500 30 3 4 45 150 0
        intr 12345
        """
    private let memory = """
        MemTotal:       24682416 kB
        MemFree:        21115544 kB
        MemAvailable:   23257776 kB
        SwapTotal:          2048 kB
        SwapFree:           1024 kB
        """

    @Test func `ticks of all processors, guests not counted twice`() {
        #expect(ProcFormat.ticks(statistics) == ProcFormat.Ticks(total: 6375, stolen: 90, working: 1225))
    }

    @Test func `a program's name may hold spaces and parentheses`() throws {
        let line = "42 (a (b) c) S 1 42 42 0 -1 4194560 100 0 0 0 7 5 0 0 20 0 1 0 100 0 0"
        let process = try #require(ProcFormat.process(line))
        #expect(process.name == "a (b) c")
        #expect(process.ticks == 12)
    }

    @Test(arguments: [("0-3", 4), ("0", 1), ("0-1,4,6-7\n", 5)]) func `a list of processors`(text: String, count: Int) {
        #expect(ProcFormat.count(ofList: text) == count)
    }

    @Test(arguments: ["", "3-1", "a-b", "1-2-3", "-", "0-99999999999", "\n"])
    func `a text that is no list of processors`(text: String) {
        #expect(ProcFormat.count(ofList: text) == nil)
    }

    @Test func `memory and swap space`() {
        #expect(
            ProcFormat.memory(memory)
                == MemoryReading(
                    total: 24_682_416 * 1024, available: 23_257_776 * 1024, swapTotal: 2048 * 1024,
                    swapUsed: 1024 * 1024))
        #expect(ProcFormat.memory("MemTotal: 5 kB") == nil)
    }

    @Test func `the chosen word of a list`() {
        #expect(ProcFormat.choice("always [madvise] never\n") == "madvise")
        #expect(ProcFormat.choice("always madvise") == nil)
    }

    @Test func `the quota of a control group`() {
        #expect(ProcFormat.quota("max 100000\n") == ProcessorQuota(cores: nil))
        #expect(ProcFormat.quota("150000 100000\n") == ProcessorQuota(cores: 1.5))
        #expect(ProcFormat.quota("150000 0") == nil)
        #expect(ProcFormat.quota("") == nil)
    }

    @Test func `the control groups whose limits hold for a process`() {
        #expect(
            ProcFormat.groupFolders("1:cpu:/x\n0::/system.slice/ci.service\n")
                == ["/sys/fs/cgroup/system.slice/ci.service", "/sys/fs/cgroup/system.slice", "/sys/fs/cgroup"])
        #expect(ProcFormat.groupFolders("0::/") == ["/sys/fs/cgroup"])
        #expect(ProcFormat.groupFolders("4:memory:/a") == [])
    }

    @Test func `pages swapped in and out`() {
        #expect(ProcFormat.swappedPages("pgpgin 9\npswpin 3\npswpout 4\n") == 7)
        #expect(ProcFormat.swappedPages("pswpin 3\n") == nil)
    }

    @Test func `no text ends the tool`() {
        let seed: UInt64 = 99
        print("Seed \(seed).")
        var generator = SeededGenerator(seed: seed)
        let sources = [
            statistics, memory, "42 (a) S 1 42 42 0 -1 4194560 100 0 0 0 7 5 0", "0-3,8", "max 100000", "a [b] c",
            "0::/a/b",
        ].map { Array($0.utf8) }
        for _ in 0..<5_000 {
            var bytes = sources.randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 1...8, using: &generator) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                if Bool.random(using: &generator) {
                    bytes.remove(at: index)
                } else {
                    bytes[index] = .random(in: 0...255, using: &generator)
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            _ = (
                ProcFormat.ticks(text), ProcFormat.process(text), ProcFormat.count(ofList: text),
                ProcFormat.memory(text)
            )
            _ = (
                ProcFormat.choice(text), ProcFormat.quota(text), ProcFormat.swappedPages(text),
                ProcFormat.groupFolders(text)
            )
        }
    }
}

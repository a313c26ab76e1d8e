import Foundation
import RxBench
import Synchronization
import Testing

@testable import RxBenchEngine

@Suite("Atomic file") struct AtomicFileTests {
    @Test func `what a killed writer left is removed by the next one`() throws {
        let folder = try TemporaryFolder()
        // No process has this identifier: it is above the largest that the system assigns.
        _ = try folder.write("half", to: ".result.json.\(AtomicFile.host).99999999.partial")
        // It is not known here whether a process on another machine still writes this file.
        _ = try folder.write("half", to: ".result.json.another.99999999.partial")
        try AtomicFile.write(Array("whole".utf8), to: "\(folder.path)/result.json")
        #expect(folder.files == [".result.json.another.99999999.partial", "result.json"])
    }

    @Test func `threads may write to one path at once`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/result.json"
        let failures = Mutex<[FileError]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for _ in 0..<50 {
                do throws(FileError) {
                    try AtomicFile.write(Array(repeating: UInt8(thread), count: 9), to: path)
                } catch { failures.withLock { $0.append(error) } }
            }
        }
        #expect(failures.withLock { $0 } == [])
        #expect(folder.files == ["result.json"])
        #expect(Set(try #require(FileManager.default.contents(atPath: path))).count == 1)
    }

    @Test func `a bare name is a file in the current folder`() throws {
        let name = "atomic-file-test-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: name) }
        try AtomicFile.write([1], to: name)
        #expect(FileManager.default.contents(atPath: name) == Data([1]))
    }

    @Test func `a pipe receives the bytes and stays`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        // With a reader that doesn't block, the writer doesn't block either.
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try AtomicFile.write([1, 2, 3], to: path)
        var buffer: [UInt8] = [0, 0, 0, 0]
        #expect(read(reader, &buffer, 4) == 3)
        #expect(buffer == [1, 2, 3, 0])
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType != .typeRegular)
    }

    @Test(.enabled(if: access("/dev/full", W_OK) == 0, "This system has no device that is always full"))
    func `a full device is an error and stays a device`() throws {
        // Through a link of this test, so that a mistake can't replace the machine's device.
        let folder = try TemporaryFolder()
        let link = "\(folder.path)/full"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/full")
        #expect(throws: FileError(path: link, code: ENOSPC)) { try AtomicFile.write([1], to: link) }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "/dev/full")
    }

    @Test func `a link stays one, and what it leads to is replaced`() throws {
        let folder = try TemporaryFolder()
        let target = try folder.write("old", to: "elsewhere/target.json")
        let link = "\(folder.path)/link.json"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        try AtomicFile.write(Array("new".utf8), to: link)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "new")
    }

    @Test func `a folder that does not exist is an error and nothing is written`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: FileError.self) { try AtomicFile.write([1], to: "\(folder.path)/missing/result.json") }
        #expect(folder.files == [])
    }
}

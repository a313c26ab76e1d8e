import RxBench
import Testing

@testable import RxBenchEngine

@Suite("Executables for valgrind") struct ExecutableImageTests {
    @Test func `an image made by hand has its names changed within the table alone`() {
        // A header, '.debug_' outside the table, one section header, the table.
        var bytes = [UInt8](repeating: 0, count: 0x40)
        bytes.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
        let outside = Array(".debug_outside".utf8)
        let table = Array("\0.debug_info\0.text\0.gnu_debuglink\0".utf8)
        let header = bytes.count + outside.count
        bytes[0x28] = UInt8(header)
        bytes[0x3A] = 0x40
        var section = [UInt8](repeating: 0, count: 0x40)
        section[0x18] = UInt8(header + 0x40)
        section[0x20] = UInt8(table.count)
        let image = ExecutableImage.hidingDebugInformation(in: bytes + outside + section + table)
        #expect(image.suffix(table.count).elementsEqual("\0.hiddeninfo\0.text\0.gnu_hiddelink\0".utf8))
        #expect(image.prefix(header).elementsEqual(bytes + outside))
    }

    @Test func `bytes that are no executable, or a broken one, are left alone`() {
        for bytes in [[], [0x7F], Array("#!/bin/sh\n.debug_".utf8)] {
            #expect(ExecutableImage.hidingDebugInformation(in: bytes) == bytes)
        }
        var broken = [UInt8](repeating: 0xFF, count: 0x80)
        broken.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
        #expect(ExecutableImage.hidingDebugInformation(in: broken) == broken)
        // The table would lie past the end.
        broken.replaceSubrange(0x28..<0x30, with: [0x40, 0, 0, 0, 0, 0, 0, 0])
        broken.replaceSubrange(0x3A..<0x40, with: [0x40, 0, 1, 0, 0, 0])
        #expect(ExecutableImage.hidingDebugInformation(in: broken) == broken)
    }
}

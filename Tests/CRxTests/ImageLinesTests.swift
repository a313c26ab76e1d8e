#if os(Linux) && arch(x86_64)
    import CRx
    import CRxTrace
    import Foundation
    import Testing

    /// Looks up lines of a loaded library whose file is then unchanged, replaced or deleted.
    @Suite(.serialized)
    struct ImageLinesTests {
        private enum Answer: Equatable {
            case unknown, elsewhere
            case found(String)
        }

        /// Returns the line of `sum` in the library, after `change` has changed the file of the loaded library.
        private func sum(
            of bytes: [UInt8] = LineFixture.decoded(LineFixture.library), change: (URL) throws -> Void = { _ in }
        ) throws -> Answer {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appendingPathComponent("library.so")
            try Data(bytes).write(to: file)
            let library = try #require(dlopen(file.path, RTLD_NOW), "\(dlerror().map { String(cString: $0) } ?? "")")
            defer { dlclose(library) }
            let address = UInt(bitPattern: dlsym(library, "sum"))
            try change(file)
            var line = rx_line()
            switch rxtrace_lines_at(address, &line) {
            case rx_lines_found: return .found(LineSections.text(line.place))
            case rx_lines_elsewhere: return .elsewhere
            default: return .unknown
            }
        }

        /// The library as a different build, so that each lookup is a new one.
        private func build(_ number: UInt8) -> [UInt8] {
            var bytes = LineFixture.decoded(LineFixture.library)
            // The content of the build id: the note is at 0x1C8, and its content follows a header of 16 bytes.
            bytes[0x1D8] = number
            return bytes
        }

        private let place = Answer.found("/project/src/inner.h:2")

        @Test func ownFile_tells() throws {
            #expect(try sum() == place)
            #expect(try sum(of: build(1)) == place)
        }

        @Test func missingFile_isUnknown() throws {
            #expect(try sum(of: build(2)) { try FileManager.default.removeItem(at: $0) } == .unknown)
        }

        @Test func fileOfAnotherBuild_isUnknown() throws {
            // Written to a new file that replaces the old one: the loaded library stays unchanged.
            #expect(try sum(of: build(3)) { try Data(build(4)).write(to: $0, options: .atomic) } == .unknown)
        }

        @Test func cutFile_isUnknown() throws {
            #expect(
                try sum(of: build(5)) { try Data(build(5).prefix(100)).write(to: $0, options: .atomic) } == .unknown)
            #expect(
                try sum(of: build(6)) { try Data(build(6).prefix(2600)).write(to: $0, options: .atomic) } == .unknown)
            #expect(try sum(of: build(7)) { try Data("no library".utf8).write(to: $0, options: .atomic) } == .unknown)
        }

        @Test func compressedSections_areElsewhere() throws {
            var bytes = build(8)
            // The flags of section 16, `.debug_line`: the headers begin at 0xE08, each header has 64 bytes, and the
            // flags begin at byte 8 of a header.
            bytes[0xE08 + 16 * 64 + 8 + 1] |= 0x08
            #expect(try sum(of: bytes) == .elsewhere)
        }

        @Test func addressesOfNoImage_areUnknown() {
            var line = rx_line()
            #expect(rxtrace_lines_at(0x1234, &line) == rx_lines_unknown)
        }
    }
#endif

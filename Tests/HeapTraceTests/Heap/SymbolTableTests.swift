#if os(Linux)
    import CRx
    import CRxTrace
    import Foundation
    @testable import HeapTrace
    import Testing

    @Suite struct SymbolTableTests {
        @Test func functionOfTheProgram_isFoundByAddressAndByName() throws {
            let address = unsafeBitCast(
                rxtrace_demangle as @convention(c) (UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?, to: UInt.self
            )
            let symbol = try #require(SymbolTable.symbol(at: address + 1))
            #expect(symbol.name == "rxtrace_demangle")
            #expect(symbol.address == address)
            #expect(!symbol.isVariable)
            #expect(SymbolTable.address(of: "rxtrace_demangle", inImageOf: address) == address)
            #expect(SymbolTable.address(of: "rx_no_such_function", inImageOf: address) == nil)
            #expect(SymbolTable.symbol(at: 16) == nil)
        }

        // MARK: Files

        /// An ELF file with a variable at 0x80, a function at 0x40, a second name for that function, and a section's
        /// symbol, in this order.
        private static let file: [UInt8] = {
            func bytes<Value>(_ value: Value) -> [UInt8] { withUnsafeBytes(of: value) { [UInt8]($0) } }
            let names = [UInt8]("\0variable\0first\0second\0".utf8)
            let symbols: [Elf64_Sym] = [
                .init(st_name: 1, st_info: 1, st_other: 0, st_shndx: 1, st_value: 0x80, st_size: 8),
                .init(st_name: 10, st_info: 2, st_other: 0, st_shndx: 1, st_value: 0x40, st_size: 16),
                .init(st_name: 16, st_info: 2, st_other: 0, st_shndx: 1, st_value: 0x40, st_size: 16),
                .init(st_name: 1, st_info: 3, st_other: 0, st_shndx: 1, st_value: 0x90, st_size: 16),
            ]
            var header = Elf64_Ehdr()
            var table = Elf64_Shdr()
            var texts = Elf64_Shdr()
            withUnsafeMutableBytes(of: &header.e_ident) { $0.copyBytes(from: [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]) }
            header.e_shentsize = UInt16(MemoryLayout<Elf64_Shdr>.size)
            header.e_shnum = 2
            let start = UInt64(MemoryLayout<Elf64_Ehdr>.size)
            let size = UInt64(symbols.count * MemoryLayout<Elf64_Sym>.size)
            (table.sh_type, table.sh_link, table.sh_offset, table.sh_size) = (2, 1, start, size)
            (texts.sh_type, texts.sh_offset, texts.sh_size) = (3, start + size, UInt64(names.count))
            header.e_shoff = start + size + UInt64(names.count)
            return bytes(header) + symbols.flatMap { bytes($0) } + names + bytes(table) + bytes(texts)
        }()

        private func withSymbols(of bytes: [UInt8], _ body: (OpaquePointer?) -> Void) throws {
            let place = FileManager.default.temporaryDirectory.appendingPathComponent("symbols-\(UUID().uuidString)")
            try Data(bytes).write(to: place)
            defer { try? FileManager.default.removeItem(at: place) }
            body(rxtrace_symbols_read(place.path, 0x1000))
        }

        private func name(at address: UInt, _ symbols: OpaquePointer) -> String? {
            rxtrace_symbol_at(symbols, address).name.map { String(cString: $0) }
        }

        @Test func file_isReadByAddress_theLastOfEqualOnesFirst() throws {
            try withSymbols(of: Self.file) { symbols in
                guard let symbols else { return #expect(Bool(false), "The file has symbols.") }
                #expect(
                    [0x103f, 0x1040, 0x104f, 0x1050, 0x1080, 0x1087, 0x1088, 0x1090].map { name(at: $0, symbols) } == [
                        nil, "second", "second", nil, "variable", "variable", nil, nil,
                    ])
                #expect(rxtrace_symbol_at(symbols, 0x1080).is_variable)
                #expect(rxtrace_symbol_named(symbols, "first").address == 0x1040)
                #expect(rxtrace_symbol_named(symbols, "third").name == nil)
            }
        }

        @Test func fileThatIsNone_hasNoSymbols() throws {
            for bytes in [
                [], [UInt8](repeating: 0, count: 4096), Array(Self.file.dropLast(70)), Array(Self.file.prefix(63)),
            ] {
                try withSymbols(of: bytes) { #expect($0 == nil) }
            }
            #expect(rxtrace_symbols_read("/no/such/file", 0) == nil)
        }

        @Test func fileWithWrongBytes_isReadWithinItsBounds() throws {
            var random = SeededGenerator(seed: 4_711)
            // A limited number of files, because each symbol table stays mapped.
            for _ in 0..<400 {
                var bytes = Self.file
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[.random(in: 4..<bytes.count, using: &random)] = .random(in: 0...(.max), using: &random)
                }
                try withSymbols(of: bytes) { symbols in
                    guard let symbols else { return }
                    for address in stride(from: UInt(0x1030), to: 0x10a0, by: 8) {
                        #expect((name(at: address, symbols)?.utf8.count ?? 0) < bytes.count)
                    }
                    _ = rxtrace_symbol_named(symbols, "second")
                }
            }
        }
    }
#endif

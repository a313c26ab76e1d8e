#if os(Linux)
    import CRxTrace
    import Foundation
    import Rx
    import XCTest

    @testable import HeapTrace

    /// Compares the reader of line tables with the toolchain's `Runtime`, in this test program.
    final class SourceLinesTests: XCTestCase {
        /// Returns the ranges of this program's code that have lines.
        private func runs() throws -> [Range<UInt>] {
            var bias: UInt = 0
            let here = try XCTUnwrap(CallStack.capture().addresses.first)
            guard let table = rxtrace_lines_table_at(here, &bias) else {
                throw XCTSkip("The binary was stripped of its debug information.")
            }
            return (0..<rxtrace_line_table_count(table)).map { index in
                var low: UInt64 = 0
                var high: UInt64 = 0
                rxtrace_line_table_range(table, index, &low, &high)
                return bias + UInt(low)..<bias + UInt(high)
            }
            // Ranges that the linker has dropped may begin a little above 0, where there is no code.
            .filter { SourceLines.function(at: $0.lowerBound) != nil }
        }

        /// Returns return addresses that are spread evenly over this program's code.
        private func sample(_ count: Int) throws -> [UInt] {
            let runs = try runs()
            let size = runs.reduce(0) { $0 + UInt($1.count) }
            var result: [UInt] = []
            var before: UInt = 0
            for run in runs {
                while result.count < count, UInt(result.count) * size / UInt(count) < before + UInt(run.count) {
                    result.append(run.lowerBound + UInt(result.count) * size / UInt(count) - before + 1)
                }
                before += UInt(run.count)
            }
            return result
        }

        /// `Runtime` takes long for each address in a large program. `LINES_SAMPLE` sets the number of addresses.
        func testPlacesAndInlinedFunctions_ofAllOfThisProgram_areThoseOfRuntime() throws {
            let addresses = try sample(ProcessInfo.processInfo.environment["LINES_SAMPLE"].flatMap(Int.init) ?? 16)
            let ours = SymbolLookup.functions(at: addresses)
            let theirs = SymbolLookup.functions(at: addresses, SymbolLookup.images(holding: addresses), .default)
            XCTAssertEqual(ours.map(\.address), addresses)
            XCTAssertEqual(theirs.map(\.address), addresses)
            XCTAssertFalse(ours.contains { $0.functions.contains { $0.place == nil } })
            for (one, other) in zip(ours, theirs) {
                XCTAssertTrue(
                    areEqual(one.functions, other.functions),
                    "\(String(one.address, radix: 16)): \(one.functions) is not \(other.functions)")
            }
        }

        func testLines_areThereForWhatIsWritten() throws {
            let addresses = try sample(600)
            let lines = SymbolLookup.functions(at: addresses).filter { ($0.functions.last?.place?.line ?? 0) > 0 }
            // The other addresses are in code that the compiler has generated.
            XCTAssertGreaterThan(lines.count, addresses.count / 20)
        }

        func testFunctions_ofAllOfThisProgram_areThoseOfRuntime() throws {
            let addresses = try sample(600)
            let theirs = SymbolLookup.functions(at: addresses, SymbolLookup.images(holding: addresses), .useSymbolCache)
            XCTAssertEqual(theirs.map(\.address), addresses)
            for (address, functions) in theirs {
                let ours = SourceLines.function(at: address - 1)
                XCTAssertEqual(ours?.name, functions.last?.symbol.rawName)
                XCTAssertEqual(ours?.image, functions.last?.symbol.imageName)
            }
        }

        /// In optimised code `Runtime` reports other inlined functions, and fewer of them in units of DWARF 5. There,
        /// only the place of the innermost function and the name of the outermost function are compared.
        private func areEqual(_ ours: [SymbolLookup.Function], _ theirs: [SymbolLookup.Function]) -> Bool {
            // The compiler makes checks look like inlined functions. Where checks share code, `Runtime` leaves them
            // out.
            let ours = ours.filter { !isCheck($0) }
            let theirs = theirs.filter { !isCheck($0) }
            #if !DEBUG
                return ours.last?.symbol.rawName == theirs.last?.symbol.rawName
                    && areEqual(ours.first?.place, theirs.first?.place)
            #else
                guard ours.count == theirs.count else { return false }
                return zip(ours, theirs).allSatisfy {
                    $0.symbol.rawName == $1.symbol.rawName && areEqual($0.place, $1.place)
                }
            #endif
        }

        private func isCheck(_ function: SymbolLookup.Function) -> Bool {
            function.symbol.rawName.hasPrefix("Swift runtime failure")
        }

        /// C sources have relative directories, which `Runtime` leaves as they are.
        private func areEqual(_ ours: SourceLines.Location?, _ theirs: SourceLines.Location?) -> Bool {
            let path = theirs?.path.replacingOccurrences(of: "//", with: "/") ?? ""
            return ours?.line == theirs?.line && (ours?.path ?? "" == path || ours?.path.hasSuffix("/" + path) ?? false)
        }
    }
#endif

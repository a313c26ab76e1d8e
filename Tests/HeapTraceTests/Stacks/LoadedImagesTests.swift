#if os(Linux)
    import CRxTrace
    import Foundation
    import Runtime
    import Synchronization
    import XCTest

    @testable import HeapTrace

    final class LoadedImagesTests: XCTestCase {
        private func image(holding address: UInt, in images: ImageMap) -> Backtrace.Image? {
            images.indexOfImage(at: .init(UInt64(address))).map { images[$0] }
        }

        func testLoaded_holdsTheProgramAndItsLibraries() throws {
            let images = ImageMap.loaded()
            let here = try XCTUnwrap(CallStack.capture().addresses.first)
            let program = try XCTUnwrap(image(holding: here, in: images))
            XCTAssertEqual(
                program.path, try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            let function = UInt(bitPattern: dlsym(nil, "swift_conformsToProtocol"))
            let library = try XCTUnwrap(image(holding: function, in: images))
            XCTAssertEqual(library.name, "libswiftCore.so")
            XCTAssertEqual(library.uniqueID?.count, 20)
        }

        func testLoaded_ofMoreImagesThanOneByteCounts_hasThemAll() {
            let name = "/" + String(repeating: "folder/", count: 30)
            let listed = (1...150).map { index in
                var image = rxtrace_listed_image()
                image.start = UInt(index) << 24
                image.end = image.start + 0x1234
                image.build_id_count = UInt8(index % 21)
                withUnsafeMutableBytes(of: &image.path) { $0.copyBytes(from: "\(name)\(index)".utf8) }
                return image
            }
            let images = listed.withUnsafeBufferPointer { ImageMap($0) }
            XCTAssertEqual(images.compactMap(\.path), (1...150).map { "\(name)\($0)" })
            XCTAssertEqual(images.map(\.baseAddress), (1...150).map { .init(UInt64($0) << 24) })
            XCTAssertEqual(images.map(\.endOfText), (1...150).map { .init(UInt64($0) << 24 + 0x1234) })
            XCTAssertEqual(images.map { $0.uniqueID?.count ?? 0 }, (1...150).map { $0 % 21 })
        }

        // Reading the mapped memory itself would crash.
        func testLoaded_whileAnotherThreadUnmapsFiles_readsNone() throws {
            let path = try XCTUnwrap(ImageMap.loaded().compactMap(\.path).last { $0.hasSuffix("libFoundation.so") })
            let isOver = Atomic(false)
            let rounds = Atomic(0)
            let ended = expectation(description: "The thread has ended.")
            Thread {
                while !isOver.load(ordering: .relaxed) {
                    let file = open(path, O_RDONLY)
                    let mapping = mmap(nil, 1 << 20, PROT_READ, MAP_PRIVATE, file, 0)
                    close(file)
                    sched_yield()
                    munmap(mapping, 1 << 20)
                    rounds.add(1, ordering: .relaxed)
                }
                ended.fulfill()
            }.start()
            while rounds.load(ordering: .relaxed) < 10_000 { XCTAssertFalse(ImageMap.loaded().isEmpty) }
            isOver.store(true, ordering: .relaxed)
            wait(for: [ended], timeout: 10)
        }
    }
#endif

#if os(Linux)
    import CRxTrace
    import Glibc
    import XCTest

    @testable import HeapTrace

    final class CollectionReadingTests: XCTestCase {
        private func collection(at address: UInt, _ type: UInt, isArray: Bool = true) -> rxtrace_collection {
            rxtrace_collection(address: address, type: type, isArray: isArray)
        }

        /// Returns the address and the type of an array's storage.
        private func storage(of array: [Int]) -> (address: UInt, type: UInt) {
            let address = unsafeBitCast(array, to: UInt.self)
            return (address, word(address))
        }

        func testCollectionThatIsGone_isReadWithoutAFault_andTheOthersAreReadToo() throws {
            let page = mmap(nil, 4_096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            let gone = UInt(bitPattern: try XCTUnwrap(page))
            munmap(page, 4_096)
            // More collections than are read at a time.
            let arrays = (0..<200).map { Array(repeating: $0, count: $0 + 1) }
            let storages = arrays.map(storage)
            var read = storages.map { collection(at: $0.address, $0.type) }
            for index in [0, 63, 64, 150, 199] { read[index] = collection(at: gone, storages[index].type) }
            read[70] = collection(at: storages[70].address, storages[70].type + 8)
            let isReadable = withExtendedLifetime(arrays) { rxtrace_collections_read(&read, read.count) }
            try XCTSkipUnless(isReadable, "This process may not read its memory by 'process_vm_readv'.")
            let expected = (0..<200).map { [0, 63, 64, 70, 150, 199].contains($0) ? -1 : Int64($0 + 1) }
            XCTAssertEqual(read.map(\.count), expected)
        }

        /// A list of collections that was freed must not look like objects with references to the collections.
        func testListOfCollections_containsNoAddresses() throws {
            let kept = (0..<100).map { Array(repeating: $0, count: $0 + 1) }
            let reader = HeapReader.take()
            defer { reader.giveBack() }
            let found: [rxtrace_collection]?
            do { found = try reader.collections() } catch { throw XCTSkip("\(error)") }
            let collections = try XCTUnwrap(found)
            let storages = withExtendedLifetime(kept) { Set(kept.map { storage(of: $0).address }) }
            XCTAssertTrue(storages.isSubset(of: Set(collections.map(\.address))))
            let addresses = Set(collections.flatMap { [$0.address, $0.type] })
            let words = collections.withUnsafeBytes { Array($0.bindMemory(to: UInt.self)) }
            let watched = collections.map(CollectionStorage.init)
            let further = watched.withUnsafeBytes { Array($0.bindMemory(to: UInt.self)) }
            XCTAssertEqual((words + further).filter(addresses.contains), [])
            XCTAssertEqual(watched.map(\.address), collections.map(\.address))
            XCTAssertEqual(watched.map(\.type), collections.map(\.type))
        }

        /// A type that no other array has, so that the test knows all storages that a collection may move to.
        private struct Element: BitwiseCopyable { var word = 0 }

        func testCollectionThatMoves_toWhereAnotherOneWas_isFollowed() throws {
            func elements(_ count: Int, capacity: Int) -> [Element] {
                var array: [Element] = []
                array.reserveCapacity(capacity)
                array += repeatElement(Element(), count: count)
                return array
            }
            func address(_ array: [Element]) -> UInt { unsafeBitCast(array, to: UInt.self) }
            do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
            var growing = elements(1, capacity: 8)
            while growing.count < growing.capacity { growing.append(Element()) }
            let count = growing.count
            // The storage that the growing array needs next. It is full, so that it is not followed itself.
            var sample = growing
            sample.append(Element())
            var other = elements(sample.capacity, capacity: sample.capacity)
            let place = address(other)
            growing.removeLast()
            var watch = try XCTUnwrap(CollectionWatch())
            growing.append(Element())
            XCTAssertTrue(watch.endWarmUp())
            let first = address(growing)
            other = []
            growing.append(Element())
            try XCTSkipUnless(address(growing) == place, "The allocator has not used the memory again.")
            // A larger storage that is certainly new.
            let decoy = elements(count + 5, capacity: sample.capacity)
            watch.read()
            XCTAssertTrue(watch.hasMoved)
            watch.followMoved()
            XCTAssertEqual(watch.address(of: first), place)
            withExtendedLifetime((growing, sample, other, decoy)) {}
        }

        /// A freed block may keep its type, and contain any value where the count was.
        func testCountOfABlockThatWasFreed_isNotBelieved() throws {
            let block = UnsafeMutablePointer<UInt>.allocate(capacity: 4)
            defer { block.deallocate() }
            func count(_ read: inout rxtrace_collection, after words: UInt...) throws -> Int64 {
                for (index, word) in words.enumerated() { block[index] = word }
                let isReadable = rxtrace_collections_read(&read, 1)
                try XCTSkipUnless(isReadable, "This process may not read its memory by 'process_vm_readv'.")
                return read.count
            }
            var read = collection(at: UInt(bitPattern: block), 8, isArray: false)
            XCTAssertEqual(try count(&read, after: 8, 3, 5, 32), 5)
            XCTAssertEqual(try count(&read, after: 8, 3, 1 << 62, 32), -1)
            XCTAssertEqual(try count(&read, after: 8, 3, 6, 64), -1)
            XCTAssertEqual(try count(&read, after: 16, 3, 6, 32), -1)
            XCTAssertEqual(try count(&read, after: 8, 3, 6, 32), 6)
        }
    }
#endif

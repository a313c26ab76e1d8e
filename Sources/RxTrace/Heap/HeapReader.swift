#if os(Linux)
/// Reads the heap into a graph: finds the objects, then what each of them holds.
struct HeapReader: ~Copyable {
    let blocks: BlockTable
    let images = Images()
    let shapes: ObjectShapes
    private(set) var graph = ObjectGraph()
    /// The node that each block is; -1 for none.
    private var nodeOfBlock: MappedArray<Int32>
    init(map: borrowing MemoryMap) throws(HeapUnavailable) {
        let blocks = try BlockTable(in: map)
        self.blocks = blocks
        nodeOfBlock = MappedArray(repeating: -1, count: blocks.count)
        shapes = ObjectShapes(types: TypeCheck(blocks))
    }

    // MARK: Objects

    /// Makes a node of every live object. O(b) for *b* blocks.
    mutating func findObjects() {
        for index in 0..<blocks.extents.count {
            let extent = blocks.extents[index]
            guard extent.blockSize >= 16 else { continue }
            var address = extent.start, block = extent.firstBlock
            while address + extent.blockSize <= extent.end {
                // Once: the reader's own memory is on this heap too, and what is asked here may take a block of it.
                let metadata = word(address)
                if let size = shapes.types.instanceSize(metadata), size <= Int(extent.blockSize),
                   let count = ReferenceCount(ofObjectAt: address, in: blocks) {
                    nodeOfBlock[block] = Int32(graph.nodes.count)
                    graph.nodes.append(.init(address: address, size: Int(extent.blockSize), metadata: metadata, references: count.strong))
                }
                address += extent.blockSize
                block += 1
            }
        }
    }

    // MARK: References

    /// Notes what every node holds; blocks that are only pointed to become nodes on the way. O(n) for *n* words.
    mutating func findReferences() {
        var index = 0
        graph.edgeStart.append(0)
        while index < graph.nodes.count {
            let node = graph.nodes[index]
            if node.metadata == 0 {
                scanWords(node.address, node.address + UInt(node.size), label: -1, isForeign: true)
            } else {
                scan(node)
            }
            graph.edgeStart.append(Int32(graph.edges.count))
            index += 1
        }
    }

    private mutating func scan(_ node: ObjectGraph.Node) {
        let end = node.address + UInt(node.size)
        switch shapes.shape(of: Metadata(node.metadata), object: node.address) {
        case .fields(let parts): scan(parts, at: node.address, label: -1, index: -1)
        case .array(let layout, let start): scanElements(layout, from: node.address + UInt(start), count: word(node.address + 16), end)
        case .dictionary(let key, let value): scanTable(node, [(key, 48, "key"), (value, 56, "value")], bitmap: 64)
        case .set(let element): scanTable(node, [(element, 48, "element")], bitmap: 56)
        case .observers:
            for position in 0..<Int(min(word(node.address + 16), UInt(max(0, node.size - 24) / 16))) {
                reference(word(node.address + 24 + UInt(position) * 16), label: -1, index: position)
            }
        case .buffer(let parts, let tail):
            scan(parts, at: node.address, label: -1, index: -1)
            scanWords(node.address + UInt(tail + 7 & ~7), end, label: -1)
        case .error: scanError(node)
        case .unknown(let start): scanWords(node.address + UInt(start), end, label: -1)
        }
    }

    /// - Parameter count: as the storage says; it may not have been written yet.
    private mutating func scanElements(_ layout: Int, from start: UInt, count: UInt, _ end: UInt) {
        let layout = shapes.layouts.layouts[layout]
        guard layout.stride > 0, start < end else { return }
        let count = min(count, (end - start) / UInt(layout.stride))
        for position in 0..<Int(count) { scan(layout.parts, at: start + UInt(position * layout.stride), label: -1, index: position) }
    }

    private mutating func scanTable(_ node: ObjectGraph.Node, _ columns: [(layout: Int?, pointer: UInt, label: String)], bitmap: UInt) {
        let scale = byte(node.address + 32), end = node.address + UInt(node.size)
        guard scale < 40 else { return }
        let buckets = 1 << Int(scale)
        guard node.address + bitmap + UInt(buckets / 8) <= end else { return }
        for column in columns {
            guard let number = column.layout else { continue }
            let layout = shapes.layouts.layouts[number], start = word(node.address + column.pointer)
            guard start >= node.address, start <= end, layout.stride * buckets <= Int(end - start) else { continue }
            let label = shapes.layouts.label(column.label)
            for bucket in 0..<buckets where word(node.address + bitmap + UInt(bucket / 64) * 8) >> UInt(bucket % 64) & 1 == 1 {
                scan(layout.parts, at: start + UInt(bucket * layout.stride), label: label, index: bucket)
            }
        }
    }

    private mutating func scanError(_ node: ObjectGraph.Node) {
        let type = Metadata(word(node.address + 16))
        guard shapes.types.isType(type.address) else { return }
        let layout = shapes.layouts.layout(of: type)
        scan(shapes.layouts.layouts[layout].parts, at: node.address + UInt((32 + type.alignmentMask) & ~type.alignmentMask), label: -1, index: -1)
    }

    /// Reads a value by its layout. Nests as deep as types do, not as deep as data.
    mutating func scan(_ parts: [ValueLayout.Part], at address: UInt, label outer: Int, index: Int) {
        for part in parts {
            let place = address + UInt(part.offset), label = outer < 0 ? part.label : outer
            switch part.kind {
            case .strong: reference(word(place), label: label, index: index)
            // The third highest bit says that there is no object.
            case .string: if word(place) >> 61 & 1 == 0 { reference(word(place) & 0x0fff_ffff_ffff_ffff, label: label, index: index) }
            case .function: if word(place) != 0 { reference(word(place + 8), label: label, index: index, function: word(place)) }
            case .existential: scanExistential(at: place, label: label, index: index)
            case .enumeration(let layout): scanEnumeration(shapes.layouts.layouts[layout], at: place, label: label, index: index)
            case .pointer: pointer(word(place), label: label, index: index)
            case .continuation: scanWords(place, place + 8, label: label, index: index)
            case .owned(let size):
                for offset in stride(from: UInt(0), to: UInt(size & ~7), by: 8) {
                    reference(word(place + offset), label: label, index: index, function: function(before: place + offset, from: place))
                }
            case .unknown(let size): scanWords((place + 7) & ~7, place + UInt(size), label: label, index: index)
            }
        }
    }

    private mutating func scanExistential(at place: UInt, label: Int, index: Int) {
        let type = Metadata(word(place + 24))
        guard shapes.types.isType(type.address) else { return }
        if !type.isInline { return reference(word(place), label: label, index: index) }
        scan(shapes.layouts.parts(of: type), at: place, label: label, index: index)
    }

    /// Works on a copy of the value, as its payload has to be taken out of it.
    private mutating func scanEnumeration(_ layout: ValueLayout, at place: UInt, label: Int, index: Int) {
        guard let type = layout.metadata, layout.size > 0 else { return }
        let copy = UnsafeMutableRawPointer.allocate(byteCount: layout.size + 8, alignment: 16)
        defer { copy.deallocate() }
        copy.copyMemory(from: UnsafeRawPointer(bitPattern: place).unsafelyUnwrapped, byteCount: layout.size)
        let tag = type.tag(of: copy)
        guard tag < layout.cases.count else { return }
        type.projectPayload(of: copy)
        scan(shapes.layouts.layouts[layout.cases[tag]].parts, at: UInt(bitPattern: copy), label: label, index: index)
    }

    // MARK: Words

    private mutating func reference(_ bits: UInt, label: Int, index: Int, function: UInt = 0) {
        guard let (block, _) = blocks.block(startingAt: bits & 0x00ff_ffff_ffff_fff8), nodeOfBlock[block] >= 0 else { return }
        let node = nodeOfBlock[block]
        guard graph.nodes[Int(node)].metadata != 0 else { return }
        graph.edges.append(.init(target: node, label: Int32(label), index: Int32(index), isTyped: true, function: function))
    }

    /// A pointer that owns nothing as far as its type says: what it points to is read, if it is no object.
    private mutating func pointer(_ bits: UInt, label: Int, index: Int) {
        guard let node = node(at: bits), graph.nodes[Int(node)].metadata == 0 else { return }
        graph.edges.append(.init(target: node, label: Int32(label), index: Int32(index), isTyped: false, function: 0))
    }

    /// - Parameter isForeign: memory of C code. libdispatch keeps references to its timers' owners with all bits turned
    ///   round (`du_owner_wref` in its event_internal.h).
    mutating func scanWords(_ start: UInt, _ end: UInt, label: Int, index: Int = -1, isForeign: Bool = false) {
        var address = start
        while address + 8 <= end {
            if let node = node(at: word(address)) ?? (isForeign ? node(at: ~word(address)) : nil) {
                let function = function(before: address, from: start)
                graph.edges.append(.init(target: node, label: Int32(label), index: Int32(index), isTyped: false, function: function))
            }
            address += 8
        }
    }

    /// The code of a closure, if the word before its context looks like it; else 0.
    private func function(before address: UInt, from start: UInt) -> UInt {
        guard address > start else { return 0 }
        let code = word(address - 8)
        return code > 4096 && images.isCode(code) ? code : 0
    }

    /// The node of the block that begins where a word points to, made if need be.
    mutating func node(at bits: UInt) -> Int32? {
        let address = bits & 0x00ff_ffff_ffff_fff8
        guard address > 4096, let (block, size) = blocks.block(startingAt: address) else { return nil }
        if nodeOfBlock[block] < 0 {
            // What was an object and is gone holds nothing.
            if size >= 16, let expected = shapes.types.instanceSize(word(address)), expected <= size { return nil }
            nodeOfBlock[block] = Int32(graph.nodes.count)
            graph.nodes.append(.init(address: address, size: size, metadata: 0, references: -1))
        }
        return nodeOfBlock[block]
    }

    /// The node of an object, if it is alive.
    func object(at address: UInt) -> Int? {
        guard let (block, _) = blocks.block(startingAt: address), nodeOfBlock[block] >= 0 else { return nil }
        return Int(nodeOfBlock[block])
    }
}
#endif

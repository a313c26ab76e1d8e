/// Reads LLVM's bitstream format, in which the compiler writes diagnostics for other programs. A bitstream consists of
/// nested blocks and their records.
///
/// Described in https://llvm.org/docs/BitCodeFormat.html, sections "Abbreviation IDs" to "Standard Blocks".
struct Bitstream {
    /// A record: its block, its code, its numbers, and the text at the end of it.
    struct Record {
        let block: Int, code: Int
        var values: [Int] = []
        var text = ""
    }

    private enum Operand {
        case literal(Int)
        case fixed(Int)
        case variable(Int)
        case array, character, blob
    }

    private let bytes: [UInt8]
    private var bit: Int
    private var abbreviationsOfBlocks: [Int: [[Operand]]] = [:]
    private(set) var records: [Record] = []

    /// Reads the records of all blocks, in order. The first four bytes name the format and are skipped.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        bit = 32
        while bit + 32 <= bytes.count * 8 { readItems(of: -1, width: 2, abbreviations: []) }
    }

    private mutating func fixed(_ width: Int) -> Int {
        var value = 0
        for position in 0..<width {
            value |= Int(bytes[bit >> 3] >> UInt8(bit & 7) & 1) << position
            bit += 1
        }
        return value
    }

    private mutating func variable(_ width: Int) -> Int {
        var value = 0
        var shift = 0
        while true {
            let chunk = fixed(width)
            value |= (chunk & ((1 << (width - 1)) - 1)) << shift
            if chunk >> (width - 1) == 0 { return value }
            shift += width - 1
        }
    }

    private mutating func align() { bit = (bit + 31) / 32 * 32 }

    /// Reads to the end of a block. Outside a block, reads one item of the file.
    private mutating func readItems(of block: Int, width: Int, abbreviations: [[Operand]]) {
        var abbreviations = abbreviations
        var described = -1
        repeat {
            let id = fixed(width)
            switch id {
            case 0:
                align()
                return
            case 1:
                let inner = variable(8)
                let innerWidth = variable(4)
                align()
                bit += 32
                readItems(of: inner, width: innerWidth, abbreviations: abbreviationsOfBlocks[inner] ?? [])
            case 2:
                let abbreviation = definition()
                if block == 0 {
                    abbreviationsOfBlocks[described, default: []].append(abbreviation)
                } else {
                    abbreviations.append(abbreviation)
                }
            case 3:
                var record = Record(block: block, code: variable(6))
                record.values = (0..<variable(6)).map { _ in variable(6) }
                // A record of the description block names the block that the following abbreviations are for.
                if block == 0, record.code == 1 { described = record.values[0] }
                records.append(record)
            default:
                records.append(record(of: block, as: abbreviations[id - 4]))
            }
        } while block >= 0
    }

    private mutating func definition() -> [Operand] {
        var left = variable(5)
        var operands: [Operand] = []
        while left > 0 {
            left -= 1
            if fixed(1) == 1 {
                operands.append(.literal(variable(8)))
                continue
            }
            switch fixed(3) {
            case 1: operands.append(.fixed(variable(5)))
            case 2: operands.append(.variable(variable(5)))
            case 3: operands.append(.array)
            case 4: operands.append(.character)
            default: operands.append(.blob)
            }
        }
        return operands
    }

    private mutating func record(of block: Int, as abbreviation: [Operand]) -> Record {
        var values: [Int] = []
        var text = ""
        var position = 0
        while position < abbreviation.count {
            switch abbreviation[position] {
            case .array:
                position += 1
                for _ in 0..<variable(6) { values.append(value(of: abbreviation[position])) }
            case .blob:
                let count = variable(6)
                align()
                text = String(decoding: bytes[bit / 8..<bit / 8 + count], as: UTF8.self)
                bit += count * 8
                align()
            case let operand: values.append(value(of: operand))
            }
            position += 1
        }
        return Record(block: block, code: values[0], values: Array(values.dropFirst()), text: text)
    }

    private mutating func value(of operand: Operand) -> Int {
        switch operand {
        case .literal(let value): value
        case .fixed(let width): fixed(width)
        case .variable(let width): variable(width)
        case .character: fixed(6)
        case .array, .blob: 0
        }
    }
}

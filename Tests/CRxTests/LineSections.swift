import CRx
import CRxTrace
import Foundation

/// A fixture's sections in memory, each followed by an inaccessible page, so that a read beyond the end crashes.
final class LineSections {
    private(set) var sections = rxtrace_line_sections()
    private var mappings: [(start: UnsafeMutableRawPointer, size: Int)] = []

    private static var fields: [String: WritableKeyPath<rxtrace_line_sections, rxtrace_bytes>] {
        [
            "line": \.line, "lineStr": \.line_str, "str": \.str, "info": \.info, "abbrev": \.abbrev,
            "strOffsets": \.str_offsets, "addr": \.addr,
            "ranges": \.ranges, "rnglists": \.rnglists,
        ]
    }

    init(_ bytes: [String: [UInt8]]) {
        for (name, bytes) in bytes { sections[keyPath: Self.fields[name]!] = guarded(bytes) }
    }

    deinit { for mapping in mappings { munmap(mapping.start, mapping.size) } }

    private func guarded(_ bytes: [UInt8]) -> rxtrace_bytes {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let room = (bytes.count + page - 1) / page * page
        let start = mmap(nil, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)!
        mappings.append((start, room + page))
        mprotect(start + room, page, PROT_NONE)
        let place = start + room - bytes.count
        place.copyMemory(from: bytes, byteCount: bytes.count)
        return rxtrace_bytes(start: UnsafePointer(place.assumingMemoryBound(to: UInt8.self)), size: bytes.count)
    }

    /// The functions and lines of an address in the format of the fixtures; `nil` if there is no line.
    static func text(_ table: OpaquePointer, _ address: UInt64, outermost: String) -> String? {
        var line = rx_line()
        guard rxtrace_line_table_find(table, address, &line) else { return nil }
        var place = line.place
        var texts: [String] = []
        for index in 0..<line.inlined_count {
            guard let inlined = rx_inlined_at(&line, index)?.pointee else { continue }
            texts.append("\(inlined.name.map { String(cString: $0) } ?? "?") \(text(place))")
            place = inlined.call
        }
        return (texts + ["\(outermost) \(text(place))"]).joined(separator: " < ")
    }

    static func text(_ place: rx_source_location) -> String {
        var path = place.file.map { String(cString: $0) } ?? "?"
        for part in [place.directory, place.base] where !path.hasPrefix("/") {
            if let part { path = String(cString: part) + "/" + path }
        }
        return "\(path):\(place.line)"
    }
}

extension LineFixture {
    var bytes: [String: [UInt8]] { sections.mapValues(Self.decoded) }

    static func decoded(_ text: String) -> [UInt8] {
        Array(Data(base64Encoded: text, options: .ignoreUnknownCharacters)!)
    }
}

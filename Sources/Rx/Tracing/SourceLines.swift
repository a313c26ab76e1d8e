import CRx

/// Where code of this process was written, by the line tables in its images' files; on Linux.
///
/// The toolchain's `Runtime` module runs all line programs of an image for each address. This runs
/// one.
package enum SourceLines {
    /// A line of a source file; 0 for code that has none.
    package struct Location: Equatable, Sendable {
        package let path: String
        package let line: Int

        package init(path: String, line: Int) {
            self.path = path
            self.line = line
        }
    }

    /// A function that was inlined, and where it was called.
    package struct Inlined: Equatable, Sendable {
        /// The mangled name.
        package let name: String
        package let call: Location?
    }

    package enum Answer: Equatable, Sendable {
        /// The image's file does not tell, nor does any other.
        case unknown
        /// The instruction's place in the innermost function, and the functions it was inlined through, the innermost
        /// first.
        case found(Location?, inlined: [Inlined])
        /// Not in the image's own file, or in a form that is not read here: `Runtime` may know.
        case elsewhere

        /// The instruction's place, in a function that may have been inlined.
        package var place: Location? {
            guard case .found(let place, _) = self else { return nil }
            return place
        }
    }

    /// The place of an instruction, which is not where its call returns to. O(n) in the size
    /// of its unit.
    package static func at(_ address: UInt) -> Answer {
        var line = rx_line()
        switch rx_lines_at(address, &line) {
        case rx_lines_found:
            let inlined = (0..<line.inlined_count).compactMap { index in
                rx_inlined_at(&line, index).map {
                    Inlined(
                        name: $0.pointee.name.map { String(cString: $0) } ?? "<unknown>", call: place($0.pointee.call))
                }
            }
            return .found(place(line.place), inlined: inlined)
        case rx_lines_elsewhere: return .elsewhere
        default: return .unknown
        }
    }

    /// The mangled name of the function that an instruction belongs to, and its image's file name; `nil` where the
    /// image's own file tells none.
    package static func function(at address: UInt) -> (name: String, image: String)? {
        var image: UnsafePointer<CChar>?
        guard let name = rx_function_at(address, &image), let image else { return nil }
        return (String(cString: name), String(cString: image))
    }

    /// The path that stands in the table in parts; a part that is absolute needs none before it.
    package static func place(_ found: rx_source_location) -> Location? {
        guard let file = found.file.map({ String(cString: $0) }) else { return nil }
        var path = file
        for part in [found.directory, found.base] {
            guard !path.hasPrefix("/"), let part else { continue }
            let folder = String(cString: part)
            path = folder.hasSuffix("/") ? folder + path : folder + "/" + path
        }
        return Location(path: path, line: Int(found.line))
    }
}

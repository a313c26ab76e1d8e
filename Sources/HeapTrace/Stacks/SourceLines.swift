import CRx

/// Finds the source locations of this process's code, using the line tables in the files of its images. On Linux only.
///
/// The toolchain's `Runtime` module runs all line programs of an image for each address. This implementation runs one
/// line program.
package enum SourceLines {
    /// A line of a source file. The line is 0 for code without a line.
    package struct Location: Equatable, Sendable {
        package let path: String
        package let line: Int

        package init(path: String, line: Int) {
            self.path = path
            self.line = line
        }
    }

    /// A function that was inlined, and the location of its call.
    package struct Inlined: Equatable, Sendable {
        /// The mangled name.
        package let name: String
        package let call: Location?
    }

    package enum Answer: Equatable, Sendable {
        /// Neither the image's file nor any other file contains the location.
        case unknown
        /// The location of the instruction in the innermost function, and the functions that it was inlined through,
        /// innermost first.
        case found(Location?, inlined: [Inlined])
        /// The location is not in the image's own file, or is in a form that this implementation does not read.
        /// `Runtime` may find it.
        case elsewhere

        /// The location of the instruction, in a function that may have been inlined.
        package var place: Location? {
            guard case .found(let place, _) = self else { return nil }
            return place
        }
    }

    /// Returns the location of an instruction. Pass the address of the call, not the address it returns to. O(n) in the
    /// size of the instruction's unit.
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

    /// Returns the mangled name of the function that contains an instruction, and the file name of its image, or `nil`
    /// if the image's own file does not contain the name.
    package static func function(at address: UInt) -> (name: String, image: String)? {
        var image: UnsafePointer<CChar>?
        guard let name = rx_function_at(address, &image), let image else { return nil }
        return (String(cString: name), String(cString: image))
    }

    /// Joins the path, which the table stores in parts. A part that is absolute replaces the parts before it.
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

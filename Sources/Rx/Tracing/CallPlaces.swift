#if DEBUG
    import CRx

    /// Names calls by the symbols and line tables in the files of this process's images. Only `CRxTrace` reads them, so
    /// a program without it has no answers. On Linux only.
    enum CallPlaces {
        /// A line of a source file. The line is 0 for code without a line.
        struct Place: Equatable, Sendable {
            let path: String
            let line: Int
        }

        /// Returns the place of an instruction, and whether the line tables cover it. If not, `Runtime` may find it.
        static func place(of address: UInt) -> (isCovered: Bool, place: Place?) {
            var line = rx_line()
            let answer = rx_lines_at(address, &line)
            return (answer != rx_lines_elsewhere, answer == rx_lines_found ? place(line.place) : nil)
        }

        /// Returns the mangled name of the function that contains an instruction, and the file name of its image; `nil`
        /// if the image's own file does not contain the name.
        static func function(at address: UInt) -> (name: String, image: String)? {
            var image: UnsafePointer<CChar>?
            guard let name = rx_function_at(address, &image), let image else { return nil }
            return (String(cString: name), String(cString: image))
        }

        /// Joins the parts of a path. A part that is absolute replaces the parts before it.
        private static func place(_ found: rx_source_location) -> Place? {
            guard let file = found.file.map({ String(cString: $0) }) else { return nil }
            let folders = [found.directory, found.base].lazy.compactMap { $0.map { String(cString: $0) } }
            let path = folders.reduce(file) { $0.hasPrefix("/") ? $0 : $1.hasSuffix("/") ? $1 + $0 : "\($1)/\($0)" }
            return Place(path: path, line: Int(found.line))
        }
    }
#endif

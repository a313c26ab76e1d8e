#if os(Linux)
    import CRx
    import Foundation
    import Runtime

    extension ImageMap {
        /// The images of this process, as the loader lists them.
        ///
        /// `capture()` reads what is mapped into the process, and crashes where another thread unmaps it meanwhile: a
        /// file, or a library.
        static func loaded() -> ImageMap {
            var capacity = 64
            while true {
                let images = UnsafeMutablePointer<rx_listed_image>.allocate(capacity: capacity)
                defer { images.deallocate() }
                let count = rx_images_list(images, capacity)
                if count <= capacity { return ImageMap(UnsafeBufferPointer(start: images, count: count)) }
                capacity = count * 2
            }
        }

        /// `Runtime` makes an image map of its own list alone; but it reads what it has written. The format is that of
        /// "Compact ImageMap Format" (Swift, docs/CompactImageMapFormat.rst): 0x02 says that words take 64 bits; then
        /// come the platform, how many images there are, and those by their addresses.
        init(_ images: UnsafeBufferPointer<rx_listed_image>) {
            var bytes: [UInt8] = [0x02]
            let platform = "Linux".utf8
            bytes.append(count: platform.count)
            bytes.append(contentsOf: platform)
            bytes.append(count: images.count)
            for image in images.sorted(by: { $0.start < $1.start }) { bytes.append(image) }
            let text = Data(bytes).base64EncodedString().replacingOccurrences(of: "=", with: "")
            let decoded = try? JSONDecoder().decode(ImageMap.self, from: Data("\"\(text)\"".utf8))
            self = decoded ?? .capture()
        }
    }

    extension [UInt8] {
        /// Seven bits a byte, the highest first; all but the last have the eighth bit.
        fileprivate mutating func append(count: Int) {
            let groups = Swift.max(1, (count.bitWidth - count.leadingZeroBitCount + 6) / 7)
            for group in (0..<groups).reversed() {
                append(UInt8(count >> (7 * group) & 0x7F) | (group > 0 ? 0x80 : 0))
            }
        }

        fileprivate mutating func append(_ image: rx_listed_image) {
            // Eight bytes for the start, and eight for how far behind it the end lies.
            append(0x3F)
            Swift.withUnsafeBytes(of: UInt64(image.start).bigEndian) { append(contentsOf: $0) }
            Swift.withUnsafeBytes(of: UInt64(image.end - image.start).bigEndian) { append(contentsOf: $0) }
            append(count: Int(image.build_id_count))
            Swift.withUnsafeBytes(of: image.build_id) { append(contentsOf: $0.prefix(Int(image.build_id_count))) }
            // A path in pieces, each of up to 63 bytes and behind its length, and 0 as its end.
            var path = Swift.withUnsafeBytes(of: image.path) { Array($0.prefix { $0 != 0 }) }[...]
            while !path.isEmpty {
                let piece = path.prefix(63)
                append(UInt8(piece.count))
                append(contentsOf: piece)
                path.removeFirst(piece.count)
            }
            append(0)
        }
    }
#endif

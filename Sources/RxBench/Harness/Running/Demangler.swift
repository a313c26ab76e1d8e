import Foundation

/// Names of functions as people write them.
package enum Demangler {
    /// `name` demangled when it is a mangled name of Swift's, else as it is.
    package static func readable(_ name: String) -> String {
        guard name.hasPrefix("$s"), let text = demangle(name, UInt(name.utf8.count), nil, nil, 0) else { return name }
        defer { free(text) }
        return String(cString: text)
    }
}

/// The runtime's own demangler (stdlib/public/runtime/Demangle.cpp); its text is freed by the caller.
@_silgen_name("swift_demangle")
private func demangle(
    _ name: UnsafePointer<CChar>, _ length: UInt, _ buffer: UnsafeMutablePointer<CChar>?,
    _ size: UnsafeMutablePointer<UInt>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

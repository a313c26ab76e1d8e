import Foundation
import RxBench

/// Where a process that compares two sides is: two bytes that it shares with the process that started it, so that a
/// crash, a hang and a kill leave them behind.
final class Whereabouts {
    /// The task at hand.
    enum Step: UInt8 {
        case loading = 1
        case settingUp, timing, checking

        /// The step as the beginning of a sentence.
        var words: String {
            switch self {
            case .loading: "Loading the images"
            case .settingUp: "Setting it up"
            case .timing: "A batch of its iterations"
            case .checking: "Its check"
            }
        }
    }

    /// Inherited by a process that is started, whose request names it.
    let descriptor: Int32
    private let bytes: UnsafeMutablePointer<UInt8>
    private static let length = 2

    /// Memory of its own, in a file that has no name; `nil` where the system gives none.
    init?() {
        var template = Array((FileManager.default.temporaryDirectory.path + "/rxbench-XXXXXX").utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return nil }
        unlink(template)
        guard ftruncate(descriptor, off_t(Self.length)) == 0, let bytes = Self.map(descriptor) else {
            close(descriptor)
            return nil
        }
        self.bytes = bytes
    }

    /// The memory behind the descriptor that this process inherited; `nil` where it is none.
    init?(inherited descriptor: Int32) {
        guard let bytes = Self.map(descriptor) else { return nil }
        self.descriptor = descriptor
        self.bytes = bytes
    }

    deinit {
        munmap(bytes, Self.length)
        close(descriptor)
    }

    private static func map(_ descriptor: Int32) -> UnsafeMutablePointer<UInt8>? {
        guard let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { return nil }
        return memory.assumingMemoryBound(to: UInt8.self)
    }

    /// Notes what is being done next, and on which side. Two stores.
    func note(_ step: Step, _ side: PairedSide? = nil) {
        bytes[0] = step.rawValue
        bytes[1] = side.map { $0 == .base ? 1 : 2 } ?? 0
    }

    /// The latest note.
    var step: Step? { Step(rawValue: bytes[0]) }
    var side: PairedSide? { [1: .base, 2: .head][bytes[1]] }
}

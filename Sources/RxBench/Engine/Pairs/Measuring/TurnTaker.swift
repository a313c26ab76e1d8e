import Foundation
import RxBench

/// One side in a separate process that runs a batch on request. It is used for code whose state is shared by all images
/// of a process.
///
/// Messages are sent over pipes as eight-byte numbers: a number of iterations to the process, and a number of
/// nanoseconds back. An ``Order`` instead of a number of iterations requests a text. The process replies with the
/// length of the text and the text. The process belongs to the group of this process. It ends with the group, or when
/// its input ends.
final class TurnTaker: PairedWorkload {
    /// The first argument that starts the tool as such a process.
    static let verb = "__turns"
    /// The first byte of the reply: the benchmark is set up, or there is no such benchmark. Any other byte begins the
    /// sentence of a refusal.
    private static let (ready, unknownBenchmark): (UInt8, UInt8) = (0x06, 0x15)

    /// Requests that are not a number of iterations.
    private enum Order: Int64 {
        /// Requests the error message of the check. The message is empty if the check passed.
        case check = 0
        /// Requests the recorded durations as a list of ``LatencyBucket`` in JSON. The text is empty if the workload
        /// does not record durations.
        case takeLatencies = -1
    }

    private let identifier: pid_t
    private let orders, answers: Int32

    /// Starts this program again with the image at `image`, and makes it set up the benchmark with the ID `id`.
    init(image: String, id: String) throws(PairedFailure) {
        var there: [Int32] = [0, 0]
        var back: [Int32] = [0, 0]
        guard let executable = Bundle.main.executablePath else {
            throw .refused("The tool cannot find its own executable.")
        }
        guard pipe(&there) == 0, pipe(&back) == 0 else { throw .shortage(errno) }
        // The other side's process must not hold these ends open.
        for end in there + back { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        do throws(ChildProcess.StartError) {
            identifier = try Spawn.start(
                executable, [Self.verb, image, id], [:], input: there[0], output: back[1], errors: 2,
                isInOwnGroup: false)
        } catch { throw error.isShortage ? .shortage(error.code) : .refused(error.description) }
        close(there[0])
        close(back[1])
        (orders, answers) = (there[1], back[0])
        var first: UInt8 = 0
        guard read(answers, &first, 1) == 1 else {
            throw .refused("The process of one side ended while it set the benchmark up.")
        }
        if first != Self.ready { throw Self.failure(first, rest: answers) }
    }

    private static func failure(_ first: UInt8, rest descriptor: Int32) -> PairedFailure {
        if first == unknownBenchmark { return .unknownBenchmark }
        let rest = (try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd()) ?? Data()
        return .refused(String(decoding: Data([first]) + rest, as: UTF8.self))
    }

    func time(_ iterations: Int) throws(PairedFailure) -> UInt64 { try answer(to: Int64(iterations)) }

    private func answer(to number: Int64) throws(PairedFailure) -> UInt64 {
        var order = number
        var answer: UInt64 = 0
        // A pipe transfers eight bytes in one piece.
        guard write(orders, &order, 8) == 8, read(answers, &answer, 8) == 8 else {
            throw .refused("The process of one side ended between two batches.")
        }
        guard answer != ImageInterface.failed else { throw .refused("An iteration threw an error.") }
        return answer
    }

    func check() throws(PairedFailure) {
        let sentence = try text(.check)
        if !sentence.isEmpty { throw .refused(String(decoding: sentence, as: UTF8.self)) }
    }

    func takeLatencies() throws(PairedFailure) -> [LatencyBucket]? {
        let text = try text(.takeLatencies)
        return text.isEmpty ? nil : try [LatencyBucket](sent: text)
    }

    private func text(_ order: Order) throws(PairedFailure) -> Data {
        let length = Int(clamping: try answer(to: order.rawValue))
        guard length > 0 else { return Data() }
        var text = Data()
        // A pipe delivers a long text in pieces.
        let file = FileHandle(fileDescriptor: answers, closeOnDealloc: false)
        while text.count < length, let piece = try? file.read(upToCount: length - text.count), !piece.isEmpty {
            text += piece
        }
        return text
    }

    /// Makes the process tear down the benchmark, and waits until the process ends.
    func end() {
        close(orders)
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        close(answers)
    }

    private static func text(for order: Order, from workload: LoadedWorkload) -> [UInt8] {
        do throws(PairedFailure) {
            switch order {
            case .check: try workload.check()
            case .takeLatencies:
                return try workload.takeLatencies().flatMap { try? JSONEncoder().encode($0) }.map(Array.init) ?? []
            }
        } catch {
            if case .refused(let sentence) = error { return Array(sentence.utf8) }
        }
        return []
    }

    /// The main function of such a process. Runs batches until the input ends, and then ends the process.
    static func run(_ arguments: [String]) -> Never {
        guard arguments.count == 2 else { _exit(64) }
        let answers = dup(1)
        dup2(2, 1)
        func say(_ bytes: [UInt8]) { _ = write(answers, bytes, bytes.count) }
        do throws(LoadedImage.LoadError) {
            try LoadedImage.open([arguments[0]]) { images in
                do throws(PairedFailure) {
                    let workload = try images[0].prepare(arguments[1])
                    say([ready])
                    var order: Int64 = 0
                    while read(0, &order, 8) == 8 {
                        let text = Order(rawValue: order).map { Self.text(for: $0, from: workload) }
                        var answer =
                            text.map { UInt64($0.count) } ?? (try? workload.time(Int(order))) ?? ImageInterface.failed
                        _ = write(answers, &answer, 8)
                        say(text ?? [])
                    }
                    workload.end()
                } catch {
                    switch error {
                    case .unknownBenchmark: say([unknownBenchmark])
                    case .refused(let sentence): say(Array(sentence.utf8))
                    case .shortage(let code): say(Array(String(cString: strerror(code)).utf8))
                    }
                }
                _exit(0)
            }
        } catch {
            say(Array(error.description.utf8))
        }
        _exit(0)
    }
}

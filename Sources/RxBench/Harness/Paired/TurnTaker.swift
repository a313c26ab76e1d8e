import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A side in a process of its own that runs a batch whenever it is told to: for code whose state is shared by all images of one process.
///
/// Both ways over pipes, a number of eight bytes each: iterations there, nanoseconds back; after none, the length of what a check complains of, and the
/// sentence. The process is in this one's group and ends with it, or
/// when its input does.
final class TurnTaker: PairedWorkload {
    /// The first argument that makes the tool such a process.
    static let verb = "__turns"
    /// What it answers once the benchmark is set up; anything else is a sentence.
    private static let ready = UInt8(ascii: "\u{06}")

    private let identifier: pid_t
    private let orders, answers: Int32

    /// Starts this program again with the image at `image`, and has it set up the benchmark called `id`.
    init(image: String, id: String) throws(PairedFailure) {
        var there: [Int32] = [0, 0]
        var back: [Int32] = [0, 0]
        guard let executable = Bundle.main.executablePath, pipe(&there) == 0, pipe(&back) == 0 else {
            throw .refused("A process for one side cannot be started: \(String(cString: strerror(errno))).")
        }
        // The other side's process must not hold these ends open.
        for end in there + back { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        do throws(ChildProcess.StartError) {
            identifier = try Spawn.start(
                executable, [Self.verb, image, id], [:], input: there[0], output: back[1], errors: 2, isInOwnGroup: false)
        } catch { throw .refused(error.description) }
        close(there[0])
        close(back[1])
        (orders, answers) = (there[1], back[0])
        var first: UInt8 = 0
        guard read(answers, &first, 1) == 1 else { throw .refused("The process of one side ended while it set the benchmark up.") }
        if first != Self.ready { throw Self.failure(first, rest: answers) }
    }

    private static func failure(_ first: UInt8, rest descriptor: Int32) -> PairedFailure {
        let rest = (try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readToEnd()) ?? Data()
        let sentence = String(decoding: Data([first]) + rest, as: UTF8.self)
        return sentence == "?" ? .unknownBenchmark : .refused(sentence)
    }

    func time(_ iterations: Int) throws(PairedFailure) -> UInt64 {
        var order = Int64(iterations)
        var answer: UInt64 = 0
        // Eight bytes pass through a pipe in one piece.
        guard write(orders, &order, 8) == 8, read(answers, &answer, 8) == 8 else { throw .refused("The process of one side ended between two batches.") }
        guard answer != ImageInterface.failed else { throw .refused("An iteration threw an error.") }
        return answer
    }

    func check() throws(PairedFailure) {
        let length = Int(clamping: try time(0))
        guard length > 0 else { return }
        let sentence = (try? FileHandle(fileDescriptor: answers, closeOnDealloc: false).read(upToCount: length)) ?? Data()
        throw .refused(String(decoding: sentence, as: UTF8.self))
    }

    /// Has the process tear the benchmark down, and waits for its end.
    func end() {
        close(orders)
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        close(answers)
    }

    private static func complaint(of workload: LoadedWorkload) -> [UInt8] {
        do throws(PairedFailure) { try workload.check() } catch {
            if case .refused(let sentence) = error { return Array(sentence.utf8) }
        }
        return []
    }

    /// The inside of such a process: runs batches until its input ends, then ends itself.
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
                        let complaint = order == 0 ? Self.complaint(of: workload) : []
                        var answer = order == 0 ? UInt64(complaint.count) : (try? workload.time(Int(order))) ?? ImageInterface.failed
                        _ = write(answers, &answer, 8)
                        say(complaint)
                    }
                    workload.end()
                } catch {
                    switch error {
                    case .unknownBenchmark: say(Array("?".utf8))
                    case .refused(let sentence): say(Array(sentence.utf8))
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

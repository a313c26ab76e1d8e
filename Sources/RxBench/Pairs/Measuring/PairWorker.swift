import Foundation
import RxBench

/// The inside of a process that compares two images: reads a request from its arguments, measures, writes the reply to
/// standard output.
package enum PairWorker {
    /// The first argument that makes the tool such a process.
    static let verb = "__pair"

    /// Ends the process when `arguments` begin with the verb of a process that loads images; else does nothing.
    package static func runIfAsked(_ arguments: [String]) {
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case verb: run(rest)
        case exactVerb: runExactly(rest)
        case listVerb: runList(rest)
        case TurnTaker.verb: TurnTaker.run(rest)
        default: break
        }
    }

    /// Measures what `arguments` (those behind the verb) ask for, writes the reply and ends the process.
    private static func run(_ arguments: [String]) -> Never {
        guard let text = arguments.first,
            let request = try? JSONDecoder().decode(PairRequest.self, from: Data(text.utf8))
        else { _exit(64) }
        let output = ReplyOutput()
        // The heap begins elsewhere in each process, as far as this: its blocks are never given back.
        _ = malloc(Int(request.seed >> 8 & 0xFFFF))
        let isHeadFirst = request.seed & 1 == 1
        let whereabouts = request.whereabouts.flatMap { Whereabouts(inherited: $0) }
        whereabouts?.note(.loading)
        if request.arrangement == .twoProcesses { output.end(with: measureInTurns(request, whereabouts)) }
        do throws(LoadedImage.LoadError) {
            try LoadedImage.open(isHeadFirst ? [request.head, request.base] : [request.base, request.head]) { images in
                let (base, head) = (images[isHeadFirst ? 1 : 0], images[isHeadFirst ? 0 : 1])
                output.end(with: measure(request, base: base, head: head, whereabouts))
            }
        } catch {
            output.end(with: PairReply(failure: .refused(error.description)))
        }
    }

    /// The first argument that makes the tool count what one image does.
    static let exactVerb = "__image"

    /// Has the image at the path that `arguments` begin with answer the request behind it, and ends the process.
    private static func runExactly(_ arguments: [String]) -> Never {
        guard arguments.count == 2,
            let request = try? JSONDecoder().decode(WorkerRequest.self, from: Data(arguments[1].utf8))
        else { _exit(64) }
        let output = ReplyOutput()
        do throws(LoadedImage.LoadError) {
            try LoadedImage.open([arguments[0]]) { images in output.end(with: images[0].measure(request)) }
        } catch {
            output.end(with: WorkerReply(failure: error.description))
        }
    }

    /// The first argument that makes the tool list the benchmarks of one image.
    static let listVerb = "__list"

    /// Writes what the image at the path that `arguments` consist of has, and ends the process.
    private static func runList(_ arguments: [String]) -> Never {
        guard arguments.count == 1 else { _exit(64) }
        let output = ReplyOutput()
        do throws(LoadedImage.LoadError) {
            try LoadedImage.open(arguments) { images in output.end(with: images[0].list()) }
        } catch {
            FileHandle.standardError.write(Data("Fatal error: \(error.description)\n".utf8))
            _exit(70)
        }
    }

    /// Each side in a process of its own, which this one gives the turn.
    private static func measureInTurns(_ request: PairRequest, _ whereabouts: Whereabouts?) -> PairReply {
        func prepare(_ side: PairedSide) throws(PairedPassFailure) -> TurnTaker {
            whereabouts?.note(.settingUp, side)
            do throws(PairedFailure) {
                return try TurnTaker(image: side == .base ? request.base : request.head, id: request.id)
            } catch { throw PairedPassFailure(side: side, failure: error) }
        }
        do throws(PairedPassFailure) {
            let base = try prepare(.base)
            defer { base.end() }
            let head = try prepare(.head)
            defer { head.end() }
            return PairReply(
                series: try PairedPass.run(
                    base: base, head: head, budgetNanoseconds: request.budgetNanoseconds,
                    isHeadFirst: request.seed & 4 == 4, whereabouts: whereabouts))
        } catch {
            return PairReply(failure: error.failure, failedSide: error.side)
        }
    }

    private static func measure(
        _ request: PairRequest, base: LoadedImage, head: LoadedImage, _ whereabouts: Whereabouts?
    ) -> PairReply {
        func prepare(_ image: LoadedImage, _ side: PairedSide) throws(PairedPassFailure) -> LoadedWorkload {
            whereabouts?.note(.settingUp, side)
            do throws(PairedFailure) { return try image.prepare(request.id) } catch {
                throw PairedPassFailure(side: side, failure: error)
            }
        }
        do throws(PairedPassFailure) {
            let isHeadSetUpFirst = request.seed & 2 == 2
            let early = isHeadSetUpFirst ? try prepare(head, .head) : try prepare(base, .base)
            let late = isHeadSetUpFirst ? try prepare(base, .base) : try prepare(head, .head)
            return PairReply(
                series: try PairedPass.run(
                    base: isHeadSetUpFirst ? late : early, head: isHeadSetUpFirst ? early : late,
                    budgetNanoseconds: request.budgetNanoseconds, isHeadFirst: request.seed & 4 == 4,
                    whereabouts: whereabouts))
        } catch {
            return PairReply(failure: error.failure, failedSide: error.side)
        }
    }
}

/// A request to a process that compares two images.
package struct PairRequest: Codable, Sendable, Equatable {
    /// Whether both images are loaded into one process or each into one of its own, or both sides are programs.
    package enum Arrangement: String, Codable { case oneProcess, twoProcesses, twoPrograms }

    /// The paths of the two images or programs.
    let base, head: String
    let id: String
    /// How long to measure, warm-up included.
    let budgetNanoseconds: UInt64
    /// Fixes what differs from process to process: which image is loaded and measured first, and how much is allocated
    /// before.
    let seed: UInt64
    let arrangement: Arrangement
    /// How many operations an iteration performs: programs say their time for one.
    var operations = 1
    /// Where the process notes what it is doing, see ``Whereabouts``.
    var whereabouts: Int32?
}

/// The findings of such a process.
struct PairReply: Codable, Sendable, Equatable {
    /// Why nothing was measured, and on which side; the side is missing when neither is at fault.
    var failure: PairedFailure?
    var failedSide: PairedSide?
    var series: PairSeries?
}

/// The figures that one process measured of two sides.
struct PairSeries: Codable, Sendable, Equatable {
    /// One for each quantity of the benchmark.
    let figures: [PairFigure]
    /// How many quadruples of batches they are taken from.
    let quadruples: Int
    /// The allocator of the process, see ``TimeAllocator/current``.
    var allocator = TimeAllocator.current
}

/// One quantity on two sides.
struct PairFigure: Codable, Sendable, Equatable {
    let quantity: PairedQuantity
    /// The logarithm of head over base.
    let logRatio: Double
    /// In nanoseconds.
    let base, head: Double

    /// A figure of two durations.
    init(_ quantity: PairedQuantity, base: Double, head: Double) {
        self.quantity = quantity
        // A clock that saw no time pass says 0, which has no logarithm.
        logRatio = log(max(1, head) / max(1, base))
        self.base = base
        self.head = head
    }

    /// A figure per iteration, from the ratio, and from the geometric mean of both sides for so many iterations.
    init(_ quantity: PairedQuantity, middle: Double, logRatio: Double, iterations: Int) {
        self.quantity = quantity
        self.logRatio = logRatio
        base = middle / Double(iterations) / exp(logRatio / 2)
        head = middle / Double(iterations) * exp(logRatio / 2)
    }
}

/// A compared quantity of a benchmark, named as the metric of a run.
///
/// A workload that records durations of its own is compared by their quantiles: its iterations wait for other threads,
/// and the mean of what they take says little.
package enum PairedQuantity: String, Codable, Sendable, CaseIterable {
    /// How long an iteration takes: the middle ratio of neighbouring batches.
    case time
    /// The duration that half of all recorded ones do not exceed, and 99 in a hundred.
    case latencyP50, latencyP99

    /// The share of durations that do not exceed the quantity; `nil` for ``time``.
    var probability: Double? { LatencyDistribution.reported.first { $0.name == rawValue }?.probability }

    /// The compared quantities of a workload.
    static func all(recordsLatencies: Bool) -> [PairedQuantity] {
        allCases.filter { ($0.probability != nil) == recordsLatencies }
    }
}

/// A benchmark of one of two sides, wherever it runs.
protocol PairedWorkload {
    /// Nanoseconds that so many iterations take.
    func time(_ iterations: Int) throws(PairedFailure) -> UInt64
    /// Checks what the latest iteration left behind.
    func check() throws(PairedFailure)
    /// The durations that were recorded since this was asked last; `nil` for a workload that records none.
    func takeLatencies() throws(PairedFailure) -> [LatencyBucket]?
    /// Tears the benchmark down; nothing is timed after it.
    func end()
}

/// Why a side's benchmark gives no time.
enum PairedFailure: Error, Codable, Equatable {
    /// The side has no benchmark of that name.
    case unknownBenchmark
    /// One sentence.
    case refused(String)
    /// The machine could start no process for it: the system's error number. No fault of the side's.
    case shortage(Int32)
}

extension [LatencyBucket] {
    /// The durations that a side sent.
    init(sent text: Data) throws(PairedFailure) {
        do { self = try JSONDecoder().decode(Self.self, from: text) } catch {
            throw .refused("Its recorded latencies cannot be read.")
        }
    }
}

/// One of the two things that are compared.
enum PairedSide: String, Codable, Sendable, CaseIterable {
    case base, head
}

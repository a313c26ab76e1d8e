import Foundation
import RxBench

/// The entry points of a process that compares two images. It reads a request from its arguments, measures, and writes
/// the reply to standard output.
package enum PairWorker {
    /// The first argument that makes the tool act as such a process.
    static let verb = "__pair"

    /// If `arguments` begin with the verb of a process that loads images, runs that verb and ends the process.
    /// Otherwise does nothing.
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

    /// Measures the request in `arguments` (the arguments after the verb), writes the reply and ends the process.
    private static func run(_ arguments: [String]) -> Never {
        guard let text = arguments.first,
            let request = try? JSONDecoder().decode(PairRequest.self, from: Data(text.utf8))
        else { _exit(64) }
        let output = ReplyOutput()
        // This block moves the beginning of the heap in each process by up to 64 KiB. It is never freed.
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

    /// The first argument that makes the tool count in one image.
    static let exactVerb = "__image"

    /// Passes the request in the second of `arguments` to the image whose path is the first, and ends the process.
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

    /// Writes the list of benchmarks of the image whose path is the only one of `arguments`, and ends the process.
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

    /// Measures each side in a separate process. This process decides which side runs next.
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
    /// How the sides run: both images are loaded into one process, each image is loaded into a separate process, or
    /// both sides are programs.
    package enum Arrangement: String, Codable { case oneProcess, twoProcesses, twoPrograms }

    /// The paths of the two images or programs.
    let base, head: String
    let id: String
    /// The time to measure, including warm-up.
    let budgetNanoseconds: UInt64
    /// The seed of all properties that vary between processes: which image is loaded and measured first, and the amount
    /// of memory that is allocated before that.
    let seed: UInt64
    let arrangement: Arrangement
    /// The number of operations in an iteration. It is needed because programs report their time per operation.
    var operations = 1
    /// The descriptor of the memory in which the process notes its current step. See ``Whereabouts``.
    var whereabouts: Int32?
}

/// The reply of a process that compares two images.
struct PairReply: Codable, Sendable, Equatable {
    /// The reason why nothing was measured, and the side that caused it. The side is `nil` if neither side caused it.
    var failure: PairedFailure?
    var failedSide: PairedSide?
    var series: PairSeries?
}

/// The figures of two sides that one process measured.
struct PairSeries: Codable, Sendable, Equatable {
    /// One figure for each quantity of the benchmark.
    let figures: [PairFigure]
    /// The number of quadruples of batches that the figures are based on.
    let quadruples: Int
    /// The allocator of the process, see ``TimeAllocator/current``.
    var allocator = TimeAllocator.current
}

/// The figures of one quantity on both sides.
struct PairFigure: Codable, Sendable, Equatable {
    let quantity: PairedQuantity
    /// The logarithm of the ratio of head to base.
    let logRatio: Double
    /// The figures of both sides, in nanoseconds.
    let base, head: Double

    /// Creates a figure of two durations.
    init(_ quantity: PairedQuantity, base: Double, head: Double) {
        self.quantity = quantity
        // The clock may measure 0, which has no logarithm.
        logRatio = log(max(1, head) / max(1, base))
        self.base = base
        self.head = head
    }

    /// Creates a figure per iteration from the logarithm of the ratio and from `middle`, the geometric mean of both
    /// sides for `iterations` iterations.
    init(_ quantity: PairedQuantity, middle: Double, logRatio: Double, iterations: Int) {
        self.quantity = quantity
        self.logRatio = logRatio
        base = middle / Double(iterations) / exp(logRatio / 2)
        head = middle / Double(iterations) * exp(logRatio / 2)
    }
}

/// A compared quantity of a benchmark. Its raw value is the name of the corresponding metric of a run.
///
/// A workload that records durations itself is compared by the quantiles of these durations. Its iterations wait for
/// other threads, so the mean of their times is not informative.
package enum PairedQuantity: String, Codable, Sendable, CaseIterable {
    /// The time of an iteration, compared by the median ratio of neighbouring batches.
    case time
    /// The durations that 50 % and 99 % of the recorded durations do not exceed.
    case latencyP50, latencyP99

    /// The share of durations that do not exceed the quantity, or `nil` for ``time``.
    var probability: Double? { LatencyDistribution.reported.first { $0.name == rawValue }?.probability }

    /// Returns the compared quantities of a workload.
    static func all(recordsLatencies: Bool) -> [PairedQuantity] {
        allCases.filter { ($0.probability != nil) == recordsLatencies }
    }
}

/// A benchmark of one of the two sides, in this process or another one.
protocol PairedWorkload {
    /// Returns the time of `iterations` iterations, in nanoseconds.
    func time(_ iterations: Int) throws(PairedFailure) -> UInt64
    /// Checks the result of the latest iteration.
    func check() throws(PairedFailure)
    /// Returns the durations that were recorded since the last call, or `nil` if the workload does not record
    /// durations.
    func takeLatencies() throws(PairedFailure) -> [LatencyBucket]?
    /// Tears down the benchmark. Nothing is timed after this call.
    func end()
}

/// The reason why a side's benchmark cannot be timed.
enum PairedFailure: Error, Codable, Equatable {
    /// The side has no benchmark with that ID.
    case unknownBenchmark
    /// The benchmark cannot be timed. The value is a sentence with the reason.
    case refused(String)
    /// The machine could not start a process. The value is the system's error number. The side did not cause this.
    case shortage(Int32)
}

extension [LatencyBucket] {
    /// Decodes the durations that a side has sent.
    init(sent text: Data) throws(PairedFailure) {
        do { self = try JSONDecoder().decode(Self.self, from: text) } catch {
            throw .refused("Its recorded latencies cannot be read.")
        }
    }
}

/// One of the two compared sides.
enum PairedSide: String, Codable, Sendable, CaseIterable {
    case base, head
}

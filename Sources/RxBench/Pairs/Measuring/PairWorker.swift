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

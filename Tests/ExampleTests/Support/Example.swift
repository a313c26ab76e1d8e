import Foundation

@testable import ExampleScenery

/// What a comment behind code says is printed.
struct Claim {
    let line: Int
    let text: String
}

/// What is wrong with an example, and at which line of its page.
struct Complaint: Equatable {
    let line: UInt
    let text: String
}

/// An example of a page, ready to run.
struct Example {
    /// The page's path in the package.
    let page: String
    /// Where the example begins.
    let line: Int
    let claims: [Claim]

    /// How long virtual time runs once an example's code has run: a minute.
    private static let milliseconds = 60_000

    /// Runs the example, then the virtual time of its scenery, and compares what was printed with what its comments
    /// say.
    func run<Surroundings: Scenery>(_ body: (Surroundings) throws -> Void) -> [Complaint] {
        let capture = OutputCapture()
        defer { capture.stop() }
        let surroundings = Surroundings()
        do { try body(surroundings) } catch { return [complaint(at: line, "throws '\(error)'")] }
        surroundings.scheduler.advanceTo(surroundings.scheduler.clock + Self.milliseconds)
        return complaints(about: capture)
    }

    /// As `run(_:)` without virtual time, for an example that awaits something.
    func run<Surroundings: Scenery>(_ body: (Surroundings) async throws -> Void) async -> [Complaint] {
        let capture = OutputCapture()
        defer { capture.stop() }
        let surroundings = Surroundings()
        // Virtual time does not pass: it belongs to one thread, and the example may have changed it.
        do { try await body(surroundings) } catch { return [complaint(at: line, "throws '\(error)'")] }
        return complaints(about: capture)
    }

    private func complaints(about capture: OutputCapture) -> [Complaint] {
        let printed = OutputComparison(claims: claims)
        // What another thread or the main queue is to print may not be there yet.
        let deadline = Date(timeIntervalSinceNow: 2)
        var lines = capture.lines()
        while printed.mayBecomeEqual(lines), Date() < deadline {
            if Thread.isMainThread {
                _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
            } else {
                usleep(1_000)
            }
            lines = capture.lines()
        }
        KeptValues.all = []
        lines = capture.lines()
        guard let difference = printed.difference(from: lines) else { return [] }
        return [complaint(at: difference.line ?? line, difference.text)]
    }

    private func complaint(at line: Int, _ text: String) -> Complaint {
        Complaint(line: UInt(line), text: "\(page):\(line): The example \(text).")
    }
}

import Foundation

@testable import ExampleScenery

/// The output that a comment after code states.
struct Claim {
    let line: Int
    let text: String
}

/// A fault in an example, and the line of its page.
struct Complaint: Equatable {
    let line: UInt
    let text: String
}

/// An example of a page, ready to run.
struct Example {
    /// The page's path in the package.
    let page: String
    /// The line at which the example begins.
    let line: Int
    let claims: [Claim]

    /// The virtual time that passes after an example's code has run: a minute.
    private static let milliseconds = 60_000

    /// Runs the example and then the virtual time of its scenery, and compares the output with the example's
    /// comments.
    func run<Surroundings: Scenery>(_ body: (Surroundings) throws -> Void) -> [Complaint] {
        let capture = OutputCapture()
        defer { capture.stop() }
        let surroundings = Surroundings()
        do { try body(surroundings) } catch { return [complaint(at: line, "throws '\(error)'")] }
        surroundings.scheduler.advanceTo(surroundings.scheduler.clock + Self.milliseconds)
        return complaints(about: capture)
    }

    /// Runs an example that awaits a value. Virtual time doesn't pass.
    func run<Surroundings: Scenery>(_ body: (Surroundings) async throws -> Void) async -> [Complaint] {
        let capture = OutputCapture()
        defer { capture.stop() }
        let surroundings = Surroundings()
        // Virtual time doesn't pass, because it belongs to one thread and the example may have changed the thread.
        do { try await body(surroundings) } catch { return [complaint(at: line, "throws '\(error)'")] }
        return complaints(about: capture)
    }

    private func complaints(about capture: OutputCapture) -> [Complaint] {
        let printed = OutputComparison(claims: claims)
        // Output from another thread or from the main queue may not have arrived yet.
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

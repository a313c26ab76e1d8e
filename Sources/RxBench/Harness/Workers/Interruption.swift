import Foundation
import Synchronization

/// Ends the workers when the tool is interrupted, and remembers that it was.
public enum Interruption {
    private struct State {
        var signal: Int32?
        /// Each with the signal that ends it.
        var children: [pid_t: Int32] = [:]
        var sources: [any DispatchSourceSignal] = []
    }

    /// Unchecked: dispatch sources are made and kept under the lock.
    private struct Guarded: @unchecked Sendable {
        var state = State()
    }

    private static let guarded = Mutex(Guarded())

    /// The signal that interrupted the tool, or `nil`.
    public static var signal: Int32? { guarded.withLock { $0.state.signal } }

    /// From now on SIGINT and SIGTERM end the workers instead of the tool; the run then stops with ``Interrupted``.
    public static func install() {
        for number in [SIGINT, SIGTERM] {
            #if canImport(Darwin)
                Darwin.signal(number, SIG_IGN)
            #elseif canImport(Glibc)
                Glibc.signal(number, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { raise(number) }
            source.resume()
            guarded.withLock { $0.state.sources.append(source) }
        }
    }

    /// Sends `signal` to the group of `child` when the tool is, or already was, interrupted.
    static func watch(_ child: pid_t, endingWith signal: Int32) {
        guarded.withLock { guarded in
            if guarded.state.signal != nil { kill(-child, signal) } else { guarded.state.children[child] = signal }
        }
    }

    /// Stops watching a child that has ended.
    static func forget(_ child: pid_t) {
        _ = guarded.withLock { $0.state.children.removeValue(forKey: child) }
    }

    private static func raise(_ number: Int32) {
        guarded.withLock { guarded in
            guarded.state.signal = number
            for (child, signal) in guarded.state.children { kill(-child, signal) }
        }
    }
}

/// The run was ended by a signal.
public struct Interrupted: Error, Equatable {
    /// SIGINT or SIGTERM.
    public let signal: Int32
}

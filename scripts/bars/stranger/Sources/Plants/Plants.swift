import Dispatch
import Foundation
import Synchronization

// Mistakes that leak each time they are made, and the same code without these mistakes.

// @unchecked: one thread at a time uses an instance.
final class Row: @unchecked Sendable {
    var next: Row?
    var timer: DispatchSourceTimer?
    func tick() {}
}

private struct Kept: Sendable {
    var identifiers: Set<UUID> = []
    var data = Data()
    var numbers: [Int] = []
    var words: [Int: String] = [:]
    var names: [String] = []
    var rows: [Int: Row] = [:]
    var tasks: [Task<Void, Never>] = []
    var continuations: [AsyncStream<Int>.Continuation] = []

    mutating func addNumber() {
        if numbers.capacity == 0 { numbers.reserveCapacity(100_000) }
        numbers.append(1)
    }
}

// A leak and its twin may run at the same time.
private let kept = Mutex(Kept())
private let cleared = Mutex(Kept())
private let keptByTasks = Mutex(Kept())
private let clearedByTasks = Mutex(Kept())
/// Stores addresses of C memory, because the optimiser removes allocations that are not used.
public let latest = Atomic<UInt>(0)

private actor Table {
    static let kept = Table()
    static let cleared = Table()
    private var rows: [String: String] = [:]
    func add(_ count: Int) { for _ in 0..<count { rows["row \(rows.count) of the table"] = "a value of some length" } }
    func clear() { rows = [:] }
}

public enum Plants {
    public static func cycle(leaks: Bool) {
        let row = Row()
        row.next = leaks ? row : Row()
    }

    public static func closure(leaks: Bool) {
        var call: (() -> Void)?
        call = { call?() }
        if !leaks { call = nil }
    }

    public static func queue(leaks: Bool) {
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            let row = Row()
            row.next = leaks ? row : nil
            done.signal()
        }
        done.wait()
    }

    public static func timer(leaks: Bool) {
        let row = Row()
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler { row.tick() }
        timer.schedule(deadline: .now() + 3_600)
        row.timer = timer
        timer.resume()
        if !leaks {
            timer.cancel()
            row.timer = nil
        }
    }

    public static func set(leaks: Bool) {
        if leaks { return kept.withLock { _ = $0.identifiers.insert(UUID()) } }
        cleared.withLock { $0.identifiers = [UUID()] }
    }

    public static func data(leaks: Bool) {
        if leaks { return kept.withLock { $0.data.append(Data(count: 1_000)) } }
        cleared.withLock { $0.data = Data(count: 1_000) }
    }

    /// The added element fits into the array's spare capacity, and allocates no bytes.
    public static func room(leaks: Bool) {
        if leaks { return kept.withLock { $0.addNumber() } }
        cleared.withLock {
            $0.numbers.removeAll(keepingCapacity: true)
            $0.addNumber()
        }
    }

    public static func dictionary(leaks: Bool) {
        if leaks { return kept.withLock { $0.words[$0.words.count] = "a text that is longer than fifteen bytes" } }
        cleared.withLock { $0.words = [0: "a text that is longer than fifteen bytes"] }
    }

    public static func cache(leaks: Bool) {
        if leaks { return kept.withLock { $0.rows[$0.rows.count] = Row() } }
        cleared.withLock { $0.rows[Int.random(in: 0..<150)] = Row() }
    }

    /// Adds an element next to a cycle that is allowed to leak.
    public static func beside(leaks: Bool) {
        cycle(leaks: true)
        if leaks { return kept.withLock { $0.names.append("a text that is longer than fifteen bytes") } }
        cleared.withLock { $0.names = ["a text that is longer than fifteen bytes"] }
    }

    public static func memory(leaks: Bool) {
        let bytes = malloc(1_000)
        latest.store(UInt(bitPattern: bytes) & 0xFFF, ordering: .relaxed)
        if !leaks { free(bytes) }
    }

    public static func task(leaks: Bool) async {
        let row = Row()
        let task = Task {
            try? await Task.sleep(for: .seconds(3_600))
            row.tick()
        }
        await Task.yield()
        if !leaks {
            task.cancel()
            await task.value
        }
    }

    public static func finishedTask(leaks: Bool) async {
        let task = Task {}
        await task.value
        if leaks { return kept.withLock { $0.tasks.append(task) } }
        cleared.withLock { $0.tasks = [task] }
    }

    public static func stream(leaks: Bool) async {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let row = Row()
        let task = Task { for await _ in stream { row.tick() } }
        if leaks { return kept.withLock { $0.continuations.append(continuation) } }
        continuation.finish()
        await task.value
    }

    public static func table(leaks: Bool) async {
        if leaks { return await Table.kept.add(1_000) }
        await Table.cleared.clear()
        await Table.cleared.add(1_000)
    }

    public static func bytes(leaks: Bool) async {
        await Task.yield()
        if leaks { return keptByTasks.withLock { $0.data.append(Data(count: 1_000)) } }
        clearedByTasks.withLock { $0.data = Data(count: 1_000) }
    }
}

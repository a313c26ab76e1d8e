import Dispatch
import RxBenchRaces
import Synchronization

// Faults of asynchronous code, and their clean twins. None of them uses Rx.

/// A bank account.
private actor Account {
    private var balance = 100

    private func confirm() async { await Task.yield() }

    // The balance that it checked may be out of date after the wait, because of another withdrawal.
    func withdrawHastily(_ amount: Int) async {
        guard balance >= amount else { return }
        await confirm()
        balance -= amount
    }

    func withdraw(_ amount: Int) async {
        guard balance >= amount else { return }
        balance -= amount
        await confirm()
    }

    var current: Int { balance }
}

private final class Bank: Sendable {
    private let account = Account()
    private let customers = Atomic<Int>(0)
    private let left = Atomic<Int>(-1)

    func withdraw(hastily: Bool) {
        Task {
            if hastily { await account.withdrawHastily(60) } else { await account.withdraw(60) }
            guard customers.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == 2 else { return }
            left.store(await account.current, ordering: .relaxed)
        }
    }

    var grade: RaceGrade {
        let left = left.load(ordering: .relaxed)
        return left < 0 ? .forbidden("\(left) left") : .acceptable("\(left) left")
    }
}

/// A task that waits for the first of two answers.
private final class Question: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Int, Never>?
        var answer: Int?
    }

    private let state = Mutex(State())
    private let isAnswered = Atomic<Bool>(false)

    func ask() {
        Task {
            _ = await withCheckedContinuation { own in
                let answer = state.withLock {
                    $0.continuation = own
                    return $0.answer
                }
                if let answer { own.resume(returning: answer) }
            }
        }
    }

    // Two callers may both find that the question is not answered.
    func answerHastily(_ number: Int) {
        guard !isAnswered.load(ordering: .acquiring) else { return }
        isAnswered.store(true, ordering: .releasing)
        give(number)
    }

    func answer(_ number: Int) {
        if !isAnswered.exchange(true, ordering: .acquiringAndReleasing) { give(number) }
    }

    private func give(_ number: Int) {
        let waiting = state.withLock {
            $0.answer = number
            return $0.continuation
        }
        waiting?.resume(returning: number)
    }
}

/// Unchecked: the faults are the point.
private final class Notes: @unchecked Sendable {
    var plain = 0
    let flag = Atomic<Int>(0)
    private let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)
    private let isAsked = DispatchSemaphore(value: 0)

    /// Passes a value from one task to another.
    func handOver(awaited: Bool) {
        let first = Task {
            plain = 7
            return 0
        }
        Task {
            if awaited { _ = await first.value }
            flag.store(plain, ordering: .relaxed)
        }
    }

    /// Reads, in a cancellation handler, the value that the task writes.
    func cancelled(safely: Bool) -> Task<Void, Never> {
        Task {
            if safely { plain = 1 }
            await withTaskCancellationHandler {
                if !safely { plain = 1 }
                await Task.yield()
            } onCancel: {
                flag.store(plain, ordering: .relaxed)
            }
        }
    }

    /// Two children of one task.
    func children(shared: Bool) async {
        async let first: Void = raise(shared)
        async let second: Void = raise(shared)
        _ = await (first, second)
        if !shared { plain += 1 }
    }

    private func raise(_ shared: Bool) async { if shared { plain += 1 } }

    func group() async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for number in 1...2 { group.addTask { number } }
            return await group.reduce(0, +)
        }
    }

    /// Waits for an answer that may arrive before the wait begins, and reads the value stored before the answer.
    func ask() {
        Task {
            await withCheckedContinuation { own in
                continuation.withLock { $0 = own }
                isAsked.signal()
                flag.store(1, ordering: .relaxed)
            }
            flag.store(plain, ordering: .relaxed)
        }
    }

    func answer(hastily: Bool) {
        isAsked.wait()
        if !hastily { plain = 7 }
        continuation.withLock { $0 }?.resume()
        if hastily { plain = 7 }
    }

    /// Sleeps, and then stores a note. Another task that sleeps may overtake it.
    func sleep(_ milliseconds: Int, then note: Int) {
        Task {
            try? await Task.sleep(for: .milliseconds(milliseconds))
            flag.store(note, ordering: .relaxed)
        }
    }

    /// Stores each note after its sleep, so in the order of the sleeps.
    func sleepTwice() {
        Task {
            for note in [2, 1] {
                try? await Task.sleep(for: .milliseconds(10 * note))
                flag.store(note, ordering: .relaxed)
            }
        }
    }

    @MainActor func raiseOnMain() { plain += 1 }
}

private func asked() -> Question {
    let question = Question()
    question.ask()
    return question
}

private let idle: @Sendable (Notes) -> Void = { _ in }

let plantedTaskFaults: [Race] = [
    race("planted/task/reentrancy", { Bank() }, Array(repeating: { $0.withdraw(hastily: true) }, count: 2)) {
        $0.grade
    },
    race("planted/task/resumed-twice", asked, [{ $0.answerHastily(1) }, { $0.answerHastily(2) }]),
    race("planted/task/not-awaited", { Notes() }, [{ $0.handOver(awaited: false) }, idle]),
    race("planted/task/answered-early", { Notes() }, [{ $0.ask() }, { $0.answer(hastily: true) }]),
    race("planted/task/children", { Notes() }, [{ notes in Task { await notes.children(shared: true) } }, idle]),
    race(
        "planted/task/cancellation", { Notes() }, [{ $0.cancelled(safely: false).cancel() }, idle]),
    race(
        "planted/task/main-actor", { Notes() },
        [{ notes in Task { await notes.raiseOnMain() } }, { $0.plain += 1 }]),
    race(
        "planted/task/sleep", { Notes() }, [{ $0.sleep(20, then: 1) }, { $0.sleep(10, then: 2) }],
        finish: { $0.flag.load(ordering: .relaxed) == 1 ? .forbidden("the longer was last") : .acceptable("other") }),
]

let cleanTaskTwins: [Race] = [
    race("clean/task/reentrancy", { Bank() }, Array(repeating: { $0.withdraw(hastily: false) }, count: 2)) {
        $0.grade
    },
    race("clean/task/not-awaited", { Notes() }, [{ $0.handOver(awaited: true) }, idle]),
    race("clean/task/answered-early", { Notes() }, [{ $0.ask() }, { $0.answer(hastily: false) }]),
    race("clean/task/children", { Notes() }, [{ notes in Task { await notes.children(shared: false) } }, idle]),
    race("clean/task/cancellation", { Notes() }, [{ $0.cancelled(safely: true).cancel() }, idle]),
    race(
        "clean/task/main-actor", { Notes() },
        Array(repeating: { notes in Task { await notes.raiseOnMain() } }, count: 2)),
    race(
        "clean/task/group", { Notes() },
        [{ notes in Task { notes.flag.store(await notes.group(), ordering: .relaxed) } }, idle],
        finish: { $0.flag.load(ordering: .relaxed) == 3 ? .acceptable("3") : .forbidden("another sum") }),
    race(
        "clean/task/sleep", { Notes() }, [{ $0.sleepTwice() }, idle],
        finish: { $0.flag.load(ordering: .relaxed) == 1 ? .acceptable("1") : .forbidden("the first was last") }),
    race("clean/task/resumed-twice", asked, [{ $0.answer(1) }, { $0.answer(2) }]),
]

/// Records the turns of an actor in the order in which they ran.
private actor Turns {
    // The numbers of the callers as decimal digits.
    nonisolated let taken = Atomic<Int>(0)
    func take(_ number: Int) {
        taken.store(taken.load(ordering: .relaxed) * 10 + number, ordering: .relaxed)
    }

    nonisolated func take(inTask number: Int) { Task { await take(number) } }
}

/// Races with known outcomes. A search must reach all of them.
let taskLitmusTests: [Race] = [
    race(
        "litmus/task-turns", { Turns() }, (1...3).map { number in { $0.take(inTask: number) } },
        finish: { .acceptable("\($0.taken.load(ordering: .relaxed))") }),
    race(
        "litmus/task-cancelled", { Notes() },
        [{ notes in Task { notes.flag.store(Task.isCancelled ? 1 : 2, ordering: .relaxed) }.cancel() }, idle],
        finish: { .acceptable("\($0.flag.load(ordering: .relaxed))") }),
    race(
        "litmus/task-first", { Notes() },
        [
            { notes in
                Task {
                    let first = await withTaskGroup(of: Int.self) { group in
                        for number in 1...2 { group.addTask { number } }
                        return await group.next() ?? 0
                    }
                    notes.flag.store(first, ordering: .relaxed)
                }
            }, idle,
        ],
        finish: { .acceptable("\($0.flag.load(ordering: .relaxed))") }),
]

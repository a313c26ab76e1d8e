extension PublishedLeak {
    /// A common report about servers with structured concurrency: a task group with a child task for each connection
    /// keeps the results of the children that have ended, as nothing calls `next()`. The published mend is a discarding
    /// task group.
    static let undrainedTaskGroup = PublishedLeak(
        name: "undrained-task-group",
        expected: Expectation(
            "ServedConnection", heldBy: "TaskGroup", "task group", "Task",
            change: "SocketServer.run()", "SocketServer.serve("),
        innocents: { count in (0..<count).map { ServedConnection(number: $0) } },
        leaky: .asynchronous { await SocketServer.collecting.accept(ServedConnection(number: 1)) },
        fixed: .asynchronous { await SocketServer.discarding.accept(ServedConnection(number: 1)) })
}

private final class ServedConnection: Sendable {
    let number: Int

    init(number: Int) { self.number = number }
}

private final class SocketServer: Sendable {
    static let collecting = SocketServer { await $0.run() }
    static let discarding = SocketServer { await $0.runDiscarding() }

    private let connections = AsyncStream<ServedConnection>.makeStream()
    private let served = AsyncStream<Int>.makeStream()

    init(_ run: @escaping @Sendable (SocketServer) async -> Void) { Task { await run(self) } }

    /// Hands a connection to the server and waits until it has been served.
    func accept(_ connection: ServedConnection) async {
        connections.continuation.yield(connection)
        for await _ in served.stream { break }
    }

    func run() async {
        await withTaskGroup(of: ServedConnection.self) { group in
            for await connection in connections.stream {
                group.addTask { self.serve(connection) }
            }
        }
    }

    func runDiscarding() async {
        await withDiscardingTaskGroup { group in
            for await connection in connections.stream {
                group.addTask { _ = self.serve(connection) }
            }
        }
    }

    private func serve(_ connection: ServedConnection) -> ServedConnection {
        served.continuation.yield(connection.number)
        return connection
    }
}

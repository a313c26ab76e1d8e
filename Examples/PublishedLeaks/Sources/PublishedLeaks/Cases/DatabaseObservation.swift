import GRDB

extension PublishedLeak {
    /// A common report about GRDB: the observation of a request captures `self` in `onChange`, and `self` keeps the
    /// cancellable. The published mend is `[weak self]`.
    static let databaseObservation = PublishedLeak(
        name: "database-observation",
        expected: Expectation(
            "PlayerListModel", heldBy: "PlayerListModel.cancellable", "ValueObservation", "DatabaseQueue",
            change: "closure in PlayerListModel.observe()"),
        innocents: { count in (0..<count).map { _ in PlayerListModel(database: .shared) } },
        leaky: .synchronous {
            let model = PlayerListModel(database: .shared)
            try model.observe()
        },
        fixed: .synchronous {
            let model = PlayerListModel(database: .shared)
            try model.observeWeakly()
        })
}

private final class PlayerDatabase {
    static let shared = try! PlayerDatabase()

    let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        try queue.write { database in
            try database.execute(sql: "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
            try database.execute(sql: "INSERT INTO player (name) VALUES ('Ada'), ('Grace')")
        }
    }
}

private final class PlayerListModel {
    private let database: PlayerDatabase
    private var names: [String] = []
    private var cancellable: AnyDatabaseCancellable?

    init(database: PlayerDatabase) { self.database = database }

    func observe() throws {
        cancellable = observation.start(
            in: database.queue, scheduling: .immediate,
            onError: { _ in },
            onChange: { names in self.names = names })
    }

    func observeWeakly() throws {
        cancellable = observation.start(
            in: database.queue, scheduling: .immediate,
            onError: { _ in },
            onChange: { [weak self] names in self?.names = names })
    }

    private var observation: ValueObservation<ValueReducers.Fetch<[String]>> {
        ValueObservation.tracking { try String.fetchAll($0, sql: "SELECT name FROM player ORDER BY name") }
    }
}

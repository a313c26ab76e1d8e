extension PublishedLeak {
    /// A common report about protocols and structures: a strategy is a value, yet it keeps its owner strongly, and the
    /// owner keeps the strategy. The published mend is an `unowned` or `weak` property of the structure.
    static let strategyKeepsOwner = PublishedLeak(
        name: "strategy-keeps-owner",
        expected: Expectation(
            "GamePlayer", heldBy: "GamePlayer.strategy", change: "AggressiveStrategy.player", "strategy.player"),
        innocents: { count in
            (0..<count).map { index in
                let player = GamePlayer(name: "bot \(index)")
                player.playCarefully()
                return player
            }
        },
        leaky: .synchronous {
            let player = GamePlayer(name: "Ada")
            player.playAggressively()
            player.takeTurn()
        },
        fixed: .synchronous {
            let player = GamePlayer(name: "Ada")
            player.playCarefully()
            player.takeTurn()
        })
}

private protocol GameStrategy {
    func nextMove() -> Int
}

private struct AggressiveStrategy: GameStrategy {
    let name = "aggressive"
    let risk = 0.9
    let depth = 4
    let player: GamePlayer

    func nextMove() -> Int { player.score + depth }
}

private struct CarefulStrategy: GameStrategy {
    let name = "careful"
    let risk = 0.1
    let depth = 2
    unowned let player: GamePlayer

    func nextMove() -> Int { player.score + depth }
}

private final class GamePlayer {
    let name: String
    private(set) var score = 0
    private var strategy: (any GameStrategy)?

    init(name: String) { self.name = name }

    func playAggressively() { strategy = AggressiveStrategy(player: self) }

    func playCarefully() { strategy = CarefulStrategy(player: self) }

    func takeTurn() { score += strategy?.nextMove() ?? 0 }
}

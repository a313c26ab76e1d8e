import Foundation

extension PublishedLeak {
    /// A common report about code that came from Objective-C: a registry is an `NSMutableDictionary`, and objects are
    /// never removed. The published mend removes the entry when the player stops.
    static let foundationDictionary = PublishedLeak(
        name: "foundation-dictionary",
        expected: Expectation("SoundPlayer", heldBy: "SoundRegistry.players", change: "SoundRegistry.players"),
        innocents: { count in (0..<count).map { SoundPlayer(file: "effect \($0).wav") } },
        leaky: .synchronous {
            let player = SoundPlayer(file: "tap.wav")
            SoundRegistry.shared.start(player)
        },
        fixed: .synchronous {
            let player = SoundPlayer(file: "tap.wav")
            SoundRegistry.shared.start(player)
            SoundRegistry.shared.stop(player)
        })
}

private final class SoundPlayer: NSObject {
    let id = UUID()
    let file: String

    init(file: String) { self.file = file }
}

private final class SoundRegistry {
    static let shared = SoundRegistry()

    private let players = NSMutableDictionary()

    func start(_ player: SoundPlayer) { players[player.id.uuidString as NSString] = player }

    func stop(_ player: SoundPlayer) { players.removeObject(forKey: player.id.uuidString as NSString) }
}

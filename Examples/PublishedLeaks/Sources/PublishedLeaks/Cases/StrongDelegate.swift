extension PublishedLeak {
    /// A common report: a delegate that is not `weak`, and that owns the object whose delegate it is. The published
    /// mend is a weak delegate; here the same through a weak proxy, so that both variants have the same classes.
    static let strongDelegate = PublishedLeak(
        name: "strong-delegate",
        expected: Expectation(
            "PlaylistScreen", heldBy: "AudioPlayer.delegate", change: "AudioPlayer.delegate", "PlaylistScreen.player"),
        innocents: { count in
            (0..<count).map { _ in
                let screen = PlaylistScreen()
                screen.openWeakly()
                return screen
            }
        },
        leaky: .synchronous {
            let screen = PlaylistScreen()
            screen.open()
            screen.play("Blue in Green")
        },
        fixed: .synchronous {
            let screen = PlaylistScreen()
            screen.openWeakly()
            screen.play("Blue in Green")
        })
}

private protocol AudioPlayerDelegate: AnyObject {
    func player(_ player: AudioPlayer, didStart track: String)
}

private final class AudioPlayer {
    var delegate: (any AudioPlayerDelegate)?

    func start(_ track: String) { delegate?.player(self, didStart: track) }
}

private final class WeakAudioPlayerDelegate: AudioPlayerDelegate {
    private weak var target: (any AudioPlayerDelegate)?

    init(_ target: any AudioPlayerDelegate) { self.target = target }

    func player(_ player: AudioPlayer, didStart track: String) { target?.player(player, didStart: track) }
}

private final class PlaylistScreen: AudioPlayerDelegate {
    private let player = AudioPlayer()
    private var played: [String] = []

    func open() { player.delegate = self }

    func openWeakly() { player.delegate = WeakAudioPlayerDelegate(self) }

    func play(_ track: String) { player.start(track) }

    func player(_ player: AudioPlayer, didStart track: String) { played.append(track) }
}

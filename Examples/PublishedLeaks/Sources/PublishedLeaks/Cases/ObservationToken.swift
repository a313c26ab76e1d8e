extension PublishedLeak {
    /// A common report about observations with a token, as key-value observation has them: the token removes the
    /// observer when it is released, but the observer's closure captures the object that keeps the token. The published
    /// mend is `[weak self]`.
    static let observationToken = PublishedLeak(
        name: "observation-token",
        expected: Expectation(
            "VolumeSlider", heldBy: "VolumeSlider.token", "AudioSession.observers",
            change: "closure in VolumeSlider.observe()"),
        innocents: { count in
            (0..<count).map { _ in
                let slider = VolumeSlider()
                slider.observeWeakly()
                return slider
            }
        },
        leaky: .synchronous {
            let slider = VolumeSlider()
            slider.observe()
            AudioSession.shared.volume = 0.7
        },
        fixed: .synchronous {
            let slider = VolumeSlider()
            slider.observeWeakly()
            AudioSession.shared.volume = 0.7
        })
}

private final class ObservationToken {
    private let cancel: () -> Void

    init(_ cancel: @escaping () -> Void) { self.cancel = cancel }

    deinit { cancel() }
}

private final class AudioSession {
    static let shared = AudioSession()

    private var observers: [Int: (Double) -> Void] = [:]
    private var lastID = 0

    var volume = 0.5 {
        didSet { observers.values.forEach { $0(volume) } }
    }

    func observe(_ change: @escaping (Double) -> Void) -> ObservationToken {
        lastID += 1
        let id = lastID
        observers[id] = change
        return ObservationToken { [unowned self] in observers[id] = nil }
    }
}

private final class VolumeSlider {
    private var position = 0.5
    private var token: ObservationToken?

    func observe() {
        token = AudioSession.shared.observe { volume in self.position = volume }
    }

    func observeWeakly() {
        token = AudioSession.shared.observe { [weak self] volume in self?.position = volume }
    }
}

import Observation
import Rx
import RxFoundation

/// A model as a user writes it.
@Observable
class Player {
    var name = "Ada"
    var volume = 5
    var rival: Player?
    @ObservationIgnored var notes = ""

    var label: String { "\(name) at \(volume)" }
}

extension Player {
    /// `Observable` is Rx's class here, although this file imports Observation, which has a protocol of that name.
    var volumes: Observable<Int> { rx.observe(\.volume) }
}

/// A model that also reports its deallocation.
@Observable
final class MortalPlayer: DeallocationObservable {
    var name = "Ada"
    @ObservationIgnored let deallocationSignal = DeallocationSignal()
}

/// A model that belongs to the main actor.
@MainActor @Observable
final class ScreenModel {
    var title = "a"
}

/// A model without the macro, which counts the reads of its property.
final class Meter: Observation.Observable {
    private let registrar = ObservationRegistrar()
    private var storage = 0
    private(set) var reads = 0

    var level: Int {
        get {
            reads += 1
            registrar.access(self, keyPath: \.level)
            return storage
        }
        set { registrar.withMutation(of: self, keyPath: \.level) { storage = newValue } }
    }
}

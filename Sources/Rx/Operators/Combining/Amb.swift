extension ObservableType {
    /// Mirrors this sequence or `right`, depending on which one sends an event first. The other one is disposed at that
    /// moment.
    ///
    ///     let answer = primary.amb(mirror)
    ///
    /// An end also counts as an event.
    ///
    /// - Complexity: O(*s*) a subscription to *s* sequences, O(1) an element. One allocation per subscription and one
    ///   for each sequence, none per element.
    @_alwaysEmitIntoClient
    public func amb<Right: ObservableType>(_ right: Right) -> Observable<Element> where Right.Element == Element {
        Self.racing([asObservable(), right.asObservable()])
    }

    /// Mirrors the sequence of `sequence` that sends an event first. The others are disposed at that moment.
    ///
    /// For an empty collection it never sends an event. An end also counts as an event.
    ///
    /// - Complexity: O(*s*) a subscription to *s* sequences, O(1) an element. One allocation per subscription and one
    ///   for each sequence, none per element.
    @_alwaysEmitIntoClient
    public static func amb<Sources: Sequence>(_ sequence: Sources) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        racing(Array(sequence))
    }

    @_alwaysEmitIntoClient @inline(__always)
    static func racing(named name: StaticString = #function, _ sources: [Observable<Element>]) -> Observable<Element> {
        let forward: Sink.Next = { address, sink in
            sink.receive(address) { (input: Input, element: inout Element) in
                let coordinator = input.coordinator(of: Int.self)
                if coordinator.claim(input) { coordinator.sendUncontended(&element) }
            }
        }
        return Observable.coordinate(state: -1, named: name, feeds: sources) { coordinator in
            for (index, source) in sources.enumerated() where !coordinator.isStopped {
                if coordinator.winner != nil { return }
                let input = Input(next: forward, coordinator: coordinator, index: index) { input, error in
                    let coordinator = input.coordinator(of: Int.self)
                    if coordinator.claim(input) { coordinator.finish(error) }
                }
                coordinator.subscribe(to: source, through: input)
                // Another thread may have chosen the winner before this input could be disposed.
                if let winner = coordinator.winner, winner != index { input.dispose() }
            }
        }
    }
}

extension StatefulCoordinator where State == Int {
    /// The index of the source that sent an event first.
    @usableFromInline
    var winner: Int? {
        let state = serial.withLock { self.state }
        return state < 0 ? nil : state
    }

    /// Returns whether `input` has won the race. The first input that calls this method wins, and the others are
    /// disposed. The state is the winner's index.
    @usableFromInline
    func claim(_ input: Input) -> Bool {
        let (isWinner, isFirst) = serial.withLock {
            let isFirst = state < 0
            if isFirst { state = input.index }
            return (state == input.index, isFirst)
        }
        if isFirst { disposeInputs(except: input) }
        return isWinner
    }
}

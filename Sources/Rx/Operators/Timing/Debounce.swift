extension ObservableType {
    /// Each element that no other one follows within `dueTime`.
    ///
    ///     let query = text.debounce(.milliseconds(300), scheduler: MainScheduler.instance)
    ///
    /// Completion sends an element that still waits; an error drops it. Elements are delivered on `scheduler`, the last
    /// one before completion on the source's thread.
    ///
    /// - Complexity: One allocation per subscription, beside those of its timer; none per element, which only moves the
    ///   moment that the timer waits for: as long as elements keep coming, one timer runs for each `dueTime`.
    // Several times `map`: the clock is read for each element, which is most of it.
    @inlinable
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        typealias State = Timed<Debounced<Element>>
        return coordinate(
            state: State(Debounced(), dueTime, on: scheduler) { coordinator, _ in coordinator.timerFired() },
            onEnd: { coordinator, error in
                if let error { return coordinator.fail(error) }
                coordinator.serial.withLock { coordinator.sendLatest() }
                coordinator.complete()
            },
            onClose: StatefulCoordinator<State>.endTimer
        ) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<State>, element: inout Element) in
                if coordinator.keepLatest(element) { coordinator.waitForSilence(coordinator.state.dueTime) }
            }
        }
    }
}

/// The latest element, unless it was sent.
@usableFromInline
struct Debounced<Element> {
    @usableFromInline var latest: (element: Element, arrival: RxTime)?
    /// Whether a timer runs, or is about to be started.
    @usableFromInline var isTimed = false
    /// Whether an element has come since then.
    @usableFromInline var isFollowed = false

    @inlinable init() {}
}

extension StatefulCoordinator where State: ~Copyable {
    /// Keeps an element in place of the one before. `true` if a timer is to be started for it.
    @inlinable
    func keepLatest<Element>(_ element: Element) -> Bool where State == Timed<Debounced<Element>> {
        let now = state.now
        let (starts, forgotten) = serial.withLock {
            let forgotten = state.value.latest
            state.value.latest = (element, now)
            state.value.isFollowed = state.value.isTimed
            state.value.isTimed = true
            return (!state.value.isFollowed, forgotten)
        }
        // Here at the earliest: its deinitialiser may be user code.
        withExtendedLifetime(forgotten) {}
        return starts
    }

    /// Sends the element that waits. Under `serial`.
    @inlinable
    func sendLatest<Element>() where State == Timed<Debounced<Element>> {
        guard var element = state.value.latest?.element, !isFinished else { return }
        state.value.latest = nil
        down.emit(&element)
    }

    /// Looks after `span` whether nothing has come for `dueTime`. Only the one that has set `isTimed` comes here, so
    /// that `number` needs no lock.
    @inlinable
    func waitForSilence<Element>(_ span: RxTimeInterval) where State == Timed<Debounced<Element>> {
        state.number += 1
        startTimer(state.number, after: span)
    }

    /// The timer has fired: sends the element if it is time, and waits for the one that is there afterwards.
    @inlinable
    func timerFired<Element>() where State == Timed<Debounced<Element>> {
        let now = state.now
        let rest = serial.withLock { () -> RxTimeInterval? in
            // The clock counts only where it is needed.
            if state.value.isFollowed, let arrival = state.value.latest?.arrival {
                state.value.isFollowed = false
                if let rest = state.dueTime.rest(from: arrival, at: now) { return rest }
            }
            sendLatest()
            // The observer may have sent another one to our source.
            state.value.isFollowed = false
            state.value.isTimed = state.value.latest != nil
            return state.value.isTimed ? state.dueTime : nil
        }
        if let rest, !down.isStopped { waitForSilence(rest) }
    }
}

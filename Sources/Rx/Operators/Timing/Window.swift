extension ObservableType {
    /// The elements in sequences: a new one begins whenever `timeSpan` has passed since the last one began, or when
    /// that has had `count` elements.
    ///
    ///     let perSecond = events.window(timeSpan: .seconds(1), count: 100, scheduler: scheduler)
    ///         .flatMap { $0.toArray() }
    ///
    /// The first window begins with the subscription; the end of the source ends the last one too. Windows do not
    /// replay what they sent before somebody subscribed to them. A subscription to one keeps the source alive,
    /// even after the sequence of windows was disposed.
    ///
    /// - Complexity: Seven allocations per subscription and five for each window, beside those of its timer; none per
    ///   element. A span of `never` takes no timer.
    // For each window a subject, a subscription and a timer, which is most of what it takes.
    @inlinable
    public func window(
        timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType
    ) -> Observable<Observable<Element>> {
        let subjects = windowSubjects(timeSpan, count, scheduler)
        return SourceObservable { sink in
            let source = SingleAssignmentDisposable()
            let uses = RefCountDisposable(disposable: source)
            sink.connect(uses)
            source.setDisposable(
                subjects.subscribe(
                    onNext: { subject in
                        var window = subject.observable(countingIn: uses)
                        sink.emit(&window)
                    },
                    onError: { sink.endOnce($0) },
                    onCompleted: { sink.endOnce(nil) }))
        }
    }

    /// The subjects of the windows, fed and ended by this sequence and the clock.
    @inlinable
    func windowSubjects(
        _ timeSpan: RxTimeInterval, _ count: Int, _ scheduler: any SchedulerType
    ) -> Observable<PublishSubject<Element>> {
        typealias State = Timed<CurrentWindow<Element>>
        return coordinate(
            state: State(CurrentWindow(), timeSpan, on: scheduler) { coordinator, number in
                coordinator.spanEnded(number) { coordinator.replaceWindow() }
            },
            onEnd: { coordinator, error in
                coordinator.serial.withLock {
                    // A turn of the timer before `finish` would begin a window that nobody ends.
                    coordinator.state.number += 1
                    coordinator.state.value.subject.on(Event(end: error))
                }
                coordinator.finish(error)
            },
            onClose: StatefulCoordinator<State>.endTimer,
            start: { coordinator in
                var first = coordinator.state.value.subject
                coordinator.forward(&first)
                coordinator.startSpan(0)
            }
        ) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<State>, element: inout Element) in
                coordinator.serial.lock()
                coordinator.state.value.count += 1
                let isFull = coordinator.state.value.count == count
                coordinator.state.value.subject.onNext(element)
                let started = isFull ? coordinator.replaceWindow() : nil
                coordinator.serial.unlock()
                if let started { coordinator.startSpan(started) }
            }
        }
    }
}

/// The window that elements go to, and how many it has had.
@usableFromInline
struct CurrentWindow<Element> {
    @usableFromInline var subject = PublishSubject<Element>()
    @usableFromInline var count = 0

    @inlinable init() {}
}

extension StatefulCoordinator where State: ~Copyable {
    /// Ends the window and sends the next one, whose number it returns. Under `serial`.
    @inlinable
    func replaceWindow<Element>() -> Int where State == Timed<CurrentWindow<Element>> {
        let full = state.value.subject
        state.value = CurrentWindow()
        state.number += 1
        let number = state.number
        full.onCompleted()
        var subject = state.value.subject
        if !isFinished { down.emit(&subject) }
        return number
    }
}

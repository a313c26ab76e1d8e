extension ObservableType {
    /// Delivers the elements in windows, each of which is a sequence. A new window begins when `timeSpan` has passed
    /// since the last one began, or when the last one has received `count` elements.
    ///
    ///     let perSecond = events.window(timeSpan: .seconds(1), count: 100, scheduler: scheduler)
    ///         .flatMap { $0.toArray() }
    ///
    /// The first window begins with the subscription, and the end of the source also ends the last window. Windows do
    /// not replay elements that they sent before a subscription. A subscription to a window keeps the source alive,
    /// even after the sequence of windows was disposed.
    ///
    /// - Complexity: Seven allocations per subscription and five for each window, plus the allocations of its timer;
    ///   none per element. A span of `never` takes no timer.
    // Most of the cost is a subject, a subscription and a timer for each window.
    @_alwaysEmitIntoClient
    public func window(
        timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType
    ) -> Observable<Observable<Element>> {
        let subjects = windowSubjects(timeSpan, count, scheduler)
        // Kernel-internal: emit, emitEndOnce. A source: it sends the events of another subscription, which may
        // outlive its own.
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
                    onError: { sink.emitEndOnce($0) },
                    onCompleted: { sink.emitEndOnce(nil) }))
        }
    }

    /// Returns the subjects of the windows. This sequence and the clock feed and end them.
    @_alwaysEmitIntoClient
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
                    // Otherwise a turn of the timer before `finish` would begin a window that never ends.
                    coordinator.state.number += 1
                    coordinator.state.value.subject.on(Event(end: error))
                }
                coordinator.finish(error)
            },
            onClose: StatefulCoordinator<State>.endTimer,
            start: { coordinator in
                var first = coordinator.state.value.subject
                coordinator.send(&first)
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

/// The window that receives the elements, and the number of elements that it has received.
@usableFromInline
struct CurrentWindow<Element> {
    @usableFromInline var subject = PublishSubject<Element>()
    @usableFromInline var count = 0

    @inlinable init() {}
}

extension StatefulCoordinator where State: ~Copyable {
    /// Ends the window and sends the next one. Returns the number of the next window. The caller holds `serial`.
    @_alwaysEmitIntoClient
    func replaceWindow<Element>() -> Int where State == Timed<CurrentWindow<Element>> {
        let full = state.value.subject
        state.value = CurrentWindow()
        state.number += 1
        let number = state.number
        full.onCompleted()
        var subject = state.value.subject
        sendLocked(&subject)
        return number
    }
}

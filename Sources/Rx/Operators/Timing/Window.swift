extension ObservableType {
    /// The elements in sequences: a new one begins whenever `timeSpan` has passed since the last one began, or when
    /// that has had `count` elements.
    ///
    ///     let perSecond = events.window(timeSpan: .seconds(1), count: 100, scheduler: scheduler)
    ///         .flatMap { $0.toArray() }
    ///
    /// The first window begins with the subscription; the end of the source ends the last one too. Windows do not
    /// replay what they sent before somebody subscribed to them. Whoever is subscribed to one keeps the source alive,
    /// even after the sequence of windows was disposed. Several allocations and one timer per window, none per element.
    // 36 × map an element in windows of ten (216 ns): for each window a subject, a subscription and a timer.
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
        return joint(
            state: State(CurrentWindow()),
            onEnd: { joint, error in
                joint.serial.withLock { joint.state.value.subject.on(Event(end: error)) }
                joint.finish(error)
            },
            onClose: StatefulJoint<State>.endTimer,
            start: { joint in
                var first = joint.state.value.subject
                joint.forward(&first)
                joint.startWindow(0, timeSpan, scheduler)
            }
        ) { address, sink in
            sink.receive(address) { (joint: StatefulJoint<State>, element: inout Element) in
                joint.serial.lock()
                joint.state.value.count += 1
                let isFull = joint.state.value.count == count
                joint.state.value.subject.onNext(element)
                let started = isFull ? joint.replaceWindow() : nil
                joint.serial.unlock()
                if let started { joint.startWindow(started, timeSpan, scheduler) }
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

extension StatefulJoint where State: ~Copyable {
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

    @inlinable
    func startWindow<Element>(_ number: Int, _ timeSpan: RxTimeInterval, _ scheduler: any SchedulerType)
    where State == Timed<CurrentWindow<Element>> {
        startTimer(number, after: timeSpan, on: scheduler) { joint, number in
            let started = joint.serial.withLock { joint.state.number == number ? joint.replaceWindow() : nil }
            if let started, !joint.down.isStopped { joint.startWindow(started, timeSpan, scheduler) }
        }
    }
}

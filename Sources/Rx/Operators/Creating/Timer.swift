extension ObservableType where Element: RxAbstractInteger {
    /// 0 once `dueTime` has passed, and then either completion or 1, 2 and so on.
    ///
    ///     _ = Observable<Int>.timer(.seconds(3), scheduler: scheduler)
    ///         .subscribe { print($0, scheduler.now.timeIntervalSince1970) }  // next(0) 3.0, completed 3.0
    ///
    /// After the largest number the smallest follows.
    ///
    /// - Parameters:
    ///   - dueTime: how long the first value waits, from the subscription on.
    ///   - period: passes between a number and the next; with `nil` the sequence completes after the first.
    ///   - scheduler: keeps the time, and is where the numbers are sent.
    /// - Complexity: No allocation per subscription or element, beside those of the scheduler's timer.
    @inlinable
    public static func timer(
        _ dueTime: RxTimeInterval, period: RxTimeInterval? = nil, scheduler: any SchedulerType
    ) -> Observable<Element> {
        guard let period else {
            return SourceObservable { sink in
                sink.connect(
                    scheduler.scheduleRelative(sink, dueTime: dueTime) { sink in
                        if sink.isStopped { return Disposables.create() }
                        var tick: Element = 0
                        sink.emit(&tick)
                        if !sink.isStopped { sink.end(nil) }
                        return Disposables.create()
                    })
            }
        }
        return SourceObservable { sink in
            let series = scheduler.schedulePeriodic(0 as Element, startAfter: dueTime, period: period) { tick in
                var element = tick
                if !sink.isStopped { sink.emit(&element) }
                return tick &+ 1
            }
            sink.connect(series)
        }
    }
}

extension ObservableType where Element: RxAbstractInteger {
    /// 0, 1, 2 and so on, one each time `period` has passed, without end.
    ///
    ///     let ticks = Observable<Int>.interval(.seconds(1), scheduler: MainScheduler.instance)
    ///
    /// After the largest number the smallest follows.
    ///
    /// - Parameters:
    ///   - period: also passes before the first number.
    ///   - scheduler: keeps the time, and is where the numbers are sent.
    /// - Complexity: No allocation per subscription or element, beside those of the scheduler's timer.
    @inlinable
    public static func interval(_ period: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        timer(period, period: period, scheduler: scheduler)
    }
}

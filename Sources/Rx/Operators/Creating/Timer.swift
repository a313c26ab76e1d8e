extension ObservableType where Element: RxAbstractInteger {
    /// Delivers 0 after `dueTime`, and then either completes or delivers 1, 2 and so on.
    ///
    ///     _ = Observable<Int>.timer(.seconds(3), scheduler: scheduler)
    ///         .subscribe { print($0, scheduler.now.timeIntervalSince1970) }  // next(0) 3.0, completed 3.0
    ///
    /// The smallest number follows the largest one.
    ///
    /// - Parameters:
    ///   - dueTime: the time from the subscription to the first value.
    ///   - period: the time between two numbers; with `nil` the sequence completes after the first number.
    ///   - scheduler: the scheduler that measures the time and sends the numbers.
    /// - Complexity: No allocation per subscription or element, except the allocations of the scheduler's timer.
    @_alwaysEmitIntoClient
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
                        if !sink.isStopped { sink.emitEnd() }
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
    /// Delivers 0, 1, 2 and so on, one number after each `period`, without end.
    ///
    ///     let ticks = Observable<Int>.interval(.seconds(1), scheduler: MainScheduler.instance)
    ///
    /// The smallest number follows the largest one.
    ///
    /// - Parameters:
    ///   - period: the time before the first number, and between two numbers.
    ///   - scheduler: the scheduler that measures the time and sends the numbers.
    /// - Complexity: No allocation per subscription or element, except the allocations of the scheduler's timer.
    @_alwaysEmitIntoClient
    public static func interval(_ period: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        timer(period, period: period, scheduler: scheduler)
    }
}

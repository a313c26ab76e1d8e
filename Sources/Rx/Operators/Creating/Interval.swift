extension ObservableType where Element: RxAbstractInteger {
    /// 0, 1, 2 and so on, one each time `period` has passed, without end.
    ///
    ///     let ticks = Observable<Int>.interval(.seconds(1), scheduler: MainScheduler.instance)
    ///
    /// After the largest number the smallest follows. No allocation per element by the operator itself.
    ///
    /// - Parameters:
    ///   - period: also passes before the first number.
    ///   - scheduler: keeps the time, and is where the numbers are sent.
    @inlinable
    public static func interval(_ period: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        timer(period, period: period, scheduler: scheduler)
    }
}

#if TRACE_RESOURCES
    import Rx
    import Testing

    /// Objects that are made once for the whole process are not counted, so no test reports them as its leak.
    @Suite struct GlobalsTests {
        @Test func globalsOnFirstUseCountNothing() async {
            await #expect(processExitsWith: .success) {
                let before = Resources.total
                _ = (
                    MainScheduler.instance, MainScheduler.asyncInstance, ConcurrentMainScheduler.instance,
                    CurrentThreadScheduler.instance
                )
                _ = (Hooks.recordCallStackOnError, Hooks.defaultErrorHandler, Hooks.customCaptureSubscriptionCallstack)
                Disposables.create().dispose()
                let subject = PublishSubject<Int>()
                subject.subscribe().dispose()
                precondition(Resources.total == before + 1, "\(Resources.total - before)")
                withExtendedLifetime(subject) {}
            }
        }
    }
#endif

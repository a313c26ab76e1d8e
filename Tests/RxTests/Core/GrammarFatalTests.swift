#if DEBUG
    import Rx
    import Testing

    /// What ends the program runs in a process of its own.
    @Suite struct GrammarFatalTests {
        @Test func overlappingEventsAreFatalWhereThatIsAskedFor() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                Hooks.grammarChecks = .fatal
                Hooks.grammarViolationHandler = { _ in }
                let subject = PublishSubject<Int>()
                _ = subject.subscribe(onNext: { value in
                    if value == 1 { _ = returnsElsewhere { subject.onNext(2) } }
                })
                subject.onNext(1)
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("Two threads sent events to one observer at the same time: 'PublishSubject<Int>'."))
            #expect(text.contains("returnsElsewhere"))
        }
    }
#endif

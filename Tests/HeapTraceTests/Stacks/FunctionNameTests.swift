import Testing

@testable import HeapTrace

@Suite struct FunctionNameTests {
    @Test(arguments: [
        ("closure #1 (Swift.Int) -> () in App.ViewModel.bind(to: App.Source) -> ()", "ViewModel.bind(to:)"),
        (
            """
            partial apply forwarder for closure #1 (Swift.Int) -> () in App.(Model in _CC9AF13D).init(leaks: \
            Swift.Bool) -> App.Model
            """,
            "Model.init(leaks:)"
        ),
        ("closure #2 () -> () in closure #1 (Swift.Int) -> () in App.start() -> ()", "start()"),
        (
            "closure #1 @Sendable () -> () in static App.Cache<A where A: Swift.Hashable>.shared.getter : App.Cache<A>",
            "Cache.shared.getter"
        ),
        (
            "closure #1 (A) -> () in (extension in App):Rx.ObservableType.log(_: Swift.String, level: Swift.Int) -> ()",
            "ObservableType.log(_:level:)"
        ),
        (
            "closure #1 (App.(Row in _37F0D5)) -> () in App.(Screen in _37F0D5).open(leaking: Swift.Bool) -> ()",
            "Screen.open(leaking:)"
        ),
        (
            """
            closure #1 (Swift.Array<(App.(Row in _37F0D5), Swift.Int)>) -> App.(Row in _37F0D5)? in \
            App.Screen.open() -> ()
            """,
            "Screen.open()"
        ),
        ("closure #2 () -> () in closure #1 (App.(Row in _37F0D5)) -> () in App.start() -> ()", "start()"),
        (
            "closure #1 (App.Row) -> () in variable initialization expression of static App.Theme.current : App.Theme",
            "Theme.current"
        ),
        (
            """
            partial apply forwarder for implicit closure #2 (App.(Row in _37F0D5)) -> () in implicit closure #1 \
            (App.Screen) -> 
            """
                + "(App.(Row in _37F0D5)) -> () in App.Screen.open(with: Swift.Bool) -> ()", "Screen.open(with:)"
        ),
        ("closure #1 () -> () in App.run((Swift.Int, Swift.String) -> (), then: () -> ()) -> ()", "run(_:then:)"),
        ("generic specialization <Swift.Int> of App.Model.send(App.Event<A>) -> ()", "Model.send(_:)"),
        (
            "function signature specialization <Arg[0] = Dead> of static App.Model.stop(tells: Swift.Bool) -> ()",
            "Model.stop(tells:)"
        ),
        ("merged App.Model.show() -> ()", "Model.show() (merged with equal code)"),
        (
            "partial apply forwarder for merged closure #1 () -> () in App.start() -> ()",
            "start() (merged with equal code)"
        ),
        (
            "merged generic specialization <Swift.Array<() -> ()>> of closure #1 () -> () in App.start() -> ()",
            "start() (merged with equal code)"
        ),
    ])
    func place(_ text: String, _ place: String) {
        let name = FunctionName(symbol: "$s3App", text: text)
        #expect(name.text == place)
        #expect(!name.isThunk)
        #expect(!name.isOurs)
    }

    @Test(arguments: [
        ("closure #1 () -> () in App.(Base in _37F0).bind() -> ()", true),
        ("closure #1 () -> () in App.(Base in _37F0).link(to: App.(Base in _37F0)) -> ()", false),
        ("closure #1 (App.Base) -> () in App.Base.init(leaks: Swift.Bool) -> App.Base", true),
        ("closure #1 () -> () in App.Base.link(to: App.BaseModel) -> ()", true),
        ("closure #1 () -> () in App.CartViewModel.bind() -> ()", false),
        ("closure #1 () -> () in static App.Base.shared.getter : App.Base", true),
    ])
    func captureOfAType_isSelf_onlyWhereItCanBeNothingElse(_ text: String, _ isSelf: Bool) {
        #expect(FunctionName(symbol: "$s3App", text: text).isSelf("Base") == isSelf)
    }

    @Test func closureOfRx_isOurs() {
        let text =
            """
            partial apply forwarder for closure #1 (A.Element) -> A.Element in closure #2 (Rx.Sink) -> () in \
            static (extension in Rx):Rx.ObservableType
            """
                + """
                < where A.Element: Swift.FixedWidthInteger>.timer(_: Dispatch.DispatchTimeInterval, scheduler: \
                Rx.SchedulerType) -> Rx.Observable<A.Element>
                """
        let name = FunctionName(symbol: "$s2Rx14ObservableTypePAAs", text: text)
        #expect(name.isOurs)
        #expect(name.text == "ObservableType.timer(_:scheduler:)")
    }

    @Test func usersClosure_meltedIntoOneOfRx_isTheUsers() {
        let text =
            """
            function signature specialization <Arg[1] = [Closure Propagated : closure #1 (Swift.Int) -> () in \
            App.Model.bind() -> ()]> of 
            """
                + """
                closure #1 (Swift.UnsafeMutableRawPointer, Rx.Sink) -> () in static Rx.Subscriber.next(calling: (A) -> \
                ()) -> ()
                """
        let name = FunctionName(symbol: "$s2Rx10Subscriber", text: text)
        #expect(!name.isOurs)
        #expect(name.text == "Model.bind()")
    }

    @Test(arguments: [
        (
            """
            implicit closure #2 (Swift.Int) -> () in implicit closure #1 (App.Screen) -> (Swift.Int) -> () in \
            App.Screen.open() -> ()
            """,
            true
        ),
        ("implicit closure #1 () throws -> Swift.Bool in App.Screen.open() -> ()", false),
        ("closure #1 (Swift.Int) -> () in App.Screen.open() -> ()", false),
    ])
    func methodGivenForAClosure_isToldFromAClosure(_ text: String, _ isMethod: Bool) {
        #expect(FunctionName(symbol: "$s3App", text: text).isMethod == isMethod)
    }

    @Test func reabstraction_isAThunk() {
        let text =
            """
            partial apply forwarder for reabstraction thunk helper from @escaping @callee_guaranteed (@unowned \
            Swift.Int) -> () to 
            """
            + "@escaping @callee_guaranteed (@in_guaranteed Swift.Int) -> ()"
        #expect(FunctionName(symbol: "$sSiIegy_SiIegn_TRTA", text: text).isThunk)
    }

    @Test func mangledNameOfSwift_isDemangled_andAnotherNameStaysAsItIs() {
        #expect(
            FunctionName.demangled("$sSi1poiyS2i_SitFZ")
                == "static Swift.Int.+ infix(Swift.Int, Swift.Int) -> Swift.Int")
        #expect(FunctionName.demangled("main") == "main")
    }
}

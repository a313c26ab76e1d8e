import Testing

@testable import HeapTrace

@Suite struct RetentionTextTests {
    private func step(_ holder: String, _ edge: RetentionEdge, line: Int? = nil, isTyped: Bool = true) -> RetentionStep
    {
        RetentionStep(
            holder: holder, through: edge, file: line == nil ? nil : "ViewModel.swift", line: line, isTyped: isTyped)
    }

    @Test func cycle_endsWhereItBegan() {
        let retention = Retention(
            target: "ViewModel",
            steps: [
                step("ViewModel", .init(property: "bag")), step("DisposeBag", .init(.subscription)),
                step("closure in ViewModel.bind()", .init(.capture, "capture self"), line: 42),
            ],
            cycleLength: 3, grade: .proven, advice: "capture 'self' weakly in the closure at ViewModel.swift:42")
        #expect(
            retention.description == """
                ViewModel is held by a cycle, proven:
                  ViewModel: .bag
                  DisposeBag: subscription
                  closure in ViewModel.bind() at ViewModel.swift:42: capture self
                  ViewModel, where the cycle closes
                capture 'self' weakly in the closure at ViewModel.swift:42
                """)
    }

    @Test func chain_beginsAtItsGlobal() {
        let retention = Retention(
            target: "Image",
            steps: [
                step("global Cache.shared", .init(.unknown)),
                step("Cache", .init(property: "images", position: "3"), isTyped: false),
            ],
            cycleLength: 0,
            grade: .likely(because: "what Cache holds is not described by its type"), advice: "give it a bound")
        #expect(
            retention.description == """
                Image is held by a chain, likely: what Cache holds is not described by its type:
                  global Cache.shared
                  Cache: .images[3] (untyped)
                  Image
                give it a bound
                """)
    }

    @Test func stableNames_haveNeitherLinesNorPositions() {
        let one = Retention(
            target: "Image",
            steps: [
                step("Cache", .init(property: "images", position: "3")),
                step("closure in f()", .init(.capture, "capture self"), line: 4),
            ],
            cycleLength: 0, grade: .proven, advice: "")
        let other = Retention(
            target: "Image",
            steps: [
                step("Cache", .init(property: "images", position: "71")),
                step("closure in f()", .init(.capture, "capture self"), line: 5),
            ],
            cycleLength: 0, grade: .proven, advice: "")
        #expect(one.stableNames == ["Cache .images[]", "closure in f() capture self", "Image"])
        #expect(one.stableNames == other.stableNames)
    }

    @Test func edge_ofACollection_takesItsPosition() {
        let position = RetentionEdge(property: "", position: "3")
        let rows = RetentionEdge(property: "rows").appending(position)
        #expect(rows?.text == ".rows[3]")
        #expect(rows?.kind == .partOfProperty)
        #expect(rows?.appending(position) == nil)
        #expect(RetentionEdge(.unknown).appending(position) == position)
        #expect(RetentionEdge(.observer).appending(position) == nil)
    }

    @Test(arguments: [
        ("bag", nil, RetentionEdge.Kind.property), ("state.parent", nil, .partOfProperty),
        ("rows", "3", .partOfProperty), ("", "key", .element), ("", nil, .unknown),
    ])
    func edge_hasTheKindOfItsParts(property: String, position: String?, kind: RetentionEdge.Kind) {
        #expect(RetentionEdge(property: property, position: position).kind == kind)
    }

    private func found(_ steps: [RetentionStep], cycleLength: Int = 0, _ found: Retention.Found) -> Retention {
        Retention(
            target: "a block", steps: steps, cycleLength: cycleLength, grade: .proven, advice: "", owner: nil,
            found: found)
    }

    @Test func pathOfMemoryWithoutNames_isAGuess_andAPathThatNamesSomethingIsNone() {
        let local = step("Task", .init(.localVariable), isTyped: false)
        let block = step("a block of 64 bytes", .init(.unknown), isTyped: false)
        let nameless = Retention.Found(isAnonymous: true)
        #expect(found([local], nameless).isGuess)
        #expect(found([block, block], cycleLength: 2, nameless).isGuess)
        #expect(found([block], Retention.Found(isHeldByStack: true)).isGuess)
        #expect(found([block], Retention.Found(isInMemoryOfDispatch: true)).isGuess)
        #expect(!found([block], Retention.Found(classes: [(16, "Screen")], isInMemoryOfDispatch: true)).isGuess)
        // The task has a function, the variable a type, or an object of the user's is on the path.
        #expect(!found([local], Retention.Found()).isGuess)
        #expect(!found([step("Task", .init(.localVariable))], nameless).isGuess)
        #expect(!found([local], Retention.Found(classes: [(16, "Screen")], isAnonymous: true)).isGuess)
        #expect(!found([block], nameless).isGuess)
    }

    @Test func copyWithoutAddresses_hasTheSameText() {
        let retention = found(
            [step("Screen", .init(property: "row"))],
            Retention.Found(
                classes: [(16, "Screen")], trail: [16, 32], guesses: 1, isAnonymous: true, collection: "'Screen.rows'",
                keeps: ["Row": 2]))
        let copy = retention.withoutAddresses()
        #expect(copy.trail.isEmpty && copy.found?.classes.isEmpty ?? false && copy.found?.adviser == nil)
        #expect(copy == retention)
        #expect(copy.headline == retention.headline)
        #expect(copy.stableNames == retention.stableNames)
        #expect(copy.namesPlace == retention.namesPlace)
    }
}

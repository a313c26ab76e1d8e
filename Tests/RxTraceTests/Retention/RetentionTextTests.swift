import Testing

@testable import RxTrace

@Suite struct RetentionTextTests {
    private func step(_ holder: String, _ edge: String, line: Int? = nil, isTyped: Bool = true) -> RetentionStep {
        RetentionStep(
            holder: holder, edge: edge, file: line == nil ? nil : "ViewModel.swift", line: line, isTyped: isTyped)
    }

    @Test func cycle_endsWhereItBegan() {
        let retention = Retention(
            target: "ViewModel",
            steps: [
                step("ViewModel", ".bag"), step("DisposeBag", "subscription"),
                step("closure in ViewModel.bind()", "capture self", line: 42),
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
            target: "Image", steps: [step("global Cache.shared", ""), step("Cache", ".images[3]", isTyped: false)],
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
            target: "Image", steps: [step("Cache", ".images[3]"), step("closure in f()", "capture self", line: 4)],
            cycleLength: 0, grade: .proven, advice: "")
        let other = Retention(
            target: "Image", steps: [step("Cache", ".images[71]"), step("closure in f()", "capture self", line: 5)],
            cycleLength: 0, grade: .proven, advice: "")
        #expect(one.stableNames == ["Cache .images[]", "closure in f() capture self", "Image"])
        #expect(one.stableNames == other.stableNames)
    }
}

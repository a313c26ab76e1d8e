import Testing

@testable import RxTrace

@Suite struct ObjectsHintTests {
    @Test func hint_saysWhatIsLeftToDo() {
        #expect(
            ObjectsHint.sentence(isLinked: false, isFollowing: false)
                == " Link 'RxTraceObjects' to follow all Swift objects.")
        #expect(
            ObjectsHint.sentence(isLinked: true, isFollowing: false)
                == " Set 'RxTrace.followsObjects' to follow all Swift objects.")
        #expect(ObjectsHint.sentence(isLinked: true, isFollowing: true) == "")
    }
}

import Rx
import Testing

/// Runs in a process of its own, as it ends the program.
@Suite struct BindingErrorTests {
    private final class Target {}

    #if DEBUG
        @Test func errorThatReachesABinderIsFatalInDebugBuilds() async {
            await #expect(processExitsWith: .failure) {
                Binder<Int>(Target()) { _, _ in }.onError(RxError.unknown)
            }
        }
    #else
        @Test func errorThatReachesABinderIsSurvivedInReleaseBuilds() {
            Binder<Int>(Target()) { _, _ in }.onError(RxError.unknown)
        }
    #endif
}

import Testing

@testable import HeapTrace

@Suite struct HeapUnavailableTests {
    #if os(Linux)
        @Test func texts_nameTheRemedy() {
            for reason in [HeapUnavailable.notJemalloc, .noUtilization, .noMaps] {
                #expect(reason.description.hasPrefix("unavailable, because "))
            }
            #expect(
                HeapUnavailable.notJemalloc.description
                    == """
                    unavailable, because this process does not run on jemalloc. Give the executable \
                    '.linkedLibrary("jemalloc")' in the manifest, or start it with 'LD_PRELOAD=libjemalloc.so.2'.
                    """
            )
        }
    #endif
    #if !Jemalloc || !os(Linux)
        @Test func capture_withoutJemalloc_isUnavailable() {
            #expect(throws: HeapUnavailable.self) { try HeapSnapshot.capture() }
        }
    #endif
}

import Rx
import RxTrace
import Synchronization
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

private struct Fault: Error {}
private final class BoxedFault: Error {}

private typealias WillThrow = @convention(c) (UnsafeMutableRawPointer?) -> Void
private typealias WillThrowTyped =
    @convention(c) (UnsafeMutableRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?) -> Void

/// Returns the runtime's variable for a function that it calls with each thrown error, or `nil` if the runtime has no
/// such variable.
private func hook<Function>(_ name: String, _: Function.Type) -> UnsafeMutablePointer<Function?>? {
    dlsym(nil, name)?.assumingMemoryBound(to: Function?.self)
}

private func willThrow() -> UnsafeMutablePointer<WillThrow?>? { hook("_swift_willThrow", WillThrow.self) }
private func willThrowTyped() -> UnsafeMutablePointer<WillThrowTyped?>? {
    hook("_swift_willThrowTypedImpl", WillThrowTyped.self)
}

private let seenByOthers = Atomic(0)
// Used by one thread, in a process that runs only this test.
nonisolated(unsafe) private var passedOn: WillThrow?

@inline(never) private func throwBoxed() throws { throw BoxedFault() }
@inline(never) private func throwTyped() throws(Fault) { throw Fault() }

/// Hooks that were installed before this package's hook, and hooks that are installed after it, see all throws. Hooks
/// stay for the life of a process, so each test runs in a separate process.
@Suite struct ThrowHookTests {
    @Test func whoWasThereBefore_isCalledOn_whileRecordingIsOnAndOff() async {
        await #expect(processExitsWith: .success) {
            guard let place = willThrow() else { return }
            place.pointee = { _ in seenByOthers.wrappingAdd(1, ordering: .relaxed) }
            Hooks.recordCallStackOnError = true
            do { try throwBoxed() } catch {
                precondition(Hooks.origin(of: error)?.thrown.isEmpty == false, "not recorded")
            }
            precondition(seenByOthers.load(ordering: .relaxed) == 1, "not passed on while recording")
            Hooks.recordCallStackOnError = false
            try? throwBoxed()
            precondition(seenByOthers.load(ordering: .relaxed) == 2, "not passed on when recording is off")
        }
    }

    @Test func whoWasThereBefore_isCalledOnWithTypedThrows() async {
        await #expect(processExitsWith: .success) {
            guard let place = willThrowTyped() else { return }
            place.pointee = { value, type, conformance in
                let isWhole =
                    value != nil && type == unsafeBitCast(Fault.self as Any.Type, to: UnsafeRawPointer.self)
                    && conformance != nil
                seenByOthers.wrappingAdd(isWhole ? 1 : 100, ordering: .relaxed)
            }
            Hooks.recordCallStackOnError = true
            do throws(Fault) { try throwTyped() } catch {}
            precondition(seenByOthers.load(ordering: .relaxed) == 1, "not passed on while recording")
            Hooks.recordCallStackOnError = false
            do throws(Fault) { try throwTyped() } catch {}
            precondition(seenByOthers.load(ordering: .relaxed) == 2, "not passed on when recording is off")
        }
    }

    @Test func whoComesAfter_andPassesOn_staysWhenRecordingIsTurnedOffAndOn() async {
        await #expect(processExitsWith: .success) {
            guard let place = willThrow() else { return }
            Hooks.recordCallStackOnError = true
            passedOn = place.pointee
            place.pointee = { box in
                seenByOthers.wrappingAdd(1, ordering: .relaxed)
                passedOn?(box)
            }
            Hooks.recordCallStackOnError = false
            Hooks.recordCallStackOnError = true
            do { try throwBoxed() } catch {
                precondition(Hooks.origin(of: error)?.thrown.isEmpty == false, "not recorded")
            }
            precondition(seenByOthers.load(ordering: .relaxed) == 1, "taken away from who came after")
        }
    }

    @Test func throws_beforeRecordingWasEverOn_meetNoHookOfOurs() async {
        await #expect(processExitsWith: .success) {
            guard let place = willThrow() else { return }
            // The test runner may have its own hook.
            func address() -> UInt { unsafeBitCast(place.pointee, to: UInt.self) }
            let before = address()
            _ = Observable.just(1).map { _ in try throwBoxed() }.subscribe(onError: { _ in })
            precondition(address() == before, "put in unasked")
            Hooks.recordCallStackOnError = true
            precondition(address() != before, "not put in")
        }
    }

    #if DEBUG
        @Test func unhandledError_isPrintedWithItsThreeStacks() async throws {
            let result = try #require(
                await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                    RxTrace.recordsErrorOrigins = true
                    _ = Observable.just(1).map { _ in try throwBoxed() }.checkpoint("search results").subscribe(
                        onNext: {})
                })
            let text = String(decoding: result.standardOutputContent, as: UTF8.self)
            #expect(text.contains("Unhandled error happened: "), "\(text)")
            let headings = text.split(separator: "\n").filter { $0.hasPrefix("------") }.map(String.init)
            let expected = [
                "------ Thrown at:", "------ Subscribed at:", "------ Assembled of:", "------ Checkpoints passed:",
            ]
            #expect(headings == expected, "\(text)")
        }
    #endif
}

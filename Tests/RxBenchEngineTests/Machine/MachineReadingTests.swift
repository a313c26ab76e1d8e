import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

private final class ScriptedLauncher: WorkerLauncher {
    private(set) var requests: [WorkerRequest] = []
    let script: (WorkerRequest) -> WorkerReply

    init(_ script: @escaping (WorkerRequest) -> WorkerReply) { self.script = script }

    func reply(to request: WorkerRequest) -> WorkerReply {
        requests.append(request)
        return script(request)
    }
}

@Suite("Noise trial") struct NoiseTrialTests {
    private func timed(_ median: Double) -> WorkerReply {
        var reply = WorkerReply()
        reply.time = TimeSeries(median: median, samples: [], control: 1, iterations: 1)
        return reply
    }

    @Test func `each round takes every side of every workload once, in another order`() throws {
        let launcher = ScriptedLauncher { $0.id.hasSuffix("side=a") ? timed(1) : timed(2) }
        let readings = try NoiseTrial.run(launcher: launcher, seconds: 30, seed: 3, progress: { _ in })
        #expect(launcher.requests.count == 4 * NoiseTrial.mostRounds)
        let rounds = stride(from: 0, to: launcher.requests.count, by: 4).map {
            launcher.requests[$0..<($0 + 4)].map(\.id)
        }
        #expect(rounds.allSatisfy { Set($0).count == 4 })
        #expect(Set(rounds).count > 5)
        #expect(readings.map(\.workload) == ["arithmetic", "allocation"])
        for reading in readings {
            #expect(reading.sides.value?.first == Array(repeating: 1, count: NoiseTrial.mostRounds))
            #expect(reading.sides.value?.second == Array(repeating: 2, count: NoiseTrial.mostRounds))
        }
    }

    @Test func `time that is up leaves the fewest rounds`() throws {
        let launcher = ScriptedLauncher { _ in timed(1) }
        _ = try NoiseTrial.run(launcher: launcher, seconds: 0, seed: 3, progress: { _ in })
        #expect(launcher.requests.count == 4 * NoiseTrial.fewestRounds)
    }

    @Test func `a process that fails makes the noise unavailable`() throws {
        let launcher = ScriptedLauncher { _ in WorkerReply(failure: "Planted.") }
        let readings = try NoiseTrial.run(launcher: launcher, seconds: 30, seed: 3, progress: { _ in })
        #expect(launcher.requests.count == 4)
        #expect(
            readings.map(\.sides) == [
                .unavailable("a process failed: Planted"), .unavailable("a process failed: Planted"),
            ])
    }

    @Test func `a worker knows the trial's workloads beside its own`() throws {
        let request = WorkerRequest(
            pass: .time, id: "rxbench-noise/allocating?side=b", budgetNanoseconds: 1_000_000, sampleLimit: 4)
        let reply = Worker.measure(request, catalog: try Catalog([]), probes: { [] })
        #expect(reply.failure == nil)
        #expect((reply.time?.median ?? 0) > 0)
    }
}

@Suite("Readings of this machine") struct MachineReadingTests {
    @Test(
        arguments: [
            (Int32(0), nil, Reading<String>.value("available")),
            (
                ENOENT, 2,
                .unavailable(
                    "the processor shows no counter of instructions (no PMU), as is usual in a virtual machine")
            ),
            (
                EACCES, 3,
                .unavailable("the kernel forbids it: perf_event_paranoid is 3, and 2 is the most that allows it")
            ),
            (EPERM, 1, .unavailable("the kernel or a container's seccomp profile forbids it")),
            (EACCES, nil, .unavailable("the kernel or a container's seccomp profile forbids it")),
            (ENOSYS, nil, .unavailable("the kernel was built without perf events")),
        ] as [(Int32, Int?, Reading<String>)])
    func `why instructions cannot be counted`(error: Int32, paranoia: Int?, reading: Reading<String>) {
        #expect(MachineReadings.instructionCounter(error: error, paranoia: paranoia) == reading)
    }

    @Test func `a counter is forbidden by the kernel's setting alone`() {
        #expect(MachineReadings.isForbidden(error: EACCES, paranoia: 3))
        #expect(!MachineReadings.isForbidden(error: EPERM, paranoia: 2))
        #expect(!MachineReadings.isForbidden(error: EPERM, paranoia: nil))
        #expect(!MachineReadings.isForbidden(error: ENOENT, paranoia: 4))
    }

    @Test func `every reading of this machine is a value in its range, or has a reason`() throws {
        let readings = MachineReadings.current(
            idle: .unavailable("planted"), busy: .unavailable("planted"), noise: [], isTracing: false)
        #expect(readings.onlineCores >= 1)
        #expect(readings.timer.costNanoseconds > 0)
        #expect(readings.timer.resolutionNanoseconds > 0)
        if let allowed = readings.allowedCores.value { #expect((1...readings.onlineCores).contains(allowed)) }
        if let memory = readings.memory.value { #expect(memory.available <= memory.total && memory.total > 0) }
        let encoded = try JSONEncoder().encode(readings)
        #expect(try JSONDecoder().decode(MachineReadings.self, from: encoded) == readings)
        #if os(Linux)
            #expect(
                readings.memory.value != nil && readings.allowedCores.value != nil && readings.timer.source.value != nil
            )
        #endif
    }

    #if os(Linux)
        @Test func `a window counts ticks, and leaves this process out of the others`() throws {
            let before = try ProcessorObservation.now().get()
            var window = try ProcessorObservation.now().get().since(before)
            // The kernel counts in hundredths of a second.
            while window.workingTicks == 0 { window = try ProcessorObservation.now().get().since(before) }
            #expect(window.ticks > 0)
            #expect(window.workingTicks > 0 && window.workingTicks <= window.ticks)
            #expect((0...window.ticks).contains(window.stolenTicks))
            #expect(window.others.allSatisfy { $0.cores > 0 && $0.process != Int(getpid()) })
            #expect(window.others.map(\.cores) == window.others.map(\.cores).sorted(by: >))
        }
    #endif
}

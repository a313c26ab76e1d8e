import Rx
import RxBenchRaces

/// Sequences that continue after an error, and sequences of sequences.
let recoveringRaces: [RaceScenario<Round>] = attemptRaces + innerSequenceRaces

private let attemptRaces: [RaceScenario<Round>] = [
    race("race/catch/error-dispose", "Whether a disposal can miss what follows an error.") { round in
        let (first, second) = (round.source(), round.source())
        let replacement = second.makeSequence()
        let viewer = round.viewer(of: first.makeSequence().catch { _ in replacement })
        round.label { second.subscriptions == 0 ? "disposed first" : "caught first" }
        return [first.fail, viewer.dispose]
    },
    race("race/retry/error-dispose", "Whether a disposal can miss the next attempt.") { round in
        let source = round.source()
        let viewer = round.viewer(of: source.makeSequence().retry())
        round.label { "\(source.subscriptions) attempts" }
        return [source.fail, viewer.dispose]
    },
    race("race/retry/last-error-dispose", "Whether a disposal may come as the last attempt fails.") { round in
        let source = round.source()
        let viewer = round.viewer(of: source.makeSequence().retry(2))
        source.fail()
        round.label { "heard '\(viewer.story)'" }
        return [source.fail, viewer.dispose]
    },
    race("race/retry-when/error-trigger", "Whether the trigger of the next attempt may come with the error.") { round in
        let (source, trigger) = (round.source(), round.source())
        let triggers = trigger.makeSequence()
        let viewer = round.viewer(of: source.makeSequence().retry { (_: Observable<any Error>) in triggers })
        round.afterwards { source.next(7) }
        round.expect("the attempt that began is not heard") {
            viewer.story == (source.subscriptions == 2 ? "7" : "")
        }
        round.label { "\(source.subscriptions) attempts" }
        return [source.fail, { trigger.next(1) }]
    },
    race("race/retry-when/error-trigger-end", "Whether the notifier may end with the error.") { round in
        let (source, trigger) = (round.source(), round.source())
        let triggers = trigger.makeSequence()
        let viewer = round.viewer(of: source.makeSequence().retry { (_: Observable<any Error>) in triggers })
        round.expect(viewer, hears: ["|"], "the notifier's end was not the end")
        return [source.fail, trigger.complete]
    },
    race("race/retry-when/error-dispose", "Whether a disposal can miss the attempt that is triggered.") { round in
        let source = round.source()
        let viewer = round.viewer(of: source.makeSequence().retry { (errors: Observable<any Error>) in errors })
        round.label { "\(source.subscriptions) attempts" }
        return [source.fail, viewer.dispose]
    },
]

private let innerSequenceRaces: [RaceScenario<Round>] = [
    race("race/group-by/next-dispose", "Whether a group may be left while its first element comes.") { round in
        let source = round.source()
        let viewer = round.viewer(of: source.makeSequence().groupBy { $0 % 2 }.flatMap { $0.asObservable() })
        round.label { "heard '\(viewer.story)'" }
        return [{ source.next(1) }, viewer.dispose]
    },
    race("race/group-by/end-dispose", "Whether groups may be left as they end.") { round in
        let source = round.source()
        let viewer = round.viewer(of: source.makeSequence().groupBy { $0 % 2 }.flatMap { $0.asObservable() })
        source.next(1)
        round.label { "heard '\(viewer.story)'" }
        return [source.complete, viewer.dispose]
    },
    // The source is released when the sequence of groups and every group have no subscribers left.
    race("race/group-by/last-two-leave", "Whether a group and the sequence of groups may be left at once.") { round in
        let (source, groups, inGroup) = group(in: round)
        round.expect("the source was not let go of when everybody had left") { source.release.count.now == 1 }
        return [groups.dispose, inGroup.dispose]
    },
    race("race/group-by/next-outer-leaves", "Whether a group goes on while the sequence of groups is left.") { round in
        let (source, groups, inGroup) = group(in: round)
        round.expect(inGroup, hears: ["13"], "an element of the group was lost")
        return [{ source.next(3) }, groups.dispose]
    },
    race("race/window/last-two-leave", "Whether a window and the sequence of windows may be left at once.") { round in
        let source = round.source()
        let inWindow = round.viewer()
        let windows = round.viewer(
            of: source.makeSequence().window(timeSpan: .seconds(1), count: 9, scheduler: round.scheduler())
                .map { window in
                    inWindow.watch(window)
                    return 1
                })
        round.expect("the source was not let go of when everybody had left") { source.release.count.now == 1 }
        return [windows.dispose, inWindow.dispose]
    },
]

/// Returns a source whose elements are grouped, a viewer of the sequence of groups, and a viewer of the group of the
/// element 1, which has been sent.
private func group(in round: Round) -> (source: OpenSource, groups: Viewer, inGroup: Viewer) {
    let source = round.source()
    let inGroup = round.viewer()
    let groups = round.viewer(
        of: source.makeSequence().groupBy { $0 % 2 }
            .map { group in
                inGroup.watch(group.asObservable())
                return group.key
            })
    source.next(1)
    return (source, groups, inGroup)
}

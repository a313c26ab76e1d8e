import Testing

@testable import HeapTrace

/// Tests the advice for each way in which an object is held, without a real heap.
@Suite struct AdviceTests {
    private func closure(_ change: (inout Hop) -> Void) -> Hop {
        var hop = Hop(kind: .closure, name: "closure in Cart.bind()", file: "Cart.swift", line: 7)
        hop.function = FunctionName(symbol: "$s3App", text: "closure #1 () -> () in App.Cart.bind() -> ()")
        change(&hop)
        return hop
    }

    private func cycle(_ hops: Hop...) -> String {
        let hops =
            [
                Hop(kind: .instance, name: "Screen", label: "bag"),
                Hop(kind: .ours, name: "DisposeBag", role: .disposable),
            ] + hops
        let steps = PathShortening.cycleSteps(of: hops)
        return Advice(steps: steps, cycleLength: steps.count, cycle: hops, way: []).cause(Advice.Sites()).advice
    }

    private func chain(_ hops: Hop..., sites: Advice.Sites = Advice.Sites()) -> String {
        Advice(steps: PathShortening.steps(of: hops), cycleLength: 0, cycle: [], way: hops).cause(sites).advice
    }

    private let global = Hop(global: "Trips.all", origin: .user, isTyped: true)
    private let replay = Hop(kind: .ours, name: "ReplaySubject<Trip>", role: .replay, label: "observers")
    private let memory = Hop(
        kind: .kernel, name: "RememberingObservers<RecentValues<Trip>>", role: .memory, label: "memory.values")
    private let storage = Hop(kind: .storage, name: "_ContiguousArrayStorage<Trip>", index: 3)

    @Test func closure_isToldByTheVariableThatItCaptures() {
        #expect(
            cycle(
                closure {
                    $0.captured = "Screen"
                    $0.variable = "screen"
                }) == "capture 'screen' weakly in the closure at Cart.swift:7")
        #expect(cycle(closure { $0.captured = "Cart" }) == "capture 'self' weakly in the closure at Cart.swift:7")
    }

    @Test func closure_whoseVariableIsNotKnown_isToldByTheTypeAsSuch() {
        #expect(
            cycle(closure { $0.captured = "CartViewModel" })
                == "hold weakly the 'CartViewModel' that the closure at Cart.swift:7 captures")
        #expect(
            cycle(
                closure {
                    $0.captured = "Screen"
                    $0.file = nil
                }) == "hold weakly the 'Screen' that the closure in Cart.bind() captures")
        #expect(
            cycle(closure { $0.boxed = "Screen" })
                == "set the captured variable that holds 'Screen' to nil when it is no longer needed, "
                + "or capture it weakly in the closure at Cart.swift:7")
    }

    @Test func closures_ofWhichOneCapturesItsOwnObject_areToldByThatOne() {
        let other = closure {
            $0.captured = "Preview"
            $0.variable = "preview"
        }
        let own = closure {
            $0.captured = "Cart"
            $0.variable = "self"
            $0.line = 9
        }
        #expect(cycle(other, own) == "capture 'self' weakly in the closure at Cart.swift:9")
    }

    @Test func taskThatAnotherTaskKeeps_isToBeTakenFromItsGroup() {
        let parent = Hop(kind: .task, name: "Task", origin: .system)
        let child = Hop(kind: .task, name: "Task", file: "Jobs.swift", line: 12)
        func advice(_ way: Hop..., task: Hop?) -> String {
            Advice(steps: PathShortening.steps(of: way), cycleLength: 0, cycle: [], way: way, task: task)
                .cause(Advice.Sites()).advice
        }
        #expect(
            advice(parent, task: child)
                == "let the task at Jobs.swift:12 end, and take its result from the group, for example with 'next()', "
                + "or use a discarding task group: until then the group keeps the task")
        // Kept by another object that a task holds.
        #expect(!advice(parent, storage, task: child).contains("group"))
        #expect(!advice(parent, task: nil).contains("group"))
    }

    @Test func closureThatALibrarysOwnCycleKeeps_isWhatToChange() {
        func advice(_ loop: String, _ label: String = "_scheduledTasks") -> String {
            let future = Hop(kind: .instance, name: "EventLoopFuture<()>", origin: .dependency, label: "eventLoop")
            let tasks = Hop(kind: .instance, name: loop, origin: .dependency, label: label, index: 82)
            // The path begins with the cycle's own closure, but doesn't show that it belongs to the cycle.
            let box = Hop(kind: .box, name: "captured variable")
            let hops = [future, tasks]
            let steps = PathShortening.cycleSteps(of: hops)
            return Advice(steps: steps, cycleLength: steps.count, cycle: hops, way: [box, closure { _ in }])
                .cause(Advice.Sites()).advice
        }
        #expect(advice("SelectableEventLoop").hasPrefix("cancel the scheduled task whose closure is at Cart.swift:7"))
        #expect(advice("Bus").hasPrefix("end what the closure at Cart.swift:7 was given to"))
        // The loop's channels keep their handlers, but nothing is scheduled.
        #expect(advice("SelectableEventLoop", "_selector").hasPrefix("end what the closure at Cart.swift:7 was given"))
    }

    @Test func collectionThatTheRunsFill_isNamed_andNotWhatLeadsToIt() {
        let cache = Hop(kind: .instance, name: "QuoteCache", address: 1, label: "quotes")
        let quote = Hop(kind: .instance, name: "Quote", address: 3, label: "text")
        let rows = Hop(kind: .storage, name: "Dictionary", address: 2, label: "value", index: 4)
        func advice(_ way: Hop..., new: Set<UInt>) -> String {
            Advice(steps: PathShortening.steps(of: way), cycleLength: 0, cycle: [], way: way)
                .cause(Advice.Sites(new: new)).advice
        }
        let task = Hop(kind: .task, name: "Task", function: nil, file: "Jobs.swift", line: 12)
        let remove = "remove what is no longer needed from 'QuoteCache.quotes', or give it a bound"
        for first in [task, closure { _ in }] {
            #expect(advice(first, cache, rows, quote, new: [3]) == remove)
            #expect(advice(first, cache, rows, new: [2]) == remove)
            // A new object that leads to an older one is not the object that piles up.
            #expect(
                advice(Hop(kind: .delayedWork, name: "work", address: 9), first, cache, rows, quote, new: [3, 9])
                    == remove)
            // The whole cache is new: the object that should have ended holds it.
            #expect(advice(first, cache, rows, quote, new: [1, 2, 3]) != remove)
        }
        // The object in the collection has its own way to end.
        let timer = Hop(kind: .runLoopTimer, name: "Timer")
        #expect(advice(cache, rows, timer, quote, new: [3]).hasPrefix("invalidate the timer"))
    }

    @Test func collectionThatTheRunsFill_isNamed_whereALibrarysCycleSeemsToLeadToIt() {
        let cache = Hop(kind: .instance, name: "QuoteCache", address: 1, label: "quotes")
        let rows = Hop(kind: .storage, name: "Dictionary", address: 2, label: "value", index: 4)
        func advice(_ cycle: Hop...) -> LeakCause {
            let steps = PathShortening.cycleSteps(of: cycle)
            return Advice(steps: steps, cycleLength: steps.count, cycle: cycle, way: [cache, rows])
                .cause(Advice.Sites(new: [2]))
        }
        let remove = LeakCause.collection("'QuoteCache.quotes'", madeAt: nil)
        #expect(advice(Hop(kind: .block, name: "a block of 64 bytes")) == remove)
        #expect(advice(Hop(kind: .instance, name: "Channel", origin: .dependency, label: "loop")) == remove)
        #expect(advice(Hop(kind: .instance, name: "Screen", label: "cache")) != remove)
    }

    /// A task of another test that still sleeps. Words in its memory make it look like a holder.
    @Test func olderTask_isNobodysMistake_andOneThatTheRunsMakeIs() {
        var task = Hop(kind: .task, name: "Task", address: 1, file: "OtherTests.swift", line: 12)
        task.function = FunctionName(symbol: "$s3App", text: "App.OtherTests.testSleep() async -> ()")
        func cause(_ way: Hop..., origin: CodeOrigin = .user, new: Set<UInt>) -> LeakCause {
            var advice = Advice(steps: PathShortening.steps(of: way), cycleLength: 0, cycle: [], way: way)
            advice.target = (origin, "Foundation", false)
            return advice.cause(Advice.Sites(new: new))
        }
        let other = LeakCause.task(function: "OtherTests.testSleep()", place: "OtherTests.swift:12")
        #expect(cause(task, new: [1]) == other)
        #expect(cause(task, new: []) == .unknown)
        #expect(cause(task, origin: .system, new: []) == .system(module: "Foundation"))
        let timer = Hop(kind: .runLoopTimer, name: "Timer", address: 2)
        let work = Hop(kind: .delayedWork, name: "work for later of libdispatch", address: 3)
        let runLoopTimer = LeakCause.runLoopTimer(.init(location: "at Cart.swift:7"))
        #expect(cause(task, timer, closure { _ in }, new: [2]) == runLoopTimer)
        #expect(cause(work, task, timer, closure { _ in }, new: [2]) == runLoopTimer)
        // The task collects the objects that the runs make.
        let rows = Hop(kind: .storage, name: "_ContiguousArrayStorage<Row>", address: 4, index: 3)
        #expect(cause(task, rows, new: [4]) == other)
    }

    @Test func taskThatRuns_orHasNotBegun_isToldByItsClosure() {
        let task = Hop(kind: .task, name: "Task", address: 1)
        var body = closure { _ in }
        body.function = FunctionName(symbol: "$s3App", text: "App.InboxScreen.open() async -> ()")
        func cause(_ way: Hop..., new: Set<UInt>) -> LeakCause {
            Advice(steps: PathShortening.steps(of: way), cycleLength: 0, cycle: [], way: way)
                .cause(Advice.Sites(new: new))
        }
        #expect(cause(task, body, new: [1]) == .task(function: "InboxScreen.open()", place: body.sourcePlace))
        for other in [cause(task, new: [1]), cause(task, body, new: [])] {
            if case .task = other { Issue.record("\(other)") }
        }
    }

    @Test func cycleOfALibrary_isSaidToBeIts() {
        func cause(_ origin: CodeOrigin) -> LeakCause {
            let cycle = ["next", "prev"].map {
                Hop(kind: .instance, name: "Context", origin: origin, label: $0)
            }
            var advice = Advice(steps: PathShortening.cycleSteps(of: cycle), cycleLength: 2, cycle: cycle, way: [])
            advice.target = (origin, "Core", false)
            return advice.cause(Advice.Sites())
        }
        #expect(cause(.dependency) == .library(module: "Core"))
        #expect(
            cause(.dependency).advice.hasPrefix(
                "nothing of your code is on the way: these are objects of Core that keep one another."))
        #expect(cause(.user) == .backReference("Context.prev", isProperty: true))
    }

    @Test func collectionOfAnOlderObject_onACycle_isToLetGo() {
        let handler = Hop(kind: .instance, name: "Handler", address: 1, label: "registry")
        let registry = Hop(kind: .instance, name: "Registry", address: 2, label: "contexts")
        let rows = Hop(kind: .storage, name: "Dictionary", address: 3, label: "value", index: 4)
        let context = Hop(kind: .instance, name: "Context", origin: .dependency, address: 4, label: "handler")
        func advice(_ cycle: [Hop], new: Set<UInt>) -> String {
            let steps = PathShortening.cycleSteps(of: cycle)
            return Advice(steps: steps, cycleLength: steps.count, cycle: cycle, way: [])
                .cause(Advice.Sites(new: new)).advice
        }
        let remove = "remove what is no longer needed from 'Registry.contexts', or give it a bound"
        #expect(advice([handler, registry, rows, context], new: [1, 4]) == remove)
        #expect(advice([rows, context, handler, registry], new: [1, 4]) == remove)
        // Each run has its own cycle.
        #expect(advice([handler, registry, rows, context], new: [1, 2, 3, 4]) != remove)
    }

    @Test func cycleOfFields_isBrokenAtOneThatCanBeWeak() {
        func fields(_ labels: (String, String, Int?)...) -> String {
            let hops = labels.map { Hop(kind: .instance, name: $0.0, label: $0.1, index: $0.2) }
            let steps = PathShortening.cycleSteps(of: hops)
            return Advice(
                steps: steps, cycleLength: steps.count, cycle: hops,
                way: [Hop(kind: .instance, name: "Last", label: "field")]
            ).cause(Advice.Sites()).advice
        }
        #expect(fields(("Wizard", "state.shown", nil), ("Step", "wizard", nil)) == "make 'Step.wizard' weak")
        #expect(fields(("Child", "owner", nil), ("Parent", "child", nil)) == "make 'Child.owner' weak")
        #expect(
            fields(("Parent", "children", 2), ("Child", "home.parent", nil)) == "let 'Child.home.parent' be held weakly"
        )
    }

    @Test func cycleOverALibrary_isBrokenAtAPropertyThatLeadsBack_elseAtTheLibrarysObject() {
        func advice(_ property: String) -> String {
            let hops = [
                Hop(kind: .instance, name: "EchoHandler", label: property),
                Hop(kind: .instance, name: "ChannelContext", origin: .dependency, label: "handler"),
            ]
            let steps = PathShortening.cycleSteps(of: hops)
            return Advice(steps: steps, cycleLength: steps.count, cycle: hops, way: []).cause(.init()).advice
        }
        #expect(advice("context") == "make 'EchoHandler.context' weak")
        #expect(advice("ticking").hasPrefix("end what 'ChannelContext.handler' keeps the EchoHandler for"))
    }

    @Test func collectionOfFoundation_isNamedByItsOwner() {
        let registry = Hop(kind: .instance, name: "Registry", label: "players")
        let dictionary = Hop(kind: .instance, name: "NSMutableDictionary", origin: .system, label: "_storage")
        let other = Hop(kind: .instance, name: "Cache", origin: .system, label: "storage")
        #expect(
            chain(global, registry, dictionary, storage)
                == "remove what is no longer needed from 'Registry.players', or give it a bound")
        #expect(chain(global, registry, other, storage) == "release it from 'Trips.all' when it is no longer needed")
    }

    @Test func replayWithoutABound_getsOne() {
        let advice = "give the replay 'Trips.all' a bound, as 'create(bufferSize:)' does: it keeps every element"
        #expect(chain(global, replay, memory, storage) == advice)
        #expect(chain(global, replay, memory, storage, sites: .init(subscription: "Other.swift:3")) == advice)
        let field = Hop(kind: .instance, name: "History", label: "trips")
        #expect(chain(global, field, replay, memory, storage) == advice.replacing("Trips.all", with: "History.trips"))
    }

    @Test func replays_inACollection_areTakenOutOfThat() {
        #expect(
            chain(global, storage, replay, memory)
                == "remove what is no longer needed from 'Trips.all', or give it a bound")
    }

    @Test func valueOfARelay_isLookedThrough() {
        let relay = Hop(kind: .ours, name: "BehaviorRelay<Array<Trip>>", role: .currentValue, label: "observers")
        let value = Hop(
            kind: .kernel, name: "RememberingObservers<LatestValue<Array<Trip>>>", role: .memory, label: "memory.value")
        #expect(
            chain(global, relay, value, storage)
                == "remove what is no longer needed from the value of 'Trips.all', or give it a bound")
    }

    @Test func observerOfACenter_isRemoved_andOneOfASubscriptionIsDisposed() {
        let center = Hop(kind: .center, name: "NotificationCenter", label: "registrar")
        let home = Hop(global: "NotificationCenter.default", origin: .user, isTyped: true)
        let own = closure { $0.captured = "Cart" }
        #expect(
            chain(home, center, storage, own)
                == "give the token of the observer at Cart.swift:7 to 'removeObserver' when it is no longer needed")
        let kernel = Hop(kind: .kernel, name: "closure in Reactive.notification(_:object:)")
        let sink = Hop(kind: .kernel, name: "Subscriber<Notification>")
        #expect(
            chain(home, center, storage, kernel, sink, own, sites: .init(subscription: "Cart.swift:7"))
                == """
                dispose the subscription made at Cart.swift:7, which 'NotificationCenter.default' holds, for \
                example in a bag that goes with its owner
                """
        )
    }

    @Test func groups_haveSubscriptionsOfTheirOwn() {
        let subject = Hop(kind: .ours, name: "PublishSubject<Trade>", role: .subject)
        let grouping = Hop(kind: .kernel, name: "Grouping<String, Trade>", role: .groupTable, label: "subjects")
        let own = closure { $0.captured = "Cart" }
        #expect(
            chain(global, subject, grouping, storage, subject, own)
                == """
                dispose the group's own subscription whose closure is at Cart.swift:7, which 'Trips.all' holds, \
                for example in a bag that goes with its owner
                """
        )
        #expect(
            chain(global, subject, grouping, storage)
                == """
                let 'groupBy' see fewer keys: it keeps a group for each until its source ends or its subscription \
                is disposed
                """
        )
        #expect(
            chain(global, subject, sites: .init(subscription: "Cart.swift:7", isOfGroup: true))
                == """
                dispose the group's own subscription made at Cart.swift:7, which 'Trips.all' holds, for example in \
                a bag that goes with its owner
                """
        )
    }
}

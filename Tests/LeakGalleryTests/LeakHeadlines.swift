/// The first line in the report of each planted leak: the user's class, how it is held, the line to change, and the
/// signature of the cause, which is the same in debug and in release builds.
enum LeakHeadlines {
    static let all = [
        "self-in-own-bag":
            """
        ProfileScreen, held by a cycle over 'ProfileScreen.bag': capture 'self' weakly in the closure at \
        SelfInOwnBag.swift:26  #41f798757d82
        """,
        "each-others-bags":
            """
        Editor, held by a cycle over 'Editor.bag': capture 'preview' weakly in the closure at \
        EachOthersBags.swift:26  #e7a79a7cbe6e
        """,
        "undisposed-interval":
            """
        StopwatchScreen, held by a timer until it is disposed: dispose the subscription made at \
        UndisposedInterval.swift:23, for example in a bag 
        """
            + "that goes with its owner  #f260c642970f",
        "shared-forever":
            """
        map<Double>, held by global ExchangeRates.updates: dispose the subscription made at \
        SharedForever.swift:13, which 'ExchangeRates.updates' 
        """
            + "holds, for example in a bag that goes with its owner  #97176abfad4d",
        "relay-outlives-screen":
            """
        AccountScreen, held by global Session.user: dispose the subscription made at \
        RelayOutlivesScreen.swift:26, which 'Session.user' holds, 
        """
            + "for example in a bag that goes with its owner  #32c3945ab3ab",
        "subject-in-global":
            """
        PublishSubject<String>, held by global Conversations.open: remove from 'Conversations.open' what is \
        made at SubjectInGlobal.swift:11 when 
        """
            + "it is no longer needed, or give it a bound  #916693168cf4",
        "unretained-replay":
            """
        SearchScreen, held by a cycle over 'SearchScreen.titles': map to what is needed of it before the \
        replay made at UnretainedReplay.swift:25, 
        """
            + "so that 'SearchScreen.titles' does not keep SearchScreen  #7ab84e444a90",
        "endless-task":
            """
        FeedScreen, held by a task: cancel the task of FeedScreen.follow() at EndlessTask.swift:31 when it is \
        no longer needed, or capture weakly 
        """
            + "in it what it should not keep  #7ef0ae812dbd",
        "unbounded-cache":
            """
        refCount<String>, held by global Thumbnails.unbounded: remove from 'Thumbnails.cache' what is made at \
        UnboundedCache.swift:32 when it is no 
        """
            + "longer needed, or give it a bound  #0f1c0264db61",
        "private-rows":
            """
        RowScreen, held by a cycle over 'RowScreen.bag': capture 'self' weakly in the closure at \
        PrivateRows.swift:27  #9538d5d67fea
        """,
        "method-reference":
            """
        ResultScreen, held by a cycle over 'ResultScreen.bag': give a closure that captures 'self' weakly \
        instead of the method at 
        """
            + "MethodReference.swift:31  #caa2cbd8b985",
        "notification-token":
            """
        ThemeScreen, held by global NotificationCenter.default: give the token of the observer at \
        NotificationToken.swift:27 to 'removeObserver' 
        """
            + "when it is no longer needed  #432a00f1be95",
        "unbounded-replay":
            """
        Trip, held by global Trips.all: give the replay 'Trips.all' a bound, as 'create(bufferSize:)' does: it \
        keeps every element  #0d661df43f2e
        """,
        "group-subscription":
            """
        TickerScreen, held by global Market.trades: dispose the group's own subscription made at \
        GroupSubscription.swift:43, which 'Market.trades' 
        """
            + "holds, for example in a bag that goes with its owner  #2f3346de6785",
        "lazy-handler":
            """
        CounterScreen, held by a cycle over 'CounterScreen.onTap': capture 'self' weakly in the closure at \
        LazyHandler.swift:19  #bb25b77c9c4c
        """,
        "captured-variable":
            """
        Player, held by a cycle over 'Player.bag': capture 'current' weakly in the closure at \
        CapturedVariable.swift:16  #5b3fbb9cbfe5
        """,
        "wizard-step":
            "ConfirmStep, held by a cycle over 'ConfirmStep.owner': make 'ConfirmStep.owner' weak  #626c9597b771",
        "stored-task":
            """
        InboxScreen, held by a task: cancel the task of InboxScreen.open() at StoredTask.swift:24 when it is \
        no longer needed, or capture weakly in 
        """
            + "it what it should not keep  #79d198748909",
    ]
}

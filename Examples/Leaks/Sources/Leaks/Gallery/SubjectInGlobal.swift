import Rx
import Synchronization

extension PlantedLeak {
    static let subjectInGlobal = PlantedLeak(
        "subject-in-global",
        mistake: "Each conversation puts a subject into a global list, and none is ever taken out.",
        remedy: "Take the subject out when the conversation ends.",
        grade: .proven, names: ["Conversations.open"]
    ) { leaking in
        let messages = PublishSubject<String>()
        Conversations.begin(messages)
        let subscription = messages.subscribe(onNext: { _ in })
        messages.onNext("Hello")
        subscription.dispose()
        if !leaking { Conversations.end(messages) }
    }
}

private enum Conversations {
    private static let open = Mutex<[PublishSubject<String>]>([])

    static func begin(_ conversation: PublishSubject<String>) { open.withLock { $0.append(conversation) } }
    static func end(_ conversation: PublishSubject<String>) { open.withLock { $0.removeAll { $0 === conversation } } }
}

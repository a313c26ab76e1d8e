import Foundation
import Synchronization

extension PublishedLeak {
    /// A common report about registries with a `Mutex`: sessions are added when they begin, and only an explicit logout
    /// removes them. The published mend also removes sessions that have expired.
    static let mutexRegistry = PublishedLeak(
        name: "mutex-registry",
        expected: Expectation("UserSession", heldBy: "SessionStore.sessions", change: "SessionStore.sessions"),
        innocents: { count in (0..<count).map { UserSession(user: "user \($0)") } },
        leaky: .synchronous {
            let session = SessionStore.shared.begin(user: "ada")
            session.expire()
        },
        fixed: .synchronous {
            let session = SessionStore.shared.begin(user: "ada")
            session.expire()
            SessionStore.shared.removeExpired()
        })
}

private final class UserSession: @unchecked Sendable {
    let id = UUID()
    let user: String
    private(set) var isExpired = false

    init(user: String) { self.user = user }

    func expire() { isExpired = true }
}

private final class SessionStore: Sendable {
    static let shared = SessionStore()

    private let sessions = Mutex<[UUID: UserSession]>([:])

    func begin(user: String) -> UserSession {
        let session = UserSession(user: user)
        sessions.withLock { $0[session.id] = session }
        return session
    }

    func removeExpired() { sessions.withLock { $0 = $0.filter { !$0.value.isExpired } } }
}

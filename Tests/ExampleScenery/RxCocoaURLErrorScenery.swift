import Foundation
import Rx
import RxTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A session that answers every request with 404.
struct RxCocoaURLErrorScenery: Scenery {
    let scheduler = TestScheduler.ofMilliseconds
    let session = URLSession.answering(with: NotFoundAnswer.self)
    let request = URLRequest(url: URL(filePath: "/people/nobody"))
}

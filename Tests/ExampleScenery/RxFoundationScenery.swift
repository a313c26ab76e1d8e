import Foundation
import Rx
import RxTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A session that answers every request with a person called Ada.
struct RxFoundationScenery: Scenery {
    let scheduler = TestScheduler.ofMilliseconds
    let document = Document()
    let session = URLSession.answering(with: CannedAnswer.self)
    let url = URL(filePath: "/people/ada")
    var request: URLRequest { URLRequest(url: url) }
}

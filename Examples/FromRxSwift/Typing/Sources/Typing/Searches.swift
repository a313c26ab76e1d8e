import Foundation
import RxSwift

extension ObservableType where Element == String {
    /// The texts to search for while the user types.
    public func searches() -> Observable<String> {
        map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
            .distinctUntilChanged()
    }
}

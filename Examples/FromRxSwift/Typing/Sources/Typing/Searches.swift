import Foundation
import RxSwift

extension ObservableType where Element == String {
    /// What to search for as somebody types.
    public func searches() -> Observable<String> {
        map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
            .distinctUntilChanged()
    }
}

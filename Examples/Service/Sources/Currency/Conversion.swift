import Rx

/// The work for one request: it observes the rates until it has an answer.
final class Conversion: Sendable {
    private let query: Query
    private let answer = ReplaySubject<Double>.create(bufferSize: 1)
    private let bag = DisposeBag()

    /// - Parameter leaking: Whether to make the mistake that this example demonstrates.
    init(of query: Query, by rates: Observable<Rates>, leaking: Bool) {
        self.query = query
        if leaking {
            // The bag owns the subscription, which owns this closure. The closure owns `self`, which owns the bag.
            rates.subscribe(onNext: { self.note($0) }).disposed(by: bag)
        } else {
            rates.subscribe(onNext: { [weak self] in self?.note($0) }).disposed(by: bag)
        }
    }

    private func note(_ rates: Rates) {
        if let amount = rates.amount(of: query) { answer.onNext(amount) } else { answer.onError(UnknownCurrency()) }
    }

    /// Returns the amount at the current rates.
    func amount() async throws -> Double { try await answer.take(1).asSingle().value }
}

struct UnknownCurrency: Error {}

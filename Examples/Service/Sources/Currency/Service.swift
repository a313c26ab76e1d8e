public import Hummingbird
public import Rx
import RxTrace
import RxTraceMetrics

/// The routes of the service.
///
/// - Parameters:
///   - rates: The rates for converting the amounts.
///   - leaking: Whether each request leaks its `Conversion`.
public func makeRouter(by rates: Observable<Rates>, leaking: Bool) -> Router<BasicRequestContext> {
    let router = Router()
    let table = GaugeTable()
    let gauges = ResourceGauges(factory: table)
    router.get("convert") { request, _ in
        let parameters = request.uri.queryParameters
        guard let amount = parameters["amount"].flatMap({ Double($0) }), let from = parameters["from"],
            let to = parameters["to"]
        else { throw HTTPError(.badRequest, message: "Ask as in /convert?amount=10&from=EUR&to=USD.") }
        let query = Query(amount: amount, from: String(from), to: String(to))
        do {
            let converted = try await Conversion(of: query, by: rates, leaking: leaking).amount()
            return "\(rounded(converted)) \(query.to)\n"
        } catch is UnknownCurrency {
            throw HTTPError(.notFound, message: "'\(query.from)' or '\(query.to)' is not known.")
        }
    }
    router.get("metrics") { _, _ in
        gauges.record(ResourceSnapshot())
        return table.text
    }
    return router
}

private func rounded(_ amount: Double) -> Double { (amount * 100).rounded() / 100 }

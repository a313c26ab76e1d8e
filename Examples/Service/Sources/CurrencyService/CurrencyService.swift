import Currency
import Hummingbird
import Rx
import RxTrace

@main
struct CurrencyService {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        let port = arguments.compactMap { Int($0) }.first ?? 8080

        // Reports a resource's origin and holders. Setting 'RX_TRACE=stacks:0.1' instead costs a busy service less.
        RxTrace.level = .paranoid
        try RxTrace.installReportSignal(.usr1, to: .file("currency-%p-%n.txt"))

        let clock = SerialDispatchQueueScheduler(qos: .default)
        let rates = Rates.changing(every: .seconds(1), on: clock)
        let service = Application(
            router: makeRouter(by: rates, leaking: arguments.contains("--leak")),
            configuration: .init(address: .hostname("127.0.0.1", port: port)))
        try await service.runService()
    }
}

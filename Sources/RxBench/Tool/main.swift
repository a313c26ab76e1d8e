import DisposeRaceBenchmarks
import OperatorBenchmarks
import RxBenchCommands
import RxBenchEngine
import SchedulerBenchmarks

/// The recipe for images of this repository. `ab` compares the core by default. An image contains only the parts of the
/// harness that run suites, without the verbs and traces.
private let recipe = ImageRecipe(
    comparing: ["Sources/Rx", "Sources/CRx"],
    standIns: [
        "Sources/RxBench/Commands/RxBenchMain.swift": """
        import RxBench
        import RxBenchEngine

        package enum RxBenchMain {
            package static func run(_ suites: [Suite], recipe: ImageRecipe?) -> Never {
                Image.serve(suites, probes: { [] })
            }
        }

        """,
        "Sources/RxBench/Commands/Report/HTML/report.css": "",
        "Sources/RxBench/Commands/Report/HTML/report.js": "",
        "Sources/HeapTrace/HeapTrace.swift": "// Images trace nothing.\n",
    ])

RxBenchMain.run([operatorSuite, schedulerSuite, disposeRaceSuite], recipe: recipe)

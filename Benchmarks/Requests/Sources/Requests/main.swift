import RequestsWork
import RxBenchCommands

RxBenchMain.run([requestsSuite])

import ExampleExtraction
import Foundation

// ExampleExtractor tested|planted <page> <its name> <its scenery> <output>
let arguments = CommandLine.arguments
guard arguments.count == 6, let use = Use(rawValue: arguments[1]) else {
    FileHandle.standardError.write(
        Data("Usage: ExampleExtractor tested|planted <page> <its name in the package> <its scenery> <output>\n".utf8))
    exit(64)
}
let page = Page(
    text: try String(contentsOfFile: arguments[2], encoding: .utf8), isSwiftFile: arguments[2].hasSuffix(".swift"))
guard page.faults.isEmpty else {
    let complaints = page.faults.map { "\(arguments[2]):\($0.line): error: \($0.text)\n" }.joined()
    FileHandle.standardError.write(Data(complaints.utf8))
    exit(1)
}
let file = GeneratedFile(page: page, path: arguments[2], name: arguments[3], scenery: arguments[4], use: use)
try file.text.write(toFile: arguments[5], atomically: true, encoding: .utf8)

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
let file = GeneratedFile(page: page, path: arguments[2], name: arguments[3], scenery: arguments[4], use: use)
try file.text.write(toFile: arguments[5], atomically: true, encoding: .utf8)

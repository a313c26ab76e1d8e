"""Called by scripts/documentation:
documentation.py modules                prints the modules of the products
documentation.py build GRAPHS OUTPUT    checks the symbol graphs, and makes an archive of each module

The guide's pages exist once, in Documentation: a module's archive has those that its landing page links to. Their links
are those of files; they become DocC's own where the archive has the page, and plain text where it has not.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

# Each module that a product offers, and its folder.
MODULES = {
    "Rx": "Sources/Rx",
    "RxTest": "Sources/RxTest",
    "RxBlocking": "Sources/RxBlocking",
    "RxFoundation": "Sources/RxFoundation",
    "RxCollections": "Sources/RxCollections",
    "RxLegacy": "Sources/RxLegacy",
    "RxTrace": "Sources/RxTrace",
    "RxTraceTesting": "Sources/RxTraceTesting",
    "RxTraceObjects": "Sources/RxTraceObjects",
    "RxTraceMetrics": "Sources/RxTraceMetrics",
    "RxBench": "Sources/RxBench/Harness",
    "RxBenchRaces": "Sources/RxBench/Races",
    "RxBenchObjects": "Sources/RxBench/Objects",
    "RxBenchCommands": "Sources/RxBench/Commands",
}

# A parameter whose name says all is left out of its list on purpose; DocC wants all or none.
PARAMETER = re.compile(r"Parameter '\w+' is missing documentation")

# Where a page that a landing page names may be.
PAGES = ["Documentation/Guide", "Documentation"]


def symbols(graphs, module):
    """The public symbols of a module, those of its extensions of others among them."""
    for file in sorted([*graphs.glob(f"{module}.symbols.json"), *graphs.glob(f"{module}@*.symbols.json")]):
        yield from json.loads(file.read_text())["symbols"]


def place(symbol):
    location = symbol.get("location", {})
    path = location.get("uri", "").split("/Sources/")[-1]
    return f"{path}:{location.get('position', {}).get('line', -1) + 1}"


def comment(symbol):
    return "\n".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))


# What listens, converts or belongs to a protocol, and is no operator.
NO_OPERATORS = re.compile(
    r"(subscribe|bind|drive|emit|on|share|connect|mock|createUnsafe|decode|as[A-Z]\w*)\((?!timeSpan|on:|replay|type)")


def needs_complexity(symbol):
    """Whether a symbol is an operator. Forms of more than two sources refer to the form with two."""
    return (
        re.search("/Sources/Rx/(Operators|Traits|SharedSequence)/", symbol.get("location", {}).get("uri", ""))
        and symbol["kind"]["identifier"] in ("swift.method", "swift.type.method")
        and not NO_OPERATORS.match(symbol["pathComponents"][-1])
        and not comment(symbol).startswith("As for two")
    )


def complaints(found):
    """The declarations of a module that lack their documentation, a line each."""
    for symbol in found:
        name = ".".join(symbol["pathComponents"])
        if symbol["pathComponents"][-1].startswith("_"):
            continue
        if not comment(symbol):
            yield f"{place(symbol)}: '{name}' has no documentation."
        elif needs_complexity(symbol) and "- Complexity:" not in comment(symbol):
            yield f"{place(symbol)}: '{name}' does not state its complexity."


def page(name):
    """The file of a page that a landing page links to."""
    found = [path for path in (pathlib.Path(folder, f"{name}.md") for folder in PAGES) if path.exists()]
    return found[0] if found else None


def rewrite(text, names):
    """A page's text with links as DocC has them; `names` are the titles of the pages of the same archive."""

    def link(match):
        text, target = match[1], match[2]
        stem = pathlib.PurePath(target.split("#")[0]).stem
        if ":" in target:
            return match[0]
        if stem in names and target.split("#")[0].endswith(".md") and "Sources/" not in target:
            return f"<doc:{stem}>" if text.lower() == names[stem].lower() else f"[{text}](doc:{stem})"
        return text

    return re.sub(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", link, text)


def title(path):
    return path.read_text().splitlines()[0].removeprefix("# ")


def catalog(module, folder, target):
    """Makes a module's catalogue, and returns it."""
    source = pathlib.Path(folder, f"{module}.docc")
    shutil.copytree(source, target)
    landing = target / f"{module}.md"
    wanted = re.findall(r"<doc:(\w+)>", landing.read_text())
    pages = {name: page(name) for name in wanted}
    names = {name: title(path) for name, path in pages.items() if path}
    for name in names:
        (target / f"{name}.md").write_text(rewrite(pages[name].read_text(), names))
    missing = sorted(set(wanted) - set(names))
    return missing


def build(module, folder, graphs, output):
    """Builds a module's archive, and returns the lines of what is wrong."""
    work = output / "work" / module
    shutil.rmtree(work, ignore_errors=True)
    (work / "graphs").mkdir(parents=True)
    for file in [*graphs.glob(f"{module}.symbols.json"), *graphs.glob(f"{module}@*.symbols.json")]:
        shutil.copy(file, work / "graphs")
    missing = catalog(module, folder, work / f"{module}.docc")
    archive = output / f"{module}.doccarchive"
    shutil.rmtree(archive, ignore_errors=True)
    done = subprocess.run(
        [
            "docc", "convert", work / f"{module}.docc", "--additional-symbol-graph-dir", work / "graphs",
            "--fallback-display-name", module, "--fallback-bundle-identifier", f"rx.{module}",
            "--fallback-default-module-kind", "Library", "--output-path", archive,
            "--diagnostics-file", work / "diagnostics.json",
        ],
        capture_output=True, text=True,
    )
    lines = [f"{folder}/{module}.docc: there is no page '{name}'." for name in missing]
    if done.returncode != 0:
        lines += (done.stdout + done.stderr).splitlines()
    for diagnostic in json.loads((work / "diagnostics.json").read_text())["diagnostics"]:
        if diagnostic["severity"] in ("warning", "error") and not PARAMETER.match(diagnostic["summary"]):
            where = diagnostic.get("source", "").split("/")[-1]
            line = diagnostic.get("range", {}).get("start", {}).get("line", 0)
            lines.append(f"{where}:{line}: {diagnostic['summary']}")
    return lines


def check_itself():
    """Shows, on planted declarations and links, that what is wrong is found and what is right is not."""

    def symbol(text, name="take(_:)"):
        comment = {"docComment": {"lines": [{"text": line} for line in text]}} if text else {}
        location = {"uri": "file:///a/Sources/Rx/Operators/Take.swift", "position": {"line": 6}}
        kind = {"identifier": "swift.method"}
        return {"pathComponents": ["ObservableType", name], "kind": kind, "location": location, **comment}

    assert list(complaints([symbol([])])) == ["Rx/Operators/Take.swift:7: 'ObservableType.take(_:)' has no documentation."]
    assert "complexity" in next(complaints([symbol(["Elements."])]))
    assert not list(complaints([symbol(["Elements.", "- Complexity: O(1)."]), symbol([], "_lift")]))
    assert not list(complaints([symbol(["Converts."], "asSingle()"), symbol(["As for two sources."])]))
    rewritten = rewrite("[A](A.md#b), [page](A.md), [c](../C.md), [d](https://d.example)", {"A": "A"})
    assert rewritten == "<doc:A>, [page](doc:A), c, [d](https://d.example)", rewritten


def main(verb, graphs="", output=""):
    if verb == "modules":
        print(*MODULES, sep="\n")
        return
    check_itself()
    graphs, output = pathlib.Path(graphs), pathlib.Path(output)
    wrong = []
    for module, folder in MODULES.items():
        found = list(symbols(graphs, module))
        if not found:
            wrong.append(f"There is no symbol graph of '{module}' in '{graphs}'.")
            continue
        lines = [*complaints(found), *build(module, folder, graphs, output)]
        wrong += lines
        print(f"{module}: {len(found)} declarations, {'documented' if not lines else f'{len(lines)} complaints'}")
    for line in wrong:
        print(line, file=sys.stderr)
    sys.exit(1 if wrong else 0)


main(*sys.argv[1:])

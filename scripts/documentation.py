"""Called by scripts/documentation:
documentation.py modules                prints the modules of the products
documentation.py build GRAPHS OUTPUT    checks the symbol graphs, and makes an archive of each module

The guide's pages exist once, in Documentation. A module's catalogue contains symbolic links to the pages that its
landing page names, so that DocC finds them without this script. The pages link to files. This script replaces these
links with DocC links if the archive has the page, and with plain text otherwise.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

# The modules of the products, and their folders.
MODULES = {
    "Rx": "Sources/Rx",
    "RxTest": "Sources/RxTest",
    "RxBlocking": "Sources/RxBlocking",
    "RxFoundation": "Sources/RxFoundation",
    "RxCollections": "Sources/RxCollections",
    "RxLegacy": "Sources/RxLegacy",
    "HeapTrace": "Sources/HeapTrace",
    "RxTrace": "Sources/RxTrace",
    "RxTraceTesting": "Sources/RxTraceTesting",
    "RxTraceObjects": "Sources/RxTraceObjects",
    "RxTraceMetrics": "Sources/RxTraceMetrics",
    "RxBench": "Sources/RxBench/Definition",
    "RxBenchRaces": "Sources/RxBench/Races",
    "RxBenchCommands": "Sources/RxBench/Commands",
}


def symbols(graphs, module):
    """The public symbols of a module, including its extensions of other modules' types."""
    for file in sorted([*graphs.glob(f"{module}.symbols.json"), *graphs.glob(f"{module}@*.symbols.json")]):
        graph = json.loads(file.read_text())
        demands = {each["source"] for each in graph["relationships"] if each["kind"] == "requirementOf"}
        for symbol in graph["symbols"]:
            # A block that extends a type is not a separate declaration.
            if symbol["kind"]["identifier"] == "swift.extension":
                continue
            extends = file.name.split(".")[0].split("@")[1:]
            yield symbol | {"isRequirement": symbol["identifier"]["precise"] in demands, "extends": extends}


def place(symbol):
    location = symbol.get("location", {})
    path = location.get("uri", "").split("/Sources/")[-1]
    return f"{path}:{location.get('position', {}).get('line', -1) + 1}"


def comment(symbol):
    return "\n".join(line["text"] for line in symbol.get("docComment", {}).get("lines", []))


# The types of sequences, as declarations spell them.
SEQUENCE = re.compile(
    r"(Observable|ConnectableObservable|Infallible|PrimitiveSequence|Single|Maybe|Completable|SharedSequence|Driver"
    r"|Signal|ControlEvent|ControlProperty|AsyncStream|AsyncThrowingStream)\b"
)


def result(symbol):
    """The type of a function's result, or of a property."""
    if "functionSignature" in symbol:
        return "".join(part["spelling"] for part in symbol["functionSignature"].get("returns", []))
    return "".join(part["spelling"] for part in symbol.get("declarationFragments", [])).partition(": ")[2]


def is_operator(symbol):
    """Whether a symbol returns or connects a sequence, and is neither a protocol requirement nor a former name. Forms
    with more than two sources refer to the form with two sources."""
    return (
        re.search("/Sources/(Rx|RxFoundation|RxCollections)/", symbol.get("location", {}).get("uri", ""))
        and symbol["kind"]["identifier"] in ("swift.method", "swift.type.method", "swift.property")
        and bool(SEQUENCE.match(result(symbol)) or symbol["pathComponents"][-1] == "connect()")
        and not symbol.get("isRequirement")
        and not symbol.get("availability")
        and not comment(symbol).startswith("Works like the overload for two")
    )


def complexity(symbol):
    """The note on a symbol's complexity, in one line; empty if there is none."""
    note = re.search(r"^- Complexity: (.*(?:\n +\S.*)*)", comment(symbol), re.MULTILINE)
    return " ".join(note[1].split()) if note else ""


def references(note):
    """The forms that a note refers to instead of stating figures, without the names of their types."""
    first = re.sub(r" on `\w+`", "", note.split(". ")[0])
    return re.findall(r"`+([^`]+)`+", first) if note.startswith(("As `", "The same as `")) else []


def forms_with_allocations(found):
    """The forms whose notes mention allocations, or refer to forms whose notes mention them."""
    notes = [(symbol["pathComponents"][-1], complexity(symbol)) for symbol in found if is_operator(symbol)]
    forms = {form for form, note in notes if "allocat" in note.lower()}
    while True:
        more = {
            form for form, note in notes if references(note) and all(stands(each, forms) for each in references(note))
        }
        if more <= forms:
            return forms
        forms |= more


def stands(form, forms):
    """Whether a form is one of `forms`. The form may omit trailing parameters that have a default."""
    return any(each == form or form.endswith(":)") and each.startswith(form[:-1]) for each in forms)


def complaints(found, forms):
    """One line for each declaration of a module that lacks documentation."""
    for symbol in found:
        name = ".".join(symbol["pathComponents"])
        if symbol["pathComponents"][-1].startswith("_"):
            continue
        note = complexity(symbol)
        if not comment(symbol):
            yield f"{place(symbol)}: '{name}' has no documentation."
        elif is_operator(symbol) and not note:
            yield f"{place(symbol)}: '{name}' does not state its complexity."
        elif is_operator(symbol) and "allocat" not in note.lower():
            missing = [form for form in references(note) if not stands(form, forms)]
            if missing or not references(note):
                wrong = f"refers to '{missing[0]}', which names none" if missing else "does not name its allocations"
                yield f"{place(symbol)}: '{name}' {wrong}."


def unplaced(module, found, landing):
    """The declarations of a module that are in no topic of its landing page: types and functions at the top level, and
    members of other modules' types. Members of the module's own types are on the pages of these types."""
    links = set(re.findall(r"``([^`]+?)(?:-\w+)?``", landing))
    for symbol in found:
        names = symbol["pathComponents"]
        former = symbol.get("availability") or names[-1].startswith("_") or symbol["kind"]["identifier"].endswith(".op")
        if former or len(names) > 1 and not symbol["extends"]:
            continue
        path = "/".join(symbol["extends"] + names)
        if not links & {path, f"{module}/{path}"}:
            yield f"{place(symbol)}: '{'.'.join(names)}' stands in no topic of {module}.md."


def rewrite(text, names):
    """A page's text with DocC links. `names` contains the titles of the pages in the same archive."""

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


def landing(module, folder):
    return pathlib.Path(folder, f"{module}.docc", f"{module}.md")


def catalogue(module, folder, target):
    """Copies a module's catalogue with DocC links, and returns the faults of its pages."""
    source = pathlib.Path(folder, f"{module}.docc")
    shutil.copytree(source, target)
    pages = {path.stem: path for path in source.glob("*.md") if path != landing(module, folder)}
    names = {name: title(path) for name, path in pages.items()}
    for name, path in pages.items():
        (target / f"{name}.md").write_text(rewrite(path.read_text(), names))
    named = set(re.findall(r"<doc:(\w+)>", landing(module, folder).read_text()))
    return (
        [f"{source}: there is no page '{name}'." for name in sorted(named - set(pages))]
        + [f"{source}: '{name}' is in no topic." for name in sorted(set(pages) - named)]
        + [f"{path}: it is a copy; link to the page." for path in pages.values() if not path.is_symlink()]
    )


def build(module, folder, graphs, output):
    """Builds a module's archive, and returns one line for each fault."""
    work = output / "work" / module
    shutil.rmtree(work, ignore_errors=True)
    (work / "graphs").mkdir(parents=True)
    for file in [*graphs.glob(f"{module}.symbols.json"), *graphs.glob(f"{module}@*.symbols.json")]:
        shutil.copy(file, work / "graphs")
    lines = catalogue(module, folder, work / f"{module}.docc")
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
    if done.returncode != 0:
        lines += (done.stdout + done.stderr).splitlines()
    for diagnostic in json.loads((work / "diagnostics.json").read_text())["diagnostics"]:
        if diagnostic["severity"] in ("warning", "error"):
            where = diagnostic.get("source", "").split("/")[-1]
            line = diagnostic.get("range", {}).get("start", {}).get("line", 0)
            lines.append(f"{where}:{line}: {diagnostic['summary']}")
    return lines


def check_itself():
    """Checks with planted declarations and links that faults are found, and that correct text is not reported."""

    def symbol(text, name="take(_:)", gives="Observable"):
        return {
            "pathComponents": ["ObservableType", name],
            "kind": {"identifier": "swift.method"},
            "location": {"uri": "file:///a/Sources/Rx/Operators/Take.swift", "position": {"line": 6}},
            "functionSignature": {"returns": [{"spelling": gives}, {"spelling": "<Element>"}]},
            "extends": [],
            **({"docComment": {"lines": [{"text": line} for line in text]}} if text else {}),
        }

    def said(*found):
        return [line.partition(": ")[2] for line in complaints(found, forms_with_allocations(found))]

    counted = symbol(["Elements.", "- Complexity: O(1).", "  One allocation."], "map(_:index:)")
    assert said(symbol([])) == ["'ObservableType.take(_:)' has no documentation."]
    assert place(symbol([])) == "Rx/Operators/Take.swift:7"
    assert said(symbol(["Elements."])) == ["'ObservableType.take(_:)' does not state its complexity."]
    assert said(symbol(["- Complexity: O(1)."])) == ["'ObservableType.take(_:)' does not name its allocations."]
    assert "refers to 'map(_:)'" in said(symbol(["- Complexity: As `map(_:)`."]))[0]
    assert not said(counted, symbol(["- Complexity: As `map(_:)`."]), symbol(["- Complexity: As `take(_:)`."], "a()"))
    assert not said(counted, symbol(["- Complexity: The same as `map(_:)` on `Observable`."]))
    overload = symbol(["Works like the overload for two sequences."])
    assert not said(symbol([], "_lift"), symbol(["An observer."], gives="any Disposable"), overload)
    own, other, member = symbol([]), symbol([]) | {"extends": ["Rx"]}, symbol([]) | {"pathComponents": ["f(_:)"]}
    assert not list(unplaced("Rx", [own, other, member], "``Rx/ObservableType/take(_:)``, ``f(_:)-1a2b``"))
    assert len(list(unplaced("RxTest", [own, other, member], "``Rx/ObservableType``, ``f()``"))) == 2
    rewritten = rewrite("[A](A.md#b), [page](A.md), [c](../C.md), [d](https://d.example)", {"A": "A"})
    assert rewritten == "<doc:A>, [page](doc:A), c, [d](https://d.example)", rewritten


def main(verb, graphs="", output=""):
    if verb == "modules":
        print(*MODULES, sep="\n")
        return
    check_itself()
    graphs, output = pathlib.Path(graphs), pathlib.Path(output)
    wrong = []
    modules = {module: list(symbols(graphs, module)) for module in MODULES}
    forms = forms_with_allocations([symbol for found in modules.values() for symbol in found])
    for module, folder in MODULES.items():
        found = modules[module]
        if not found:
            wrong.append(f"There is no symbol graph of '{module}' in '{graphs}'.")
            continue
        lines = [
            *complaints(found, forms), *unplaced(module, found, landing(module, folder).read_text()),
            *build(module, folder, graphs, output),
        ]
        wrong += lines
        print(f"{module}: {len(found)} declarations, {'documented' if not lines else f'{len(lines)} complaints'}")
    for line in wrong:
        print(line, file=sys.stderr)
    sys.exit(1 if wrong else 0)


main(*sys.argv[1:])

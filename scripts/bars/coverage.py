"""Tabulates the verdict of each diagnostic on planted faults and clean twins, for scripts/bars/coverage."""

import argparse, json, os, re, subprocess, sys, tempfile

arguments = argparse.ArgumentParser()
arguments.add_argument("--build", action="append", choices=["debug", "release"])
arguments.add_argument("--tool", action="append", choices=["tests", "leaks", "races", "compare"])
arguments.add_argument("--scratch-path", default=".build/coverage")
arguments.add_argument("--skip-build", action="store_true")
options = arguments.parse_args()
builds = options.build or ["debug", "release"]
tools = options.tool or ["tests", "leaks", "races", "compare"]
package = os.path.abspath("scripts/bars/stranger")
scratch = os.path.abspath(options.scratch_path)
os.environ["RX_TRACE_PATIENCE"] = "1"

# Swift Testing colours its output.
os.environ["NO_COLOR"] = "1"

rows = []


def add(tool, build, linked, framework, planted, subject, verdict, sentence=""):
    """A row with the verdict of `tool` on a planted fault or on a clean twin."""
    sentence = " ".join(sentence.split())
    expected = ["found", "not judged"] if planted else ["clean", "not judged"]
    # Next to another leak, a collection that fills looks like a cache that is not full yet.
    if planted and subject == "beside":
        expected.append("inconclusive")
    is_right = verdict in expected
    # A report that is not judged must state a remedy.
    if verdict == "not judged" and not sentence:
        is_right = False
    kind = "planted" if planted else "clean"
    rows.append((tool, build, linked, framework, kind, subject, verdict, is_right, sentence))


def run(command, seconds=900, **environment):
    """The exit code and the output of `command`; a process that does not end in time has code None."""
    try:
        process = subprocess.run(
            command, cwd=package, env=os.environ | environment, timeout=seconds, text=True, errors="replace",
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return process.returncode, process.stdout, process.stderr
    except subprocess.TimeoutExpired as error:
        return None, (error.stdout or b"").decode(errors="replace"), "it did not end in time"


def built(product, build, jemalloc):
    """Builds `product` and returns its path. With '--skip-build', returns None if there is no build."""
    folder = f"{scratch}/{'jemalloc' if jemalloc else 'none'}"
    path = f"{folder}/{build}/{product}{'.xctest' if product.endswith('Tests') else ''}"
    if options.skip_build:
        return path if os.path.exists(path) else None
    command = ["swift", "build", "-c", build, "--scratch-path", folder]
    print(f"Building {product}, {build}, {'with' if jemalloc else 'without'} jemalloc.", file=sys.stderr)
    code, output, errors = run(
        command + ["--product", product], seconds=3600, WITHOUT_JEMALLOC="0" if jemalloc else "1")
    if code != 0:
        sys.exit(f"'{product}' cannot be built.\n{output}{errors}")
    return path


# The first message of a failed test.
HEADINGS = {
    "Each run leaves more behind.": "found", "Not judged": "not judged",
    "Something had not come to rest": "inconclusive", "Something still rises": "inconclusive",
    "The round trip failed.": "failed",
}


def judged(text):
    """The verdict of a failure's text, and the sentence that matters."""
    lines = [line.strip() for line in text.strip().splitlines()]
    verdict = next((word for heading, word in HEADINGS.items() if lines and lines[0].startswith(heading)), "failed")
    if verdict == "found":
        return verdict, next((line.lstrip("├└─ ") for line in lines[2:]), "")
    return verdict, lines[1] if len(lines) > 1 else " ".join(lines)


def tests(build):
    for jemalloc in [True, False]:
        linked = "RxTraceTesting" + (", jemalloc" if jemalloc else "")
        bundle = built("StrangerPackageTests", build, jemalloc)
        source = open(f"{package}/Tests/WithSwiftTesting/StrangerSuite.swift").read()
        if bundle is None:
            continue
        names = re.findall(r"@Test(\S*) func (\w+)(Leak|Twin)\(", source)
        # An element that takes no bytes is found only if the heap can be read: see Documentation/Guide/Coverage.md.
        names = [name for name in names if jemalloc or name[1] != "room"]

        _, output, errors = run([bundle])
        output = errors + output
        passed = set(re.findall(r"Test Case '\S+\.test(\w+)' passed", output))
        pattern = r"error: \S+\.test(\w+) : failed - (.*?)(?=\n/\S+: error:|\nTest Case)"
        failures = dict(re.findall(pattern, output, re.S))
        for _, name, kind in names:
            test = name[0].upper() + name[1:] + kind
            verdict, sentence = judged(failures[test]) if test in failures else ("", "")
            add("expectNoLeaks", build, linked, "XCTest", kind == "Leak", name,
                verdict or ("clean" if test in passed else "no answer"), sentence)

        _, output, errors = run([bundle, "--testing-library", "swift-testing"])
        output = errors + output
        passed = set(re.findall(r"Test (\w+)\(\) passed", output))
        failures = dict(re.findall(r"Test (\w+)\(\) recorded an issue at [^\n]*\n\S ?(.*?)(?=\n\S )", output, re.S))
        for trait, name, kind in names:
            verdict, sentence = judged(failures[name + kind]) if name + kind in failures else ("", "")
            add(".noLeaks" if trait else "expectNoLeaks", build, linked, "Swift Testing", kind == "Leak", name,
                verdict or ("clean" if name + kind in passed else "no answer"), sentence)


def leaks(build):
    for product, linked in [("Stranger", "HeapTrace, jemalloc"), ("StrangerObjects", "RxTraceObjects, jemalloc")]:
        tool = built(product, build, True)
        if tool is None:
            continue
        for kind in ["leak", "twin"]:
            code, output, errors = run([tool, "leaks", f"{kind}/*", "--json"])
            try:
                scenarios = json.loads(output)["scenarios"]
            except ValueError:
                add("leaks", build, linked, "command line", kind == "leak", "all", "no answer", errors)
                continue
            outcomes = {scenario["outcome"] for scenario in scenarios}
            expected = 1 if "found" in outcomes else 4 if outcomes & {"not judged", "inconclusive"} else 0
            for scenario in scenarios:
                groups = [group for group in scenario["groups"] if group.get("verdict", {}).get("verdict") == "growing"]
                sentence = groups[0].get("retention", {}).get("headline", "") if groups else ""
                if scenario["outcome"] == "not judged":
                    sentence = "; ".join(gap["reason"] for gap in scenario["unavailable"])
                if scenario["outcome"] == "failed":
                    sentence = scenario["failure"]
                add("leaks", build, linked, "command line", kind == "leak", scenario["name"].split("/")[1],
                    scenario["outcome"] if code == expected else f"exit code {code}", sentence)


def races(build):
    tool = built("Stranger", "debug", True)
    command = [tool, "races", "--json", "--time", "20"] + (["--debug"] if build == "debug" else [])
    code, output, errors = run(command, seconds=1800)
    try:
        records = json.loads(output)["races"]
    except ValueError:
        return add("races", build, "RxBenchRaces", "command line", True, "all", "no answer", errors)
    verdicts = []
    for record in records:
        finding, refusal = record.get("finding"), record.get("refusal")
        verdict = (
            "found" if finding else "not judged" if refusal else "inconclusive" if record.get("unfinished")
            else "clean")
        verdicts.append(verdict)
        kind, name = record["id"].split("/")[:2]
        sentence = finding["sentence"] if finding else json.dumps(refusal) if refusal else ""
        add("races", build, "RxBenchRaces", "command line", kind == "leak", name, verdict, sentence)
    expected = 1 if "found" in verdicts else 4 if {"not judged", "inconclusive"} & set(verdicts) else 0
    if code != expected:
        add("races", build, "RxBenchRaces", "command line", True, "exit code", f"exit code {code}", errors)


VERDICTS = {0: "clean", 1: "found", 4: "not judged"}


def compare(build):
    for jemalloc in [True, False]:
        tool = built("Stranger", build, jemalloc)
        if tool is None:
            continue
        for plant in ["1", "0"]:
            with tempfile.TemporaryDirectory() as folder:
                for value in ["0", plant]:
                    run([tool, "run", "work/allocate", "--exact-only", "--output", folder], STRANGER_PLANT=value)
                code, output, errors = run([tool, "compare", "previous", "latest", "--gate", "--output", folder])
            lines = (output + errors).strip().splitlines()
            add("compare --gate", build, "RxBench" + (", jemalloc" if jemalloc else ""), "command line", plant == "1",
                "an allocation", VERDICTS.get(code, f"exit code {code}"), lines[-1] if lines else "")


for build in builds:
    for tool in tools:
        {"tests": tests, "leaks": leaks, "races": races, "compare": compare}[tool](build)

titles = ("tool", "build", "linked", "framework", "kind", "subject", "verdict")
widths = [max(len(row[column]) for row in rows + [titles]) for column in range(7)]
cells = lambda row: "  ".join(row[column].ljust(widths[column]) for column in range(7))
print(cells(titles) + "  right  what it says")
for row in rows:
    sentence = row[8] if len(row[8]) <= 150 else row[8][:149] + "…"
    print(f"{cells(row)}  {'yes' if row[7] else 'NO':5}  {sentence}".rstrip())
wrong = [row for row in rows if not row[7]]
unseen = [row for row in wrong if row[4] == "planted" and row[6] == "clean"]
accused = [row for row in wrong if row[4] == "clean" and row[6] == "found"]
counts = {verdict: sum(row[6] == verdict for row in rows) for verdict in sorted({row[6] for row in rows})}
print()
print(f"{len(rows)} rows: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()) + ".")
print(f"{len(wrong)} wrong: {len(unseen)} green without having looked, {len(accused)} innocent and accused.")
sys.exit(1 if wrong else 0)

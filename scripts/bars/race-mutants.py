# For 'scripts/bars/race-mutants': 'plant COPY' writes this package with all mutants into a folder. 'search TOOL IMAGE
# …' searches races for the mutants one by one and prints a table.
import json
import os
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).parent

# The number of the selected mutant. It is declared constant, so that the compiler does not instrument its reads.
HEADER = "#pragma once\nextern const unsigned rx_mutant;\n"
SOURCE = """#include <stdlib.h>
unsigned rx_mutant;
__attribute__((constructor)) static void choose(void) {
    const char *chosen = getenv("RX_MUTANT");
    if (chosen != NULL) rx_mutant = (unsigned)atoi(chosen);
}
"""
LOCKS = """import CRx

extension {lock} {{
    @inlinable @inline(__always)
    func withLock<Result>(unless isMutant: Bool, _ body: () -> Result) -> Result {{
        isMutant ? body() : withLock(body)
    }}
}}
"""


def mutants():
    """The mutants of the list as dictionaries. Their 'hunks' are pairs of lines before and after the change."""
    found = []
    for line in (HERE / "race-mutants.list").read_text().splitlines():
        if line.startswith("#") or not line:
            continue
        if line[0] in "-+":
            hunks = found[-1]["hunks"]
            if line[0] == "-" and (not hunks or hunks[-1][1]):
                hunks.append(([], []))
            hunks[-1]["-+".index(line[0])].append(line[1:])
        else:
            key, value = line.split(": ", 1)
            if key == "mutant":
                found.append({"number": len(found) + 1, "hunks": [], "missed": "", "bound": ""})
            found[-1][key] = value
    return found


def write(path, data):
    """Writes the file only if its content differs, because a file with an unchanged date is not compiled again."""
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def plant(copy):
    tracked = subprocess.run(["git", "ls-files", "-z"], check=True, capture_output=True).stdout.decode().split("\0")
    files = {name: pathlib.Path(name).read_bytes() for name in tracked if name and os.path.isfile(name)}
    edits = {}
    for mutant in mutants():
        name = "Sources/Rx/" + mutant["file"]
        text = files[name].decode()
        for old, new in mutant["hunks"]:
            old, new = "\n".join(old), "\n".join(new)
            if text.count(old) != 1:
                sys.exit(f"'{mutant['mutant']}' does not fit: its lines stand {text.count(old)} times in '{name}'.")
            new = new.replace("MUTANT", f"(rx_mutant == {mutant['number']})")
            edits.setdefault(name, []).append((text.index(old), len(old), new, mutant["mutant"]))
    for name, changes in edits.items():
        text = files[name].decode()
        changes.sort(reverse=True)
        for (start, _, _, second), (before, length, _, first) in zip(changes, changes[1:]):
            if before + length > start:
                sys.exit(f"'{first}' and '{second}' change the same lines of '{name}'.")
        for start, length, new, _ in changes:
            text = text[:start] + new + text[start + length:]
        files[name] = (text if "import CRx\n" in text else "import CRx\n" + text).encode()
    files["Sources/CRx/include/CMutant.h"] = HEADER.encode()
    files["Sources/CRx/include/CRx.h"] += b'#include "CMutant.h"\n'
    files["Sources/CRx/mutant.c"] = SOURCE.encode()
    for lock in ["OwnerLock", "BiasedLock"]:
        files[f"Sources/Rx/Kernel/Sync/{lock}+Mutants.swift"] = LOCKS.format(lock=lock).encode()
    for path in sorted(copy.rglob("*")) if copy.exists() else []:
        relative = str(path.relative_to(copy))
        if path.is_file() and not relative.startswith(".build/") and relative not in files and relative != "races":
            path.unlink()
    for name, data in files.items():
        write(copy / name, data)


def search(tool, image, number, filters, seconds, bound=2):
    """The records of the races that 'filters' select, and the duration of the search."""
    begin = time.monotonic()
    command = [tool, "races", "--image", image, "--json", "--time", str(seconds), "--bound", str(bound)] + filters
    done = subprocess.run(command, capture_output=True, env={**os.environ, "RX_MUTANT": str(number)})
    # A process that ended without a reply has no record.
    if not done.stdout:
        sys.exit(f"'{' '.join(command)}' ended with {done.returncode}: {done.stderr.decode()[-2000:]}")
    return json.loads(done.stdout)["races"], time.monotonic() - begin


def findings(records):
    return [record for record in records if record.get("finding")]


def exhausted(record):
    return sum(stage["executions"] for stage in record["stages"])


def judge(mutant, tool, image, seconds):
    """The finding that detected a mutant, as the columns of its line."""
    searches = [(mutant["races"].split(), seconds, 2), ([], 5 * seconds, 2)]
    # Does not search all races with this bound: a third preemption creates thirty times the number of schedules.
    if mutant["bound"]:
        searches = [(mutant["races"].split(), 5 * seconds, mutant["bound"])]
    for filters, span, bound in searches:
        records, elapsed = search(tool, image, mutant["number"], filters, span, bound)
        found = findings(records)
        if found:
            # The finding with the fewest preemptions, and of these the finding after the fewest schedules.
            best = min(found, key=lambda one: (one["finding"]["preemptions"], one["finding"]["executions"]))
            finding = best["finding"]
            spent = sum(stage["seconds"] for stage in best["stages"])
            return [
                mutant["mutant"], finding["kind"], best["id"], finding["stage"], str(finding["preemptions"]),
                str(finding["executions"]), f"{spent:.2f}", f"{len(found)} of {len(records)}",
            ]
    schedules = sum(map(exhausted, records))
    return [mutant["mutant"], "missed", "", "", "", str(schedules), f"{elapsed:.0f}", f"0 of {len(records)}"]


def table(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    right = {4, 5, 6, 7}
    lines = []
    for row in rows:
        cells = [cell.rjust(width) if i in right else cell.ljust(width)
                 for i, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    return lines


def options(words):
    chosen = {"only": [], "seconds": 20.0, "clean": False}
    words = list(words)
    while words:
        word = words.pop(0)
        if word == "--clean":
            chosen["clean"] = True
        elif word == "--only" and words:
            chosen["only"].append(words.pop(0))
        elif word == "--time" and words:
            chosen["seconds"] = float(words.pop(0))
        else:
            print(f"'{word}' is none of --only PART, --time SECONDS, --clean.", file=sys.stderr)
            sys.exit(64)
    return chosen


def run(tool, image, words):
    chosen = options(words)
    selected = [
        one for one in mutants()
        if not chosen["clean"] and (not chosen["only"] or any(part in one["mutant"] for part in chosen["only"]))
    ]
    begin = time.monotonic()
    records, _ = search(tool, image, 0, [], 8 * chosen["seconds"])
    failed = findings(records)
    lines = [
        f"Clean twin: {len(failed)} of {len(records)} races fail in {sum(map(exhausted, records))} schedules."
    ] + [f"  {one['id']}: {one['finding']['kind']}. {one['finding']['sentence']}" for one in failed]
    print("\n".join(lines), file=sys.stderr)
    rows = []
    for mutant in selected:
        rows.append(judge(mutant, tool, image, chosen["seconds"]))
        print(f"{len(rows)} of {len(selected)}  {' | '.join(rows[-1])}", file=sys.stderr)
    missed = [one for one, row in zip(selected, rows) if row[1] == "missed"]
    if rows:
        heads = ["mutant", "found", "race", "stage", "preemptions", "schedules", "seconds", "races that fail"]
        faults = [f"{one['mutant']}: {one['fault']}." for one in selected]
        reasons = [f"{one['mutant']}: {one['missed'] or 'not explained'}." for one in missed]
        share = 100 * (len(rows) - len(missed)) / len(rows)
        lines = (
            table([heads] + rows) + ["", "The faults:"] + faults + ([""] + ["Why missed:"] + reasons if reasons else [])
            + [""] + lines
            + [f"{len(rows) - len(missed)} of {len(rows)} mutants found ({share:.0f} %) in "
               f"{(time.monotonic() - begin) / 60:.0f} min on {os.cpu_count()} cores."]
        )
    out = os.environ.get("OUT") or ("" if chosen["only"] or chosen["clean"] else "results/bars/race-mutants.txt")
    if out:
        pathlib.Path(out).write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    unexplained = [one for one in missed if not one["missed"]]
    sys.exit(1 if failed or unexplained or len(missed) * 10 > len(rows) else 0)


if sys.argv[1] == "plant":
    plant(pathlib.Path(sys.argv[2]))
else:
    run(sys.argv[2], sys.argv[3], sys.argv[4:])

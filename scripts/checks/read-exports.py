"""Reads the exports of one result with tools that others wrote, and compares what they read with the result.

Called by scripts/checks/validate-exports: read-exports.py FOLDER RESULT COMPARE.PY. Prints one line for each format;
ends with 1 if one is wrong.
"""

import copy
import csv
import json
import math
import os
import re
import subprocess
import sys

folder, result_path, compare_script = sys.argv[1:]
with open(result_path) as file:
    result = json.load(file)
MEASURED = [b for b in result["benchmarks"] if "failure" not in b]


def path(name):
    return os.path.join(folder, name)


def metric(benchmark, name):
    return next(m for m in benchmark["metrics"] if m["name"] == name)


def available(benchmark):
    return [m for m in benchmark["metrics"] if m["value"] is not None]


def same(a, b):
    assert math.isclose(float(a), float(b), rel_tol=1e-12, abs_tol=0), f"{a} is not {b}"


def benchstat():
    times, allocations = {}, {}
    with open(path("benchstat")) as file:
        for line in file:
            if not line.startswith("Benchmark"):
                continue
            # As x/perf's benchfmt reads a line: words, an integer, pairs.
            words = line.split()
            assert re.fullmatch(r"Benchmark[^a-z\s]\S*-\d+", words[0]), words[0]
            assert int(words[1]) > 0 and len(words) % 2 == 0, line
            pairs = {unit: float(value) for value, unit in zip(words[2::2], words[3::2])}
            times.setdefault(words[0], []).append(pairs["ns/op"])
            if "allocs/op" in pairs:
                allocations.setdefault(words[0], set()).add(pairs["allocs/op"])
    assert len(times) == len(MEASURED)
    for (name, values), benchmark in zip(times.items(), MEASURED):
        assert values == metric(benchmark, "time")["values"], name
        count = metric(benchmark, "allocations")
        if count["value"] is not None and count["isStable"]:
            assert allocations[name] == {count["value"] / benchmark["operations"]}, name
    lines = sum(map(len, times.values()))
    return (f"{lines} lines of {len(times)} benchmarks (own reading of the Go benchmark format: benchstat is in "
            "neither Debian's nor PyPI's archive)")


def google_benchmark():
    document = json.load(open(path("google-benchmark")))
    processes = [b for b in document["benchmarks"] if b["run_type"] == "iteration"]
    assert len(processes) == sum(len(metric(b, "time")["values"]) for b in MEASURED)
    if not os.path.exists(compare_script):
        return f"{len(processes)} entries (Python's json; compare.py is not there)"
    # A second result: twice the time throughout, and the first benchmark failed.
    slower = copy.deepcopy(document)
    for entry in slower["benchmarks"]:
        for key in ("real_time", "cpu_time"):
            entry[key] *= 2
    failed = MEASURED[0]["id"]
    slower["benchmarks"] = [b for b in slower["benchmarks"] if b["run_name"] != failed]
    json.dump(slower, open(path("slower.json"), "w"))
    dumped = path("compared.json")
    command = [
        sys.executable, compare_script, "--no-color", "--dump_to_json", dumped, "benchmarks", path("google-benchmark"),
        path("slower.json"),
    ]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-500:]
    rows = {row["name"]: row for row in json.load(open(dumped))}
    assert failed not in rows
    for benchmark in MEASURED[1:]:
        row = rows[benchmark["id"]]
        assert len(row["measurements"]) == len(metric(benchmark, "time")["values"])
        for measurement, value in zip(row["measurements"], metric(benchmark, "time")["values"]):
            same(measurement["real_time"], value)
            same(measurement["time"], 1)
        same(rows[benchmark["id"] + "_median"]["measurements"][0]["real_time"], metric(benchmark, "time")["value"])
    return (f"{len(processes)} entries; compare.py of libbenchmark-tools read {len(rows)} names and saw a planted "
            "+100 % in every one")


def csv_table():
    with open(path("csv"), newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    values = {(row["benchmark"], row["metric"]): row for row in rows}
    for benchmark in MEASURED:
        for m in benchmark["metrics"]:
            row = values[benchmark["id"], m["name"]]
            assert row["value"] == "" if m["value"] is None else float(row["value"]) == m["value"]
            assert row["note"] == ("unavailable: " + m["unavailable"] if m["value"] is None else "")
            assert row["unit"] == m["unit"] and None not in row
    return f"{len(rows)} rows (Python's csv, strict)"


failures = 0
for name, read in [("benchstat", benchstat), ("google-benchmark", google_benchmark), ("csv", csv_table)]:
    try:
        print(f"{name:<17} ok     {read()}")
    except Exception as error:
        failures += 1
        print(f"{name:<17} WRONG  {type(error).__name__}: {error}")
sys.exit(1 if failures else 0)

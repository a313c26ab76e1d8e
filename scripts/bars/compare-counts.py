"""Prints which counts were identical in all runs, for scripts/bars/exact: compare-counts.py FOLDER RUNS."""

import json, sys
folder, runs = sys.argv[1], int(sys.argv[2])
for name in ("operators", "plain"):
    files = [json.load(open(f"{folder}/{name}-{run}.json")) for run in range(1, runs + 1)]
    readings = {metric["name"]: metric["readings"] for metric in files[0]["metrics"]}
    for benchmarks in zip(*(file["benchmarks"] for file in files)):
        for metric in ("allocations", "allocatedBytes", "instructions"):
            figures = [benchmark["figures"][metric] for benchmark in benchmarks]
            # A plain number is the value of all iterations.
            series = [f["values"] if isinstance(f, dict) else [f] * readings[metric] for f in figures]
            distinct = {tuple(values) for values in series}
            verdict = "identical" if len(distinct) == 1 else "DIFFERENT"
            print(f"{verdict} over {runs} runs  {benchmarks[0]['id']} {metric} {min(distinct)[0]:.0f}")

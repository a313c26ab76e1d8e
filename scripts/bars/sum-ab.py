"""Adds up the verdicts of runs of 'rxbench ab', for scripts/bars/ab: sum-ab.py FOLDER KIND PERCENT SECONDS [OUT]."""

import glob, json, sys

work, kind, percent, seconds, out = sys.argv[1:]
truth, seconds = 1 + float(percent) / 100, float(seconds)
counts, held, intervals, controls, spent, seeds = {}, 0, 0, {}, [], []
codes, open_at_end, differing = {}, {}, {}
for path in sorted(glob.glob(f"{work}/*.json")):
    run = json.load(open(path))
    seeds.append(run["seed"])
    spent.append(run["measurements"]["seconds"])
    code = open(path.removesuffix("json") + "code").read().strip()
    codes[code] = codes.get(code, 0) + 1
    for result in run["measurements"]["results"]:
        verdict = result.get("verdict") or "failed"
        counts[verdict] = counts.get(verdict, 0) + 1
        if result.get("bound", "within") != "within":
            name = f"{result['id']} {result['quantity']}"
            open_at_end[name] = open_at_end.get(name, 0) + 1
        for count in result["exact"]:
            if count.get("difference") in ("more", "fewer"):
                name = f"{result['id']} {count['name']}"
                differing[name] = differing.get(name, 0) + 1
        if result.get("interval"):
            intervals += 1
            held += result["interval"]["low"] <= truth <= result["interval"]["high"]
    for result in run["measurements"]["controls"]:
        verdict = result.get("verdict") or "failed"
        controls[verdict] = controls.get(verdict, 0) + 1
total = sum(counts.values())
changed = counts.get("worse", 0) + counts.get("better", 0)
summary = {
    "kind": kind, "plantedPercent": round((truth - 1) * 100, 3), "secondsEach": seconds, "runs": len(seeds),
    "comparisons": total, "verdicts": counts, "controls": controls, "intervalsWithTruth": held, "intervals": intervals,
    "measuredSeconds": round(sum(spent), 1), "mostSeconds": round(max(spent), 1), "exitCodes": codes,
    "seeds": [min(seeds), max(seeds)], "countsCalledDifferent": differing,
}
if kind == "within":
    # The tool chose the duration of each run.
    del summary["secondsEach"]
    summary["boundPercent"] = round(run["measurements"]["noSlowerThan"] * 100, 3)
    summary["notWithin"] = open_at_end
if kind == "planted":
    summary["seenPercent"] = round(100 * counts.get("worse", 0) / total, 2)
else:
    summary["calledChangedPercent"] = round(100 * changed / total, 3)
summary["coveragePercent"] = round(100 * held / intervals, 2) if intervals else None
print(json.dumps(summary, sort_keys=True))
if out:
    open(out, "w").write(json.dumps(summary, sort_keys=True, indent=2) + "\n")

"""Makes what scripts/checks/check-report shows, a history of results and what a search for leaks wrote:
make-report-inputs.py RESULT FOLDER."""

import json, os, random, sys
path, folder = sys.argv[1:]
random.seed(1)
text = open(path).read()
machine = json.loads(text)["environment"]["machine"]
os.makedirs(f"{folder}/results/{machine}")
for index in range(20):
    result = json.loads(text)
    stamp = f"2026-01-{index + 1:02d}T00:00:00Z"
    sha = f"{index:02d}" * 20
    result["run"]["date"], result["control"]["value"] = stamp, 1
    result["commit"] = {"value": {"isDirty": False, "sha": sha}}
    for number, benchmark in enumerate(result["benchmarks"]):
        for metric in benchmark["metrics"]:
            if metric["value"] is None: continue
            if metric["name"] in ("time", "ratioToBaseline"): metric["value"] *= random.gauss(1, 0.01)
            if metric["name"] == "time" and number == 2 and index >= 12: metric["value"] *= 1.2
            if metric["name"] == "allocations" and number == 4 and index >= 5: metric["value"] += 1
    name = f"{stamp.replace('-', '').replace(':', '')}-{sha[:12]}.json"
    json.dump(result, open(f"{folder}/results/{machine}/{name}", "w"), separators=(",", ":"))
    json.dump(result, open(f"{folder}/newest.json", "w"))
names = [benchmark["id"] for benchmark in result["benchmarks"]][:2]
growing = {
    "subject": "map (sink)", "metric": {"counts": "resources", "kind": "sink", "name": "map"}, "companions": [],
    "unit": "count",
    "verdict": {"verdict": "growing", "perRun": 1, "low": 1, "high": 1}, "counts": [1, 2, 3],
    "signature": "0123456789ab",
}
steady = dict(growing, verdict={"verdict": "clean"}, counts=[0, 0, 0])


def record(name, outcome, groups):
    return {"name": name, "outcome": outcome, "runs": 3, "groups": groups, "unavailable": []}


scenarios = [record(names[0], "leaking", [growing]), record(names[1], "clean", [steady])]
json.dump({"schemaVersion": 1, "scenarios": scenarios, "staleAllowances": []}, open(f"{folder}/leaks.json", "w"))

"""Makes two results of many benchmarks that differ in two counts, for scripts/bars/size:
make-large-results.py TEMPLATE FOLDER COUNT."""

import copy, json, sys
template, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
result = json.load(open(template))
originals = [b for b in result["benchmarks"] if "failure" not in b and b["metrics"]]
result["benchmarks"] = []
for number in range(count):
    benchmark = copy.deepcopy(originals[number % len(originals)])
    benchmark["id"] = f"copy-{number}/{benchmark['id']}"
    result["benchmarks"].append(benchmark)
json.dump(result, open(f"{folder}/before.json", "w"), separators=(",", ":"))
changed = [
    metric for b in result["benchmarks"] for metric in b["metrics"]
    if metric["name"] == "allocations" and metric.get("isStable")
]
for metric in (changed[3], changed[-3]):
    metric["value"] += 1
    metric["values"] = [value + 1 for value in metric["values"]]
json.dump(result, open(f"{folder}/after.json", "w"), separators=(",", ":"))

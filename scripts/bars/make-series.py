"""Makes a series of results with two planted changes, for scripts/bars/trend:
make-series.py TEMPLATE FOLDER COUNT."""

import json, os, random, re, sys

template, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
print("seed 1")
random.seed(1)
result = json.load(open(template))
machine = result["environment"]["machine"]
result["run"]["date"], result["commit"] = "@date@", {"value": {"isDirty": False, "sha": "@sha@"}}
figures = []
for number, benchmark in enumerate(result["benchmarks"]):
    for metric in benchmark["metrics"]:
        if metric["name"] in ("time", "ratioToBaseline") or (metric["name"] == "allocations" and number == 1):
            figures.append((number, metric["name"], metric["value"]))
            metric["value"] = f"@{len(figures) - 1}@"
# Numbers and marks alternate, so that the samples are written out once only.
parts = re.split(r'"@(\d+|date|sha)@"', json.dumps(result, separators=(",", ":"), sort_keys=True))
os.makedirs(f"{folder}/{machine}")
for index in range(count):
    day, second = divmod(index, 100)
    stamp = f"2026-{1 + day // 28:02d}-{1 + day % 28:02d}T00:{second // 60:02d}:{second % 60:02d}Z"
    sha = f"{random.getrandbits(160):040x}"
    text = list(parts)
    for place in range(1, len(parts), 2):
        if parts[place] == "date":
            text[place] = f'"{stamp}"'
        elif parts[place] == "sha":
            text[place] = f'"{sha}"'
        else:
            number, name, value = figures[int(parts[place])]
            if name == "allocations":
                text[place] = str(int(value) + (index >= count * 3 // 5))
            else:
                changed = 1.05 if number == 0 and name == "time" and index >= count * 2 // 5 else 1
                text[place] = str(value * changed * random.gauss(1, 0.01))
    with open(f"{folder}/{machine}/{re.sub('[-:]', '', stamp)}-{sha[:12]}.json", "w") as file:
        file.write("".join(text))

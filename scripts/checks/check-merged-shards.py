"""Checks that a merged result contains every benchmark once, for scripts/checks/check-slurm:
check-merged-shards.py MERGED LISTED."""

import json, sys
merged, listed = (json.load(open(path)) for path in sys.argv[1:])
measured = [benchmark["id"] for benchmark in merged["benchmarks"]]
assert measured == [benchmark["id"] for benchmark in listed], f"{measured} is not what the suite has"
shards = [part["shard"]["index"] for part in merged["run"]["parts"]]
assert sorted(shards) == [1, 2, 3, 4], shards
print(f"Slurm measured {len(measured)} benchmarks in {len(shards)} shards; merged, each is there once.")

"""Reads the answers of 'rxbench ab' for scripts/bars/planted: says whether each is right, and tabulates all of them."""
import json, sys

TIMES = {"slower", "faster", "same", "inconclusive"}
# The verdicts on a time, by the tool's own word.
WORDS = {"worse": "slower", "better": "faster"}
NOUNS = {"allocatedBytes": "bytes", "liveResources": "live resources"}

def tokens(result):
    """What the comparison says of one benchmark, in words; the verdict on the time first."""
    quantity = {"latencyP50": "p50 ", "latencyP99": "p99 "}.get(result.get("quantity"), "")
    verdict = result.get("verdict")
    said = [quantity + WORDS.get(verdict, verdict)] if verdict else []
    if result.get("isLayoutSuspect"): said.append("layout-suspect")
    if result.get("levels"): said.append("levels")
    if result.get("isMissingInBase"): said.append("not in base")
    if result.get("isMissingInHead"): said.append("not in head")
    for count in result.get("exact", []):
        name, difference = count["name"], count.get("difference")
        if name in ("deallocations", "instructions") or difference not in ("more", "fewer"): continue
        if name == "netAllocations":
            said.append("left behind" if difference == "more" else "less left behind")
        else:
            said.append(f"{difference} {NOUNS.get(name, name)}")
    if result.get("failure"): said.append(f"failed: {result['failure']}")
    return said

def matches(expected, seen):
    return seen == expected or expected.startswith("failed: ") and seen.startswith("failed: ") and expected[8:] in seen

def is_right(expected, seen):
    wanted = [] if expected == "silent" else expected.split(", ")
    # A count or a failure may go with any time; silence goes with none that has changed.
    is_timed = any(word.split()[-1] in TIMES for word in wanted)
    # A change may take other times in other processes.
    free = {"levels"} if is_timed else {"same", "inconclusive"} if expected == "silent" else TIMES | {"levels"}
    is_complete = bool(seen) and all(any(matches(w, s) for s in seen) for w in wanted)
    return is_complete and all(s.split()[-1] in free or any(matches(w, s) for w in wanted) for s in seen)

def judge(folder, name, side, seed, expected, wanted_code, code, final):
    record = {"name": name, "side": side, "seed": int(seed), "expected": expected}
    record |= {"exit": int(wanted_code), "code": int(code), "sizes": []}
    try:
        measured = json.load(open(f"{folder}/result.json"))["measurements"]
        record["seen"] = []
        for result in measured["results"]:
            said = tokens(result)
            if result["id"] == f"planted/{name}":
                record["seen"] += [word for word in said if word not in record["seen"]]
                record["sizes"] += [result["ratio"]] if result.get("ratio") else []
            else:
                record["seen"] += [f"{result['id']}: {word}" for word in said if word not in ("same", "inconclusive")]
        differs = any(control.get("verdict") in WORDS for control in measured["controls"])
    except (ValueError, KeyError):
        record["seen"], differs = [(open(f"{folder}/result.log").read().strip() or "nothing").split("\n")[-1]], False
    record["right"] = is_right(expected, record["seen"]) and record["code"] == record["exit"]
    record["again"] = differs and final == "0"
    with open(f"{folder}/records", "a") as file:
        file.write(json.dumps(record) + "\n")
    mark = " · the control differs, again" if record["again"] else "" if record["right"] else " · WRONG"
    print(words(record) + mark, file=sys.stderr)
    return 75 if record["again"] else 0

def size(record):
    return " and ".join(f"{(ratio - 1) * 100:+.2f} %" for ratio in record["sizes"]).replace("-", "−")

def short(text):
    """The beginning of a sentence that is long."""
    return text if len(text) < 90 else text[:88] + "…"

def words(record):
    return said(record) + (f" ({size(record)})" if record["sizes"] else "")

def said(record):
    return ", ".join([short(token) for token in record["seen"]] + [f"exit {record['code']}"])

def table(folder, title, out):
    everything = [json.loads(line) for line in open(f"{folder}/records")]
    records = [record for record in everything if not record["again"]]
    groups = {}
    for record in records:
        groups.setdefault((record["name"], record["side"]), []).append(record)
    rows = [("plant", "benchmark", "expected", "seen", "right")]
    for (name, side), group in groups.items():
        different = {said(record) for record in group}
        sizes = ", ".join(size(record) for record in group if record["sizes"])
        together = different.pop() + (f": {sizes}" if sizes else "")
        seen = " | ".join(words(record) for record in group) if different else together
        right = sum(record["right"] for record in group)
        first = (name, f"planted/{name}") if side == "planted" else ("  its twin", "")
        rows.append(first + (f"{group[0]['expected']}, exit {group[0]['exit']}", seen, f"{right} of {len(group)}"))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    def total(side):
        of_side = [record for record in records if record["side"] == side]
        return f"{sum(record['right'] for record in of_side)} of {len(of_side)}"
    lines += [
        "", title, f"Planted changes told right: {total('planted')}. Clean twins told right: {total('twin')}. "
        f"Made again, as the control differed from itself: {len(everything) - len(records)}."]
    text = "\n".join(lines) + "\n\n" + open(f"{folder}/legend").read()
    print(text, end="")
    if out:
        open(out, "w").write(text)
    return 0 if all(record["right"] for record in records) else 1

sys.exit(table(*sys.argv[2:]) if sys.argv[1] == "table" else judge(*sys.argv[2:]))

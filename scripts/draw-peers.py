"""Presents a stored result of Benchmarks/Peers, for scripts/peers:
draw-peers.py RESULT FOLDER [--check].

Prints the ratios and draws them into FOLDER/peers-light.svg and FOLDER/peers-dark.svg. With '--check' it draws nothing,
and fails if a picture does not match the result.
"""

import json
import math
import pathlib
import sys

OURS = "rx"
NAMES = {
    "open-combine": "OpenCombine", "async-sequence": "AsyncSequence", "hand-loop": "by hand", "rx-swift": "RxSwift",
}
# The loop shows the limit and is not another library.
LIMIT = "hand-loop"
THEMES = {
    "light": dict(
        text="#1f2328", soft="#59636e", grid="#d1d9e0", one="#1f2328",
        legs={"open-combine": "#0969da", "async-sequence": "#bc4c00", "hand-loop": "#6e7781", "rx-swift": "#8250df"}),
    "dark": dict(
        text="#f0f6fc", soft="#9198a1", grid="#3d444d", one="#f0f6fc",
        legs={"open-combine": "#4493f8", "async-sequence": "#f0883e", "hand-loop": "#8b949e", "rx-swift": "#ab7df8"}),
}
LABELS, WIDTH, ROW, TOP, MARGIN = 250, 860, 22, 92, 20


def read(path):
    """The result; the nanoseconds of Rx by workload; the ratio of each other leg by workload, as (low, ratio, high) or
    a reason; and the legs."""
    result = json.loads(pathlib.Path(path).read_text())
    ours, ratios, legs = {}, {}, []
    for benchmark in result["benchmarks"]:
        leg, family = benchmark["id"].split("/", 1)
        name = "time" if leg == OURS else "ratioToBaseline"
        reason = next((metric.get("unavailable") for metric in result["metrics"] if metric["name"] == name), None)
        figure = benchmark["figures"].get(name)
        figure = figures(figure) if figure is not None else benchmark.get("failure") or reason or "not measured"
        if leg == OURS:
            ours[family] = figure
        else:
            ratios[family, leg] = figure
            if leg not in legs:
                legs.append(leg)
    return result, ours, ratios, legs


def figures(figure):
    if not isinstance(figure, dict):
        return figure, figure, figure
    if "unavailable" in figure:
        return figure["unavailable"]
    interval = figure.get("interval") or {"low": figure["value"], "high": figure["value"]}
    return interval["low"], figure["value"], interval["high"]


def geometric_mean(figures):
    """The mean of the ratios, with the means of all lower ends and of all upper ends. This interval is too wide rather
    than too narrow."""
    return tuple(math.exp(sum(math.log(f[i]) for f in figures) / len(figures)) for i in range(3))


def digits(value):
    """Formats a number with three significant digits."""
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}" if value < 1000 else f"{value:,.0f}"


def shown(figure):
    if figure is None:
        return "–"
    if isinstance(figure, str):
        return "failed"
    low, value, high = figure
    return f"{digits(value)} [{digits(low)} {digits(high)}]"


def nanoseconds(figure):
    return "failed" if isinstance(figure, str) else f"{digits(figure[1])} ns"


def table(ours, ratios, legs):
    rows = [["workload", "Rx, an operation"] + [NAMES[leg] + " × Rx" for leg in legs]]
    rows += [[f, nanoseconds(ours[f])] + [shown(ratios.get((f, leg))) for leg in legs] for f in ours]
    means = {leg: [f for (_, l), f in ratios.items() if l == leg and not isinstance(f, str)] for leg in legs}
    rows.append(["geometric mean", ""] + [shown(geometric_mean(means[l])) if means[l] else "–" for l in legs])
    rows.append(["workloads", str(len(ours))] + [str(len(means[leg])) for leg in legs])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        first, *others = (cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths)))
        print("  ".join([first, *others]))


def verdict(ours, ratios):
    reasons = {f"{OURS}/{f}": figure for f, figure in ours.items() if isinstance(figure, str)}
    reasons |= {f"{leg}/{f}": figure for (f, leg), figure in ratios.items() if isinstance(figure, str)}
    print("\nA ratio is a leg's time as a multiple of that of Rx, with its interval; – where a leg has no counterpart.")
    for name, reason in reasons.items():
        print(f"{name} failed: {reason}")
    others = {key: figure for key, figure in ratios.items() if key[1] != LIMIT and not isinstance(figure, str)}
    behind = [f"{NAMES[leg]} in {f}" for (f, leg), figure in others.items() if figure[2] < 1]
    open_ = [f"{NAMES[leg]} in {f}" for (f, leg), figure in others.items() if figure[0] <= 1 <= figure[2]]
    if open_:
        print("Level with a library: " + ", ".join(open_) + ".")
    print("Behind a library: " + ", ".join(behind) + "." if behind else "Rx is behind no library in any workload.")


def picture(result, ours, ratios, legs, theme):
    colours = THEMES[theme]
    values = [f for f in ratios.values() if not isinstance(f, str)]
    low = math.floor(min(math.log10(f[0]) for f in values))
    high = math.ceil(max(math.log10(f[2]) for f in values))
    height = TOP + ROW * len(ours) + 56

    def x(value):
        return LABELS + (WIDTH - LABELS - MARGIN) * (math.log10(value) - low) / (high - low)

    def text(at, y, words, colour="text", anchor="start", size=12, weight="normal"):
        return (
            f'<text x="{at:.1f}" y="{y:.1f}" fill="{colours[colour]}" font-size="{size}" font-weight="{weight}" '
            f'text-anchor="{anchor}">{words}</text>')

    bottom = TOP + ROW * len(ours)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'font-family="system-ui, sans-serif" role="img">',
        "<title>The time of other libraries and of hand-written code as a multiple of that of Rx</title>",
        text(MARGIN, 26, "Time as a multiple of that of Rx, by workload", size=15, weight="bold"),
    ]
    at = MARGIN
    for leg in legs:
        figures_ = [f for (_, l), f in ratios.items() if l == leg and not isinstance(f, str)]
        mean = f", mean {digits(geometric_mean(figures_)[1])} ×" if figures_ else ""
        words = NAMES[leg] + mean
        lines.append(f'<circle cx="{at + 5}" cy="50" r="5" fill="{colours["legs"][leg]}"/>')
        lines.append(text(at + 16, 54, words))
        at += 40 + 7 * len(words)
    for power in range(low, high + 1):
        at, is_one = x(10**power), power == 0
        lines.append(
            f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{TOP - 12}" y2="{bottom}" '
            f'stroke="{colours["one" if is_one else "grid"]}" stroke-width="{1.5 if is_one else 1}"/>')
        label = "Rx" if is_one else f"{10**power:g} ×"
        lines.append(text(at, TOP - 18, label, "text" if is_one else "soft", "middle", 11))
    for index, (family, own) in enumerate(ours.items()):
        y = TOP + ROW * (index + 0.5)
        lines.append(text(MARGIN, y + 4, family.replace("&", "&amp;")))
        for leg in legs:
            figure = ratios.get((family, leg))
            if figure is None or isinstance(figure, str):
                continue
            colour = colours["legs"][leg]
            lines.append(
                f'<line x1="{x(figure[0]):.1f}" x2="{x(figure[2]):.1f}" y1="{y:.1f}" y2="{y:.1f}" stroke="{colour}" '
                'stroke-width="2"/>')
            lines.append(
                f'<circle cx="{x(figure[1]):.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"><title>{NAMES[leg]}, {family}: '
                f"{shown(figure)} × Rx, which takes {nanoseconds(own)}</title></circle>")
    machine = result["environment"]["machine"]
    lines.append(text(
        MARGIN, bottom + 26, "Right of the line: slower than Rx. Logarithmic; a bar is the interval.", "soft"))
    lines.append(text(MARGIN, bottom + 44, f'{result["run"]["date"][:10]}, {machine}', "soft", size=11))
    return "\n".join([*lines, "</svg>", ""])


def main(path, folder, *options):
    result, ours, ratios, legs = read(path)
    stale = []
    for theme in THEMES:
        drawn = picture(result, ours, ratios, legs, theme)
        file = pathlib.Path(folder) / f"peers-{theme}.svg"
        if "--check" not in options:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(drawn)
        elif not file.exists() or file.read_text() != drawn:
            stale.append(str(file))
    if "--check" in options and path not in pathlib.Path("README.md").read_text():
        sys.exit(f"README.md does not name '{path}', which its picture is made from.")
    if stale:
        sys.exit(f"{' and '.join(stale)} are not those of '{path}'. Run 'scripts/peers --stored'.")
    if "--check" not in options:
        table(ours, ratios, legs)
        verdict(ours, ratios)


main(*sys.argv[1:])

"""Draws the modules of a package, for scripts/draw-modules:
swift package dump-package | draw-modules.py SVG [--check].

A module is above the modules that it depends on. Arrows for transitive dependencies are omitted: RxBenchCommands has
no arrow to RxBench, which it already reaches through RxBenchEngine.
"""

import json
import sys

# Modules that are not part of the library: modules of the tests, and modules that extract and compile examples.
HIDDEN = {
    "ExampleExtraction", "ExampleExtractor", "ExampleScenery", "LeakGallery", "PlantedRaces", "RaceFixture",
    "RxBenchFixture", "SearchAsYouType", "SignUp", "WordSearch",
}
HEIGHT, ROW, GAP, MARGIN, LETTER = 30, 96, 22, 24, 7.6


def read(manifest):
    """The dependencies of each module, by name."""
    targets = [t for t in manifest["targets"] if t["type"] not in ("test", "plugin") and t["name"] not in HIDDEN]
    names = {t["name"] for t in targets}
    found = {}
    for target in targets:
        named = [next(iter(d.values()))[0] for d in target["dependencies"]]
        found[target["name"]] = sorted(names.intersection(named))
    return found


def reach(graph, name):
    """All direct and transitive dependencies of a module."""
    seen, waiting = set(), list(graph[name])
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen.add(each)
            waiting += graph[each]
    return seen


def reduced(graph):
    """Returns the graph without transitive arrows."""
    return {
        name: [d for d in needed if not any(d in reach(graph, other) for other in needed if other != d)]
        for name, needed in graph.items()
    }


def layers(graph):
    """Rows of names, the lowest row first. Each module is one row above its highest dependency."""
    level = {}

    def height(name):
        if name not in level:
            level[name] = 1 + max((height(each) for each in graph[name]), default=-1)
        return level[name]

    rows = [[] for _ in range(1 + max(map(height, graph)))]
    for name in sorted(graph):
        rows[level[name]].append(name)
    return rows


def width(name):
    return len(name) * LETTER + 24


def place(rows, graph):
    """The centre of each module. Rows are sorted by the positions of their neighbours, so that few arrows cross."""
    full = max(sum(map(width, row)) + GAP * (len(row) - 1) for row in rows)
    middle = {}

    def spread(row):
        x = MARGIN + (full - sum(map(width, row)) - GAP * (len(row) - 1)) / 2
        for name in row:
            middle[name] = x + width(name) / 2
            x += width(name) + GAP

    for row in rows:
        spread(row)
    users = {name: [other for other in graph if name in graph[other]] for name in graph}
    for turn in range(24):
        for row in rows if turn % 2 == 0 else reversed(rows):
            near = graph if turn % 2 == 0 else users
            row.sort(key=lambda n: (sum(middle[m] for m in near[n]) / len(near[n]) if near[n] else middle[n], n))
            spread(row)
    return middle, full + 2 * MARGIN


STYLE = """
  text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; text-anchor: middle; fill: #1f2328 }
  rect { fill: #f6f8fa; stroke: #57606a } .core { fill: #ddf4ff; stroke: #0969da } .c { fill: #fff8c5 }
  path { fill: none; stroke: #57606a; stroke-width: 1.2 } marker path { fill: #57606a; stroke: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } rect { fill: #161b22; stroke: #8b949e } .core { fill: #0c2d6b; stroke: #58a6ff }
    .c { fill: #3b2e00 } path { stroke: #8b949e } marker path { fill: #8b949e; stroke: none }
  }
""".strip("\n")


def draw(graph):
    arrows = reduced(graph)
    rows = layers(graph)
    middle, wide = place(rows, arrows)
    tall = MARGIN * 2 + ROW * (len(rows) - 1) + HEIGHT
    top = {name: tall - MARGIN - HEIGHT - ROW * level for level, row in enumerate(rows) for name in row}
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {tall}" width="{wide:.0f}" role="img"',
        '    aria-label="The modules of the package; an arrow leads to what a module imports">',
        f"<style>\n{STYLE}\n</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">',
        '  <path d="M0 0 L8 4 L0 8 z"/></marker></defs>',
    ]
    for name in sorted(arrows):
        for needed in arrows[name]:
            x, y, to, end = middle[name], top[name] + HEIGHT, middle[needed], top[needed] - 2
            bend = min((end - y) / 2, ROW / 2)
            lines.append(
                f'<path marker-end="url(#tip)"'
                f' d="M{x:.0f} {y} C{x:.0f} {y + bend:.0f} {to:.0f} {end - bend:.0f} {to:.0f} {end}"/>')
    for name in sorted(graph):
        kind = ' class="core"' if name == "Rx" else ' class="c"' if name[0] == "C" and name[1].isupper() else ""
        left = middle[name] - width(name) / 2
        lines.append(f'<rect{kind} x="{left:.0f}" y="{top[name]}" width="{width(name):.0f}" height="{HEIGHT}" rx="6"/>')
        lines.append(f'<text x="{middle[name]:.0f}" y="{top[name] + 20}">{name}</text>')
    return "\n".join(lines + ["</svg>", ""])


path = sys.argv[1]
picture = draw(read(json.load(sys.stdin)))
if "--check" in sys.argv[2:]:
    if open(path).read() != picture:
        sys.exit(f"'{path}' is not that of Package.swift. Run 'scripts/draw-modules' and commit what it draws.")
else:
    open(path, "w").write(picture)

#!/usr/bin/env python3
"""Wraps the prose of Markdown pages at 120 columns: wrap-pages.py [--check] PAGE…

Refills paragraphs and list items that have a wider line. Leaves tables, headings, code and links' definitions
unchanged. With --check it writes nothing, prints the names of pages that differ, and exits with 1.
"""

import pathlib
import re
import sys
import textwrap

WIDTH = 120
ITEM = re.compile(r"( *)([-*+]|\d+\.) +")
FIXED = re.compile(r" *(\||#|<|```|\[[^]]+\]: )")


def fill(lines):
    """One paragraph or list item, refilled if one of its lines is too wide."""
    if all(len(line) <= WIDTH for line in lines):
        return lines
    item = ITEM.match(lines[0])
    first = item.group() if item else re.match(" *", lines[0]).group()
    text = " ".join(line.strip() for line in [lines[0][len(first):], *lines[1:]])
    filled = textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=" " * len(first), break_long_words=False,
        break_on_hyphens=False)
    # A line must not begin like a list, a heading, a quotation or a table.
    if any(re.match(r" *([-*+>|]|#+|\d+[.)])( |$)", line) for line in filled[1:]):
        return lines
    return filled


def wrapped(text):
    """The text of a page, its prose wrapped."""
    result, block, is_code = [], [], False
    for line in text.split("\n"):
        is_fence = line.lstrip().startswith("```")
        if is_code or is_fence or not line.strip() or FIXED.match(line) or not block and line.startswith("    "):
            result += fill(block) if block else []
            block = []
            result.append(line)
            is_code ^= is_fence
        elif ITEM.match(line) and block:
            result += fill(block)
            block = [line]
        else:
            block.append(line)
    return "\n".join(result + (fill(block) if block else []))


def main():
    is_check = sys.argv[1:2] == ["--check"]
    differing = False
    for path in map(pathlib.Path, sys.argv[2 if is_check else 1:]):
        before = path.read_text(encoding="utf-8")
        after = wrapped(before)
        if before == after:
            continue
        differing = True
        if is_check:
            print(f"{path}: prose that is wider than {WIDTH} columns; scripts/checks/wrap-pages.py wraps it.")
        else:
            path.write_text(after, encoding="utf-8")
    sys.exit(is_check and differing)


main()

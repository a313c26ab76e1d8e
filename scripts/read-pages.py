"""Reads the Markdown pages, for scripts/front-door:
read-pages.py links        fails with each link within the repository that leads nowhere, a heading's anchor included
read-pages.py prose        prints the text without code, links' targets and names of files, for a spelling checker
read-pages.py shell PAGE   prints the lines of the page's 'sh' fences, and of a README's first fence with './rxbench'
"""

import os
import re
import subprocess
import sys


def pages():
    listed = subprocess.run(["git", "ls-files", "*.md"], capture_output=True, text=True, check=True).stdout.split()
    return [page for page in listed if not page.startswith("Tests/")]


def fences(text):
    """Each fence's word and lines."""
    word, lines = None, []
    for line in text.splitlines():
        mark = re.match(r"\s*```(.*)", line)
        if mark and word is None:
            word, lines = mark.group(1).strip(), []
        elif mark:
            yield word, lines
            word = None
        elif word is not None:
            lines.append(line)


def without_fences(text):
    return re.sub(r"^\s*```.*?^\s*```\s*$", "", text, flags=re.M | re.S)


def anchors(path):
    """The anchors of a page's headings, as GitHub makes them."""
    found = set()
    for heading in re.findall(r"^#+\s+(.*)$", without_fences(open(path).read()), re.M):
        words = re.sub(r"[^\w\s-]", "", heading.strip().lower())
        found.add(words.replace(" ", "-"))
    return found


def broken_links():
    for page in pages():
        text = re.sub(r"`[^`]*`", "", without_fences(open(page).read()))
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"\w+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
            if not os.path.exists(file):
                yield f"{page}: '{target}' leads nowhere."
            elif anchor and file.endswith(".md") and anchor not in anchors(file):
                yield f"{page}: '{target}': there is no such heading."


def prose():
    for page in pages():
        text = without_fences(open(page).read())
        text = re.sub(r"<!--.*?-->|<[^>\n]*>", " ", text, flags=re.S)
        # A code span ends where as many backquotes stand as at its begin; a link's target is no text.
        text = re.sub(r"(`+).+?\1", " ", text, flags=re.S)
        text = re.sub(r"\]\([^)]*\)|https?://\S+|\S+@\S+|&#\d+;", " ", text)
        text = re.sub(r"\S*[/_]\S*|\S+\.(?:md|swift|json|yml|svg)\b", " ", text)
        # Names of types and files, in the middle of which a capital stands.
        text = re.sub(r"\b\w*[a-z]\w*[A-Z]\w*\b|\b\w*\d\w*\b", " ", text)
        print(text.replace("’", "'"))


def shell(page):
    seen = False
    for word, lines in fences(open(page).read()):
        first = page.endswith("README.md") and not seen and any(line.startswith("./rxbench") for line in lines)
        seen = seen or first
        if word == "sh" or first:
            for line in lines:
                command = re.sub(r"\s+#\s.*$", "", line).strip()
                if command and not command.startswith("#"):
                    print(command)


if sys.argv[1] == "links":
    broken = list(broken_links())
    if broken:
        sys.exit("\n".join(broken))
    print(f"Every link within {len(pages())} pages leads somewhere.")
elif sys.argv[1] == "prose":
    prose()
else:
    shell(sys.argv[2])

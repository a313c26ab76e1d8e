"""Reads the Markdown pages, for scripts/front-door:
read-pages.py links        fails if a link within the repository, including a heading's anchor, has no target
read-pages.py prose        prints the text without code, links' targets and names of files, for a spelling checker
read-pages.py commands     fails if a line looks like a command of this package but no fence makes the walk run it
read-pages.py walked       prints the pages with commands to walk
read-pages.py shell PAGE   prints the commands of the page's 'sh' fences, each after its allowed exit codes

Commands are in 'sh' fences. By default a command must exit with 0. A comment 'exit code N where …' after it also allows
N, and a comment 'exit code N: …' allows only N. A fence with the line '# Only shown: REASON.' is not walked.
"""

import os
import re
import subprocess
import sys


def pages():
    listed = subprocess.run(["git", "ls-files", "*.md"], capture_output=True, text=True, check=True).stdout.split()
    # A product's catalogue contains symbolic links to the guide's pages.
    return [page for page in listed if not page.startswith("Tests/") and not os.path.islink(page)]


def fences(text):
    """The word and the lines of each fence."""
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
    """The anchors that GitHub generates for a page's headings."""
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
        # A code span ends with the same number of backquotes as it begins with. A link's target is not text.
        text = re.sub(r"(`+).+?\1", " ", text, flags=re.S)
        text = re.sub(r"\]\([^)]*\)|https?://\S+|\S+@\S+|&#\d+;", " ", text)
        text = re.sub(r"\S*[/_]\S*|\S+\.(?:md|swift|json|yml|svg)\b", " ", text)
        # The names of types and files contain a capital letter in the middle.
        text = re.sub(r"\b\w*[a-z]\w*[A-Z]\w*\b|\b\w*\d\w*\b", " ", text)
        print(text.replace("’", "'"))


# A page that 'rxbench init' writes, without marks for this script. The other script uses each verb.
WALKED_ELSEWHERE = {"Examples/OwnSuite/README.md": "scripts/example-own-suite"}


def is_only_shown(lines):
    return any(re.match(r"# Only shown: .+\.$", line) for line in lines)


def shell(page):
    """The commands to walk, each with its allowed exit codes."""
    for word, lines in fences(open(page).read()):
        if word != "sh" or is_only_shown(lines) or page in WALKED_ELSEWHERE:
            continue
        for line in lines:
            command, _, comment = re.match(r"(.*?)(\s+#\s(.*))?$", line).groups(default="")
            if command.strip() and not command.startswith("#"):
                alone = re.findall(r"exit code (\d+):", comment)
                yield alone or ["0"] + re.findall(r"exit code (\d+)", comment), command.strip()


def walked():
    return [page for page in pages() if any(shell(page))]


def unwalked_commands(page, text):
    """The unindented commands in fences that are neither walked nor marked as only shown."""
    for word, lines in fences(text):
        if word == "sh" or is_only_shown(lines):
            continue
        for line in lines:
            if re.match(r"(\$ )?(\./)?(rxbench|swift (run|build|test|package)|scripts/\S+|\.ci/run)( |$)", line):
                yield (
                    f"{page}: '{line.strip()}' is not walked: put it into a fence of 'sh', and add a line "
                    "'# Only shown: REASON.' if it cannot run."
                )


def check_commands():
    planted = "```text\nrxbench list\n```\n```sh\nrxbench run\n```\n```text\n  rxbench races\n# Only shown: a.\n```"
    if [each.split("'")[1] for each in unwalked_commands("planted", planted)] != ["rxbench list"]:
        sys.exit("The command planted in a fence of 'text' is not found, or its twin in a fence of 'sh' is.")
    for page, script in WALKED_ELSEWHERE.items():
        if os.path.dirname(page) not in open(script).read():
            sys.exit(f"{script} no longer uses what {page} describes.")
    found = [each for page in pages() for each in unwalked_commands(page, open(page).read())]
    if found:
        sys.exit("\n".join(found))
    count = sum(len(list(shell(page))) for page in walked())
    print(f"{count} commands of {len(walked())} pages are walked, and no other is unmarked.")


if sys.argv[1] == "links":
    broken = list(broken_links())
    if broken:
        sys.exit("\n".join(broken))
    print(f"Every link within {len(pages())} pages leads somewhere.")
elif sys.argv[1] == "prose":
    prose()
elif sys.argv[1] == "commands":
    check_commands()
elif sys.argv[1] == "walked":
    print("\n".join(walked()))
else:
    for codes, command in shell(sys.argv[2]):
        print(" ".join(codes), command, sep="\t")

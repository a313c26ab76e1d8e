"""Parses the steps of the workflow files and runs them on request, for scripts/checks/check-workflows:
check-workflows.py [--run [FILE [JOB]]].

A step may use expressions of the host only in the values below, so that no text from a pull request becomes part of a
command. Steps that use an action or a token of the host are listed and not run. A step that ran nothing has failed,
regardless of its exit code.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile
import time

from ruamel.yaml import YAML

OURS = sorted(glob.glob(".github/workflows/*.yml"))
USERS = ["Documentation/CI/github.yml", "Documentation/CI/gitlab.yml"]

# The hosts' variables for a pull request, in the clone.
EXPRESSIONS = {
    "github.event.pull_request.base.sha": "HEAD~1",
    "github.token": "",
    "github.api_url": "",
    "github.repository": "",
    "github.event.number": "1",
}
VARIABLES = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": "HEAD~1"}
# Shorter durations than in the nightly runs.
SHORTER = {"SEARCH_SECONDS": "30", "RACE_SECONDS": "30", "ROUNDS": "1"}

# The calls that a user's file must contain, and the output of each call that had work to do.
CALLS = {
    # In Swift Testing or in XCTest.
    "swift test": r"Test run with [1-9]\d* tests?\b.* passed|Suite 'All tests' passed.*\n\s*Executed [1-9]\d* tests?\b",
    " ab ": "",
    " compare ": "",
    " leaks ": "",
    " races ": r"\bof [1-9]\d* races? failed in [1-9]\d* ",
}


def filled_in(value):
    """A value of `env`, with its expressions replaced."""
    return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", lambda match: EXPRESSIONS[match.group(1)], str(value))


def github_steps(document):
    """The job, the name, the shell code or `None`, and the environment of each step."""
    for job, content in document["jobs"].items():
        for step in content["steps"]:
            environment = {**document.get("env", {}), **content.get("env", {}), **step.get("env", {})}
            yield job, step.get("name", step.get("uses")), step.get("run"), environment


def gitlab_steps(document):
    for job, content in document.items():
        if not isinstance(content, dict) or "script" not in content:
            continue
        environment = {**document["variables"], **content.get("variables", {}), **VARIABLES}
        shell = "\n".join(document["default"]["before_script"] + content["script"])
        yield job, "script", shell, environment


def steps(path):
    document = YAML(typ="safe").load(open(path))
    return list(gitlab_steps(document) if "gitlab" in path else github_steps(document))


def needs_host(shell, environment):
    return shell is None or any("TOKEN" in each for each in [shell, *environment])


def idle(shell, output):
    """The calls of a step whose output shows no work."""
    return [call.strip() for call, says in CALLS.items() if says and len(re.findall(says, output)) < shell.count(call)]


def check_itself():
    """Checks with planted outputs that steps without work are detected, and that steps with work are not."""
    shell = '"$SUITE" races --time 1\n"$SUITE" races --stress --time 1\n'
    searched = "0 of 1 race failed in 42 schedules; 1 exhausted to a bound or entirely.\n"
    assert idle(shell, "") == idle(shell, searched) == ["races"]
    assert idle(shell, searched + "0 of 0 races failed in 0 rounds on real threads.\n") == ["races"]
    assert idle(shell, searched + "0 of 1 race failed in 900 rounds on real threads.\n") == []
    assert idle("swift test", "Test run with 0 tests in 0 suites passed after 0.001 seconds.") == ["swift test"]
    assert idle("swift test", "Test run with 1 test in 0 suites passed after 0.001 seconds.") == []
    ended = "Test Suite 'All tests' passed at 2026-11-27 04:05:17.300\n\t Executed {} with 0 failures\n"
    assert idle("swift test", ended.format("1 test,")) == []
    assert idle("swift test", ended.format("0 tests,")) == ["swift test"]
    assert uncalled(["swift test", "x ab y", "x compare y", "x leaks y", "x list 'race/*'"]) == ["races"]


def uncalled(shells):
    """The required calls that are missing from the steps of a user's file."""
    return [call.strip() for call in CALLS if not any(call in shell for shell in shells)]


def check(path):
    """The faults of a file's steps."""
    if path in USERS:
        for call in uncalled([shell or "" for _, _, shell, _ in steps(path)]):
            yield f"{path}: no step calls '{call}'."
    for job, name, shell, environment in steps(path):
        where = f"{path}: {job}: {name}"
        if shell is None:
            continue
        if "${{" in shell:
            yield f"{where}: names an expression of the host in its shell; put it into 'env'."
        if re.search(r"\bab\b.* --time", shell):
            yield f"{where}: '--time' takes from 'ab' the default that keeps a suite within ten minutes."
        for value in environment.values():
            for each in re.findall(r"\$\{\{\s*(.*?)\s*\}\}", str(value)):
                if each not in EXPRESSIONS:
                    yield f"{where}: '{each}' has no value here; add it to scripts/checks/check-workflows.py."
        # Containers run steps in 'sh'.
        parsed = subprocess.run(["sh", "-n"], input=shell, text=True, capture_output=True)
        if parsed.returncode:
            yield f"{where}: {parsed.stderr.strip()}"
        for script in re.findall(r"(?:^|\s)(\.?/?(?:scripts/|\.ci/|rxbench)[\w/-]*)", shell) if path in OURS else []:
            if not os.access(script, os.X_OK):
                yield f"{where}: there is no executable '{script}'."


def git(folder, *arguments):
    identity = ["-c", "user.name=check", "-c", "user.email=check@localhost"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def clone(path, folder):
    """Creates the folder for the steps: a clean clone of this repository, or a project with a suite and one change."""
    if path in OURS:
        return git(".", "clone", "--quiet", os.getcwd(), folder)
    git(".", "init", "--quiet", folder)
    project = ["swift", "package", "--package-path", folder, "init", "--type", "library", "--name", "Project"]
    subprocess.run(project, check=True, stdout=subprocess.DEVNULL)
    changed = os.path.join(folder, "Sources/Project/Project.swift")
    open(changed, "w").write("public struct Doubled {\n    let value: Int\n\n    public init() { value = 21 * 2 }\n}\n")
    arguments = ["init", os.path.join(folder, "Benchmarks"), "--path", os.getcwd()]
    subprocess.run(["./rxbench", *arguments], check=True, stdout=subprocess.DEVNULL)
    suite = ["swift", "run", "-c", "release", "--package-path", "Benchmarks", "Benchmarks"]
    for words in ["run --exact-only", "compare latest --budget Benchmarks/budgets.json --update-budget"]:
        subprocess.run([*suite, *words.split()], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "Add benchmarks")
    text = open(changed).read()
    open(changed, "w").write(text.replace("21 * 2", "21 + 22"))
    git(folder, "commit", "--quiet", "--all", "--message", "Double by adding")


def shown(command, **options):
    """Runs a command, shows its output, and returns its exit code and output."""
    lines = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    return process.returncode, "".join(lines)


def run(path, wanted):
    """Runs the steps of a file, and returns whether all succeeded."""
    fine = True
    with tempfile.TemporaryDirectory() as place:
        folder = os.path.join(place, "clone")
        clone(path, folder)
        for job, name, shell, environment in steps(path):
            if wanted and job != wanted:
                continue
            where = f"{path}: {job}: {name}"
            if needs_host(shell, environment):
                print(f"-- {where}: needs the host, not run", flush=True)
                continue
            print(f"== {where}", flush=True)
            values = {key: filled_in(SHORTER.get(key, value)) for key, value in environment.items()}
            # Steps change git's global settings; they must not change the user's settings.
            values["GIT_CONFIG_GLOBAL"] = os.path.join(place, "gitconfig")
            begin = time.monotonic()
            status, output = shown(["sh", "-e", "-c", shell], cwd=folder, env={**os.environ, **values})
            print(f"-- exit code {status} after {time.monotonic() - begin:.0f} s", flush=True)
            nothing = idle(shell, output) if path in USERS and not status else []
            for call in nothing:
                print(f"-- '{call}' ended well and ran nothing", flush=True)
            if status or nothing:
                fine = False
    return fine


check_itself()
faults = [fault for path in OURS + USERS for fault in check(path)]
if faults:
    sys.exit("\n".join(faults))
print(f"{sum(len(steps(path)) for path in OURS + USERS)} steps in {len(OURS + USERS)} files are well formed.")
if "--run" in sys.argv:
    file, job = (sys.argv[sys.argv.index("--run") + 1 :] + [None, None])[:2]
    if not all([run(path, job) for path in OURS + USERS if file in (None, path)]):
        sys.exit("A step failed; see above.")

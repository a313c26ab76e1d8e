"""Parses, and on request runs, the steps of the workflow files, for scripts/checks/check-workflows:
check-workflows.py [--run [FILE [JOB]]].

A step may name expressions of the host only in the values below, so that nothing of a pull request is ever part of a
command. Steps that use an action or a token of the host are named and not run.
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

# What the hosts say of a pull request, in the clone.
EXPRESSIONS = {
    "github.event.pull_request.base.sha": "HEAD~1",
    "github.token": "",
    "github.api_url": "",
    "github.repository": "",
    "github.event.number": "1",
}
VARIABLES = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": "HEAD~1"}
# Shorter than at night.
SHORTER = {"RACE_SECONDS": "30", "ROUNDS": "1"}


def filled_in(value):
    """A value of `env`, with the expressions that it names."""
    return re.sub(r"\$\{\{\s*(.*?)\s*\}\}", lambda match: EXPRESSIONS[match.group(1)], str(value))


def github_steps(document):
    """Job, name, shell or `None`, and environment of each step."""
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


def check(path):
    """The faults of a file's steps."""
    for job, name, shell, environment in steps(path):
        where = f"{path}: {job}: {name}"
        if shell is None:
            continue
        if "${{" in shell:
            yield f"{where}: names an expression of the host in its shell; put it into 'env'."
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
    """What the steps of a file find: a clean clone of this repository, or a project with a suite and one change."""
    if path in OURS:
        return git(".", "clone", "--quiet", os.getcwd(), folder)
    git(".", "init", "--quiet", folder)
    arguments = ["init", os.path.join(folder, "Benchmarks"), "--path", os.getcwd()]
    subprocess.run(["./rxbench", *arguments], check=True, stdout=subprocess.DEVNULL)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "Add benchmarks")
    changed = os.path.join(folder, "Benchmarks/Sources/BenchmarksWork/Streams.swift")
    text = open(changed).read()
    open(changed, "w").write(text.replace("map { $0 * 2 }", "map { $0 + $0 }"))
    git(folder, "commit", "--quiet", "--all", "--message", "Double by adding")


def run(path, wanted):
    """Runs the steps of a file; whether all went well."""
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
            # Steps change git's global settings, which are not to be those of whoever runs this.
            values["GIT_CONFIG_GLOBAL"] = os.path.join(place, "gitconfig")
            begin = time.monotonic()
            status = subprocess.run(["sh", "-e", "-c", shell], cwd=folder, env={**os.environ, **values}).returncode
            print(f"-- exit code {status} after {time.monotonic() - begin:.0f} s", flush=True)
            if status:
                fine = False
    return fine


faults = [fault for path in OURS + USERS for fault in check(path)]
if faults:
    sys.exit("\n".join(faults))
print(f"{sum(len(steps(path)) for path in OURS + USERS)} steps in {len(OURS + USERS)} files are well formed.")
if "--run" in sys.argv:
    file, job = (sys.argv[sys.argv.index("--run") + 1 :] + [None, None])[:2]
    if not all([run(path, job) for path in OURS + USERS if file in (None, path)]):
        sys.exit("A step failed; see above.")

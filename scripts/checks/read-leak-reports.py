"""Reads the report of planted leaks in each format with third-party tools, and compares the figures with the JSON.

Called by scripts/checks/validate-leak-reports: read-leak-reports.py FOLDER SCHEMA SARIF-TOOL. Prints one line for each
format, and exits with 1 if one is wrong.
"""

import copy
import json
import os
import re
import subprocess
import sys

import jsonschema
import junitparser
from sarif_pydantic import Sarif

folder, schema_path, sarif_tool = sys.argv[1:]


def load(name):
    with open(os.path.join(folder, name)) as file:
        return file.read()


document = json.loads(load("leaks.json"))
GROWING = [(s, g) for s in document["scenarios"] for g in s["groups"] if g["verdict"]["verdict"] == "growing"]
KEPT = [(s, g) for s, g in GROWING if g["unit"] == "count" and g["counts"][-1] > 0]


def refuses(validator, value, path, wrong):
    """Checks that a validator rejects a wrong value, because a validator that accepts everything checks nothing."""
    broken = copy.deepcopy(value)
    place = broken
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = wrong
    assert not validator.is_valid(broken), f"{path} may be {wrong!r}"


def leaks_json():
    with open(schema_path) as file:
        validator = jsonschema.Draft202012Validator(json.load(file))
    validator.check_schema(validator.schema)
    validator.validate(document)
    refuses(validator, document, ["scenarios", 0, "outcome"], "fine")
    refuses(validator, document, ["scenarios", 0, "groups", 0, "signature"], "xyz")
    assert [s["outcome"] for s in document["scenarios"]] == ["found", "found", "clean"]
    return f"valid by its schema to jsonschema, {len(GROWING)} groups that grow"


def junit():
    suites = junitparser.JUnitXml.fromstring(load("leaks.junit").encode())
    cases = [case for suite in suites for case in suite]
    assert [f"{c.classname}/{c.name}" for c in cases] == [s["name"] for s in document["scenarios"]]
    failed = [c for c in cases if any(isinstance(r, junitparser.Failure) for r in c.result)]
    found = [s["name"] for s in document["scenarios"] if s["outcome"] == "found"]
    assert [f"{c.classname}/{c.name}" for c in failed] == found
    before = (suites.tests, suites.failures, suites.errors)
    suites.update_statistics()
    assert before == (suites.tests, suites.failures, suites.errors) == (3, 2, 0)
    return f"read by junitparser, {len(failed)} of {len(cases)} failed"


def sarif():
    text = load("leaks.sarif")
    log = Sarif.model_validate_json(text)
    results = log.runs[0].results
    assert [r.partial_fingerprints["leakSignature/v1"] for r in results] == [g["signature"] for _, g in GROWING]
    broken = json.loads(text)
    broken["runs"][0]["results"][0]["level"] = "awful"
    try:
        Sarif.model_validate(broken)
        raise SystemExit("sarif-pydantic takes any level")
    except ValueError:
        pass
    command = [sarif_tool, "summary", os.path.join(folder, "leaks.sarif")]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert re.search(rf"error: {len(results)}\b", listed), listed
    return f"read by sarif-pydantic and sarif-tools, {len(results)} results"


READERS = {"json": leaks_json, "junit": junit, "sarif": sarif}
failed = False
for name, reader in READERS.items():
    try:
        print(f"{name:11} {reader()}")
    except Exception as error:
        failed = True
        print(f"{name:11} WRONG: {type(error).__name__}: {str(error)[:400]}")
print("Some reports are wrong." if failed else "Every report was read and says what the JSON says.")
sys.exit(1 if failed else 0)

"""Kills runs and checks what they leave behind, for scripts/bars/kill: kill.py COUNT SEED EXECUTABLE."""

import glob, hashlib, json, os, random, re, shutil, signal, subprocess, sys, tempfile, time

count, seed, tool = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
random.seed(seed)
folder = tempfile.mkdtemp()
command = [
    tool, "run", "fixture/loop/short", "fixture/heap/exact", "--time", "0.1", "--processes", "2", "--output", folder,
]

def start():
    # A file, not a pipe: output written before the kill is kept.
    log = open(f"{folder}/log", "w+")
    return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True), log

def stored():
    return {path: hashlib.sha256(open(path, "rb").read()).hexdigest() for path in glob.glob(f"{folder}/*/*.json")}

# How long a run takes until it has stored its result.
times = []
for _ in range(5):
    begin = time.monotonic()
    process, log = start()
    process.wait()
    times.append(time.monotonic() - begin)
span = sorted(times)[2]
failures, finished, announced_total = [], 0, 0
for number in range(count):
    before = stored()
    process, log = start()
    if number % 2 == 0:
        time.sleep(random.uniform(0, span))
    else:
        # The store is the last thing a run does: the table is shown just before.
        while process.poll() is None and not os.path.getsize(f"{folder}/log") > 400:
            time.sleep(0.0005)
        time.sleep(random.uniform(0, 0.01))
    process.send_signal(signal.SIGKILL)
    finished += process.wait() != -signal.SIGKILL
    log.seek(0)
    announced = re.findall(r"Stored in '(.*?)'", log.read())
    announced_total += len(announced)
    after = stored()
    for path in announced:
        if path not in after: failures.append(f"{number}: '{path}' was stored and is gone")
    for path, digest in before.items():
        if after.get(path) != digest: failures.append(f"{number}: '{path}' was there before and has changed")
    for path in after.keys() - before.keys():
        try:
            json.load(open(path))
        except ValueError:
            failures.append(f"{number}: '{path}' is torn")
process, log = start()
process.wait()
for path in stored():
    if subprocess.run([tool, "compare", path, path, "--exact-only"], capture_output=True).returncode != 0:
        failures.append(f"'{path}' cannot be read")
leftovers = glob.glob(f"{folder}/*/.*.partial")
if leftovers: failures.append(f"left behind: {leftovers}")
shutil.rmtree(folder)
print("\n".join(failures))
print(
    f"seed {seed}: {count} kills, {finished} of them after the run had ended, {announced_total} results announced, "
    f"{len(failures)} lost or torn.")
sys.exit(bool(failures))

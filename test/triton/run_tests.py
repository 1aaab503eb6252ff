#!/usr/bin/env python3
"""Runs the tests of Triton 3.6 itself on Tilewright, and sums up why some fail.

usage: test/triton/run_tests.py CHECKOUT [--device cuda] [--jobs N] [--only REGEX] [--seconds S]
                                [--notes FOLDER] [--gpus N] [--failed] [--report]

CHECKOUT is a folder with Triton's python/test/unit, python/test/gluon and python/triton_kernels (any
release's tests of 3.6; `git archive v3.6.0 python/test python/triton_kernels` makes a small one). Each file is split
into parts of about --size tests; a part runs as `python -m tilewright.triton -m pytest` in a process
of its own, --jobs at a time. A test that ends its process, or takes longer than --timeout seconds, is
a failure, and the part goes on after it. With --seconds everything stops after that time, and
the next call with the same --notes goes on there; --failed runs those again that failed in it, and
--report runs nothing.

not_applicable.txt lists tests that cannot pass, each with its reason; they run and are counted apart.
Exit code 1 if a test fails that is not listed there.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
#: Folders of tests in a checkout, and those that their modules are imported from.
UNIT = ("language", "runtime", "cuda", "tools", "")


def test_files(checkout):
    """(folder to run in, file in it) of all files with tests."""
    unit = checkout / "python" / "test"
    for folder in UNIT:
        for path in sorted((unit / "unit" / folder).glob("test_*.py")):
            yield unit, path.relative_to(unit)
    for path in sorted((unit / "gluon").glob("test_*.py")):
        yield unit, path.relative_to(unit)
    kernels = checkout / "python" / "triton_kernels"
    for path in sorted((kernels / "tests").rglob("test_*.py")):
        yield kernels, path.relative_to(kernels)


class Part:
    """Every `count`-th test of a file, from `index` on."""

    def __init__(self, folder, file, index, count, notes):
        self.folder = folder
        self.file = file
        self.index = index
        self.count = count
        #: The number of the GPU that it runs on, modulo their number.
        self.gpu = 0
        name = re.sub(r"\W", "_", f"{file}")
        self.notes = notes / f"{name}.{index}of{count}.jsonl"
        self.end = notes / f"{name}.{index}of{count}.end"
        self.log = notes / f"{name}.{index}of{count}.log"

    def run(self, args, until):
        """Runs it to its end, in as many processes as tests end one."""
        while not self.end.exists() and time.monotonic() < until:
            before = len(self.read())
            code = self._run_once(args, until)
            if code is None:
                return
            # 0, 1: all tests ran; 5: there were none left; 2: the file cannot be collected.
            if code in (0, 1, 2, 5):
                self.end.write_text(str(code))
            elif len(self.read()) == before:
                note({"file": str(self.file), "outcome": "not collected",
                      "message": f"pytest ended with exit code {code}: " + self._last_line()},
                     self.notes)
                self.end.write_text(str(code))

    def _run_once(self, args, until):
        """The exit code; None where the time is over."""
        environment = {**os.environ, "TILEWRIGHT_SHARD": f"{self.index}/{self.count}",
                       "TILEWRIGHT_NOTES": str(self.notes), "PYTHONDONTWRITEBYTECODE": "1",
                       "PYTHONPATH": os.pathsep.join(filter(None, [
                           str(HERE), str(self.folder), os.environ.get("PYTHONPATH")]))}
        if args.gpus > 1:
            environment["CUDA_VISIBLE_DEVICES"] = str(self.gpu % args.gpus)
        command = [sys.executable, "-m", "tilewright.triton", "-m", "pytest", "-q",
                   "--tb=short", "-p", "no:cacheprovider", "-p", "plugin", "--device", args.device,
                   str(self.file)]
        with open(self.log, "ab") as log:
            process = subprocess.Popen(command, cwd=self.folder, env=environment, stdout=log,
                                       stderr=subprocess.STDOUT)
            while True:
                try:
                    return process.wait(timeout=1)
                except subprocess.TimeoutExpired:
                    pass
                is_over = time.monotonic() > until
                if is_over or self._silence() > args.timeout:
                    process.kill()
                    process.wait()
                    if is_over:
                        self._repeat_last()
                    return None if is_over else -9

    def _repeat_last(self):
        """Has the test that was running begin again in the next call."""
        last = next(iter(self.read()[-1:]), {})
        if last.get("outcome") == "begun":
            note({**last, "outcome": "again"}, self.notes)

    def forget_failures(self):
        """Has the next call run again what failed."""
        results = {}
        for said in self.read():
            if results.get(said.get("test")) != "failed" or said["outcome"] == "again":
                results[said.get("test")] = said["outcome"]
        again = [test for test, outcome in results.items() if outcome not in ("passed", "skipped")]
        for test in again:
            note({"outcome": "again", **({"test": test} if test else {"file": str(self.file)})},
                 self.notes)
        if again:
            self.end.unlink(missing_ok=True)

    def _silence(self):
        """Seconds since the last note."""
        newest = max((path.stat().st_mtime for path in (self.notes, self.log) if path.exists()),
                     default=time.time())
        return time.time() - newest

    def _last_line(self):
        lines = self.log.read_text(errors="replace").strip().splitlines()
        return lines[-1][-300:] if lines else ""

    def read(self):
        if not self.notes.exists():
            return []
        return [json.loads(line) for line in self.notes.read_text().splitlines()]


def note(said, path):
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(said) + "\n")


def count_tests(folder, file, args, notes):
    """How many tests a file has; kept in the folder of notes. 1 where pytest cannot collect it."""
    key = hashlib.sha256(f"{folder}/{file}/{args.device}".encode()).hexdigest()[:16]
    kept = notes / f"count-{key}"
    if not kept.exists():
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1",
                       "PYTHONPATH": os.pathsep.join(filter(None, [
                           str(folder), os.environ.get("PYTHONPATH")]))}
        done = subprocess.run(
            [sys.executable, "-m", "tilewright.triton", "-m", "pytest", "-q", "--collect-only", "-p",
             "no:cacheprovider", "--device", args.device, str(file)], cwd=folder, env=environment,
            capture_output=True, text=True)
        found = re.search(r"(\d+)(?:/\d+)? tests? collected", done.stdout)
        kept.write_text(found[1] if found else "1")
    return int(kept.read_text())


# Summing up


def results_of(parts):
    """By test: (outcome, message). A test that began and did not end is "ended the process"."""
    results = {}
    for part in parts:
        for said in part.read():
            name = f"{part.file}::{said['test'].split('::', 1)[1]}" if "test" in said else (
                f"{part.file}")
            outcome = said["outcome"]
            if outcome == "again":
                results.pop(name, None)
            elif outcome == "begun":
                results.setdefault(name, ("ended the process", "crash or timeout"))
            elif results.get(name, ("", ""))[0] not in ("failed", "not collected"):
                results[name] = (outcome, said["message"])
    return results


def cause_of(message):
    """What failures have in common: the first line that says something, without names and numbers."""
    line = next((one.strip() for one in message.splitlines() if one.strip()), "no message")
    error = re.search(r"error: (.*)", message)
    if error:
        line = f"{line.split(':')[0]}: {error[1]}"
    line = re.sub(r"0x[0-9a-f]+", "N", line)
    line = re.sub(r"'[^']*'|\"[^\"]*\"|`[^`]*`", "'..'", line)
    line = re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "N", line)
    return line[:160]


def listed():
    """(regular expression of a test's name, reason) of not_applicable.txt."""
    for line in (HERE / "not_applicable.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            pattern, _, reason = line.partition("  # ")
            assert reason, f"not_applicable.txt: {line!r} has no reason"
            yield re.compile(pattern.strip()), reason.strip()


def report(results):
    """Prints it; the number of failures that are not listed."""
    reasons = list(listed())
    counts, causes, excused = (collections.Counter() for _ in range(3))
    examples = {}
    for name, (outcome, message) in sorted(results.items()):
        if outcome in ("passed", "skipped"):
            counts[outcome] += 1
            continue
        reason = next((why for pattern, why in reasons if pattern.search(name)), None)
        if reason:
            counts["cannot apply"] += 1
            excused[reason] += 1
            continue
        counts["failed"] += 1
        cause = cause_of(message) if outcome == "failed" else f"{outcome}: {cause_of(message)}"
        causes[cause] += 1
        examples.setdefault(cause, name)
    ran = counts["passed"] + counts["failed"]
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped, "
          f"{counts['cannot apply']} cannot apply" +
          (f": {100 * counts['passed'] / ran:.2f} % of those that apply" if ran else ""))
    if causes:
        print("\nfailures by cause:")
    for cause, count in causes.most_common():
        print(f"{count:6}  {cause}\n        {examples[cause]}")
    if excused:
        print("\ncannot apply:")
    for reason, count in excused.most_common():
        print(f"{count:6}  {reason}")
    return counts["failed"]


def main():
    parser = argparse.ArgumentParser(description="Runs Triton's own tests on Tilewright.")
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--device", default="cuda", help="PyTorch's name of it; cpu: the simulator")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    parser.add_argument("--gpus", type=int, default=1, help="GPUs of NVIDIA that share the parts")
    parser.add_argument("--only", default="", help="a regular expression of files")
    parser.add_argument("--size", type=int, default=400, help="tests in a part")
    parser.add_argument("--timeout", type=float, default=180, help="seconds of one test")
    parser.add_argument("--seconds", type=float, default=1e9, help="when to stop")
    parser.add_argument("--notes", type=pathlib.Path, default=pathlib.Path("triton-tests"))
    parser.add_argument("--failed", action="store_true", help="run those in --notes that failed")
    parser.add_argument("--report", action="store_true", help="sum up what is in --notes")
    args = parser.parse_args()
    until = time.monotonic() + args.seconds
    args.notes.mkdir(parents=True, exist_ok=True)
    notes = args.notes.resolve()
    files = [(folder.resolve(), file) for folder, file in test_files(args.checkout)
             if re.search(args.only, str(file))]
    if not files:
        parser.error(f"{args.checkout} has no tests of Triton that match")
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        counts = list(pool.map(lambda one: count_tests(*one, args, notes), files))
        parts = [Part(folder, file, index, -(-count // args.size), notes)
                 for (folder, file), count in zip(files, counts)
                 for index in range(-(-max(count, 1) // args.size))]
        if not args.report:
            # Large files first.
            parts.sort(key=lambda part: -part.count)
            for number, part in enumerate(parts):
                part.gpu = number
                if args.failed:
                    part.forget_failures()
            list(pool.map(lambda part: part.run(args, until), parts))
    left = sum(not part.end.exists() for part in parts)
    if left:
        print(f"{left} of {len(parts)} parts have not ended: run it again with the same --notes")
    return 1 if report(results_of(parts)) else 0


if __name__ == "__main__":
    sys.exit(main())

"""What pytest does for run_tests.py: takes one part of the tests, and notes each as it begins and ends.

TILEWRIGHT_SHARD is K/N: every N-th test, from the K-th on. TILEWRIGHT_NOTES is the file of notes, a
line of JSON each, in which a test that has begun and not ended has ended the process.
"""

import json
import os


def _note(**said):
    with open(os.environ["TILEWRIGHT_NOTES"], "a", encoding="utf-8") as file:
        file.write(json.dumps(said) + "\n")


def _done():
    """The tests that an earlier process has begun, but for those that are to run again."""
    path = os.environ["TILEWRIGHT_NOTES"]
    if not os.path.exists(path):
        return set()
    with open(path, encoding="utf-8") as file:
        outcomes = {said["test"]: said["outcome"] for said in map(json.loads, file)
                    if "test" in said}
    return {test for test, outcome in outcomes.items() if outcome != "again"}


def pytest_collection_modifyitems(config, items):
    part, count = map(int, os.environ["TILEWRIGHT_SHARD"].split("/"))
    done = _done()
    kept = [item for i, item in enumerate(items) if i % count == part and item.nodeid not in done]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


def pytest_runtest_logstart(nodeid):
    _note(test=nodeid, outcome="begun")


def pytest_runtest_logreport(report):
    if report.when == "call" or not report.passed:
        _note(test=report.nodeid, outcome=report.outcome, message=_message(report))


def pytest_collectreport(report):
    if report.failed:
        _note(file=report.nodeid, outcome="not collected", message=str(report.longrepr)[-2000:])


def _message(report):
    """Why it failed or was skipped."""
    if report.skipped and isinstance(report.longrepr, tuple):
        return report.longrepr[2]
    crash = getattr(report.longrepr, "reprcrash", None)
    return crash.message if crash else str(report.longrepr or "")[-2000:]

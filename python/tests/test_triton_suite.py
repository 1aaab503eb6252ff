"""test/triton/run_tests.py, on a checkout with a few tests of known ends."""

import os
import pathlib
import subprocess
import sys

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "test" / "triton" / "run_tests.py"

TESTS = """
import os, time, pytest, triton, triton.language as tl

@pytest.mark.parametrize("n", range(4))
def test_right(n):
    assert triton.cdiv(n, 1) == n

def test_wrong():
    raise ValueError("block 17 of 'x' is wrong")

def test_wrong_as_well():
    raise ValueError("block 4 of 'y' is wrong")

def test_end():
    os._exit(3)

@pytest.mark.skip(reason="later")
def test_skipped():
    pass

def test_slow():
    time.sleep(float(os.environ.get("SLOW", 0)))
"""


def sum_up(tmp_path, *options, **environment):
    return subprocess.run(
        [sys.executable, str(SCRIPT), str(tmp_path), "--device", "cpu", "--jobs", "2", "--size", "4",
         "--notes", str(tmp_path / "notes"), *options], capture_output=True, text=True,
        env={**os.environ, **environment})


def checkout(tmp_path):
    unit = tmp_path / "python" / "test"
    (unit / "unit" / "language").mkdir(parents=True)
    (unit / "conftest.py").write_text(
        "def pytest_addoption(parser):\n    parser.addoption('--device')\n")
    (unit / "unit" / "language" / "test_few.py").write_text(TESTS)
    (unit / "unit" / "test_disasm.py").write_text("import nothing_of_that_name\n")
    # A file that not_applicable.txt lists.
    (unit / "unit" / "test_filecheck.py").write_text("def test_text():\n    assert False\n")


def test_ends_are_summed_up_by_cause(tmp_path):
    checkout(tmp_path)
    done = sum_up(tmp_path)
    lines = done.stdout.splitlines()
    assert done.returncode == 1, done.stderr
    assert lines[0] == ("5 passed, 4 failed, 1 skipped, 1 cannot apply: 55.56 % of those that apply")
    assert lines[3:5] == ["     2  ValueError: block N of '..' is wrong",
                          "        unit/language/test_few.py::test_wrong"]
    assert "     1  ended the process: crash or timeout" in lines
    assert any(line.startswith("     1  not collected: ") for line in lines)
    assert any(line.startswith("     1  expects a function's call in the first stage")
               for line in lines)
    # What is noted is not run again.
    assert sum_up(tmp_path).stdout == done.stdout == sum_up(tmp_path, "--report").stdout


def test_a_run_goes_on_where_it_stopped(tmp_path):
    checkout(tmp_path)
    first = sum_up(tmp_path, "--only", "few", "--seconds", "8", SLOW="60")
    assert "have not ended: run it again" in first.stdout, first.stdout
    again = sum_up(tmp_path, "--only", "few")
    assert again.stdout.startswith("5 passed, 3 failed, 1 skipped, 0 cannot apply"), again.stdout

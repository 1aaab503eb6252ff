"""What a worker of a cluster does: it measures configurations by the command `tilewright`.

This file is sent to the workers, which need not have the package. A process of its own measures, so
that no launch can harm the worker.
"""

import json
import os
import subprocess
import tempfile


class WorkerError(Exception):
    """A worker that cannot measure: no command, no device."""


def measure(plan, files, only, command):
    """The lines of the trials of the configurations `only`, as dictionaries; of the device, if there
    are none.

    plan: as JSON; files: the arrays that it names as @NAME, by these names.
    """
    with tempfile.TemporaryDirectory(prefix="tilewright-") as folder:
        for name, data in files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
        path = os.path.join(folder, "plan.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(plan, file)
        return _run([command, "tune", path, "--json", "--only",
                     ",".join(str(index) for index in only), *_device_of_its_own(plan["device"])])


def _device_of_its_own(device):
    """Flags by which workers of one machine measure on one GPU in turn, and compile meanwhile. The
    simulator is everybody's own."""
    if device == "sim":
        return []
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    name = f"tilewright-{os.getuid()}-{device}-{visible}".replace(os.sep, "_")
    return ["--lock", os.path.join(tempfile.gettempdir(), name)]


def _run(arguments):
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, errors="replace",
                              check=False)
    except OSError as error:
        raise WorkerError(f"the command {arguments[0]} cannot be run: {error.strerror}; install it "
                          "on the workers, or say its path with TILEWRIGHT_COMMAND") from None
    if done.returncode:
        raise WorkerError(done.stderr.strip() or f"{arguments[0]} ended with {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]

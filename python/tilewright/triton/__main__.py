"""python -m tilewright.triton script.py .., or -m module ..: runs it with Triton's names ours."""

import os
import runpy
import sys

from . import install
from ._install import path_for_children

_USAGE = "usage: python -m tilewright.triton (SCRIPT.py | -m MODULE) [ARGUMENT ..]"


#: What PyTorch says of tensors on a GPU where there is none, or none that it is built for.
_WITHOUT_GPU = ("Found no NVIDIA driver", "not compiled with CUDA enabled",
                "No CUDA GPUs are available")


def _advise(type_, error, traceback):
    """sys.excepthook: the usual text, and what to do about a GPU that is not there."""
    sys.__excepthook__(type_, error, traceback)
    if any(text in str(error) for text in _WITHOUT_GPU):
        print("tilewright.triton: there is no GPU that PyTorch can use. Kernels of tensors on the "
              "CPU run on the simulator: make the tensors with device=\"cpu\", or with what "
              "triton.runtime.driver.active.get_active_torch_device() returns.", file=sys.stderr)


def main():
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE)
        return 0 if arguments else 2
    install()
    sys.excepthook = _advise
    os.environ["PYTHONPATH"] = path_for_children()
    if arguments[0] == "-m":
        if len(arguments) < 2:
            print(_USAGE, file=sys.stderr)
            return 2
        sys.argv = arguments[1:]
        # As `python -m` has it.
        sys.path.insert(0, os.getcwd())
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return 0
    script = arguments[0]
    if not os.path.exists(script):
        print(f"tilewright.triton: there is no file {script}", file=sys.stderr)
        return 2
    sys.argv = arguments
    sys.path.insert(0, os.path.dirname(os.path.abspath(script)))
    runpy.run_path(script, run_name="__main__")
    return 0


sys.exit(main())

"""Machine code of NVIDIA's GPUs, for programs that look at it or keep it. Kernels are launched without:
the driver makes it of PTX. These are made by NVIDIA's own programs, where they are installed."""

import os
import re
import shutil
import subprocess
import tempfile

#: Where NVIDIA's toolkit is, by variables of its own and where it is by default.
_TOOLKITS = ("CUDA_HOME", "CUDA_PATH")


def _find(program):
    """The path of a program; KeyError where there is none. TRITON_PTXAS_PATH says it, as in Triton."""
    variable = f"TRITON_{program.upper()}_PATH"
    named = os.environ.get(variable)
    if named:
        return named
    folders = [os.path.join(os.environ[one], "bin") for one in _TOOLKITS if one in os.environ]
    for path in (None, *folders, "/usr/local/cuda/bin"):
        found = shutil.which(program, path=path)
        if found:
            return found
    # The message is shown as a repr: without quotes.
    raise KeyError(f"there is no cubin or sass without {program} of the CUDA toolkit, since the "
                   f"driver makes machine code here, of the stage ptx: install it, or set {variable}")


def _run(*command):
    try:
        return subprocess.run(command, capture_output=True, check=True).stdout
    except OSError as error:
        raise RuntimeError(f"{command[0]} cannot be run: {error}") from None
    except subprocess.CalledProcessError as error:
        said = (error.stderr or error.stdout).decode(errors="replace").strip()
        raise RuntimeError(f"{' '.join(command)} failed: {said}") from None


def check_launch(metadata):
    """KeyError: a launch of the kernel has to hand over more than its arguments, which the launcher
    of another program does not know."""
    launch = getattr(metadata, "launch", {})
    if launch.get("global_scratch_bytes") or launch.get("tensor_maps"):
        raise KeyError(f"there is no cubin of {metadata.name} for other launchers: its launches make "
                       "tensor maps, or memory for each block, that are parameters besides its "
                       "arguments")


def assemble(ptx):
    """The cubin of a kernel's PTX. KeyError: ptxas is not there. RuntimeError: ptxas fails."""
    target = re.search(r"^\.target\s+(\w+)", ptx, re.MULTILINE)[1]
    with tempfile.TemporaryDirectory() as folder:
        source, result = (os.path.join(folder, f"kernel.{suffix}") for suffix in ("ptx", "cubin"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(ptx)
        _run(_find("ptxas"), "-lineinfo", f"-arch={target}", source, "-o", result)
        with open(result, "rb") as file:
            return file.read()


def disassemble(cubin, fun=None):
    """The text of a cubin, with the lines of the source; of the function `fun` alone where it is
    named. ValueError: there is none of the name."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kernel.cubin")
        with open(path, "wb") as file:
            file.write(cubin)
        text = _run(_find("nvdisasm"), "-g", path).decode()
    if fun is None:
        return text
    sections = re.split(r"(?m)^(?=//-+ )", text)
    found = [one for one in sections if re.match(rf"//-+ \.text\.{re.escape(fun)}\s", one)]
    if not found:
        raise ValueError(f"the cubin has no function '{fun}'")
    return found[0]

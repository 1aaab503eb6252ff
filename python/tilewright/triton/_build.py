"""triton.runtime.build: extension modules of a program's own, built of C and kept by their text."""

import functools
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sysconfig
import tempfile

from .._warn import warn
from . import _cache, _knobs


@functools.lru_cache()
def platform_key():
    """A text that tells machines apart which cannot share code."""
    return ",".join([platform.machine(), platform.system(), *platform.architecture()])


def get_cc():
    """The C compiler: CC, else gcc, else clang."""
    found = os.environ.get("CC") or shutil.which("gcc") or shutil.which("clang")
    if not found:
        raise RuntimeError("there is no C compiler: Failed to find C compiler. Please specify via CC "
                           "environment variable or set triton.knobs.build.impl.")
    return found


def _python_include():
    scheme = sysconfig.get_default_scheme()
    # Debian's own scheme has another folder than Python's headers.
    return sysconfig.get_path("include", "posix_prefix" if scheme == "posix_local" else scheme)


def _library_flag(library):
    """A library by its name, or by its file's name."""
    is_file = library.endswith(".a") or re.search(r"\.so(\.\d+)*$", library)
    return f"-l:{library}" if is_file else f"-l{library}"


def _build(name, src, srcdir, library_dirs, include_dirs, libraries, ccflags):
    """Builds the C file `src` as the extension module `name` in a folder: its path."""
    if _knobs.build.impl:
        return _knobs.build.impl(name, src, srcdir, library_dirs, include_dirs, libraries)
    path = os.path.join(srcdir, name + sysconfig.get_config_var("EXT_SUFFIX"))
    folders = [*include_dirs, srcdir, _python_include(), *_knobs.build.backend_dirs]
    subprocess.run([get_cc(), src, "-O3", "-shared", "-fPIC", "-Wno-psabi", "-o", path,
                    *map(_library_flag, libraries), *(f"-L{folder}" for folder in library_dirs),
                    *(f"-I{folder}" for folder in folders if folder is not None), *ccflags],
                   check=True, stdout=subprocess.DEVNULL)
    return path


def _load_module_from_path(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise RuntimeError(f"{path} is no module that can be loaded")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compile_module_from_src(src, name, library_dirs=None, include_dirs=None, libraries=None,
                            ccflags=None):
    """The extension module `name` of a C text. It is built once, and kept with the program's files
    (triton.runtime.cache)."""
    kept = _cache.get_cache_manager(hashlib.sha256((src + platform_key()).encode()).hexdigest())
    file = name + sysconfig.get_config_var("EXT_SUFFIX")
    path = kept.get_file(file)
    if path is not None:
        try:
            return _load_module_from_path(name, path)
        except (ImportError, RuntimeError) as error:
            warn(f"{path} is built anew, as it cannot be loaded: {error}")
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, name + ".c")
        with open(source, "w", encoding="utf-8") as stream:
            stream.write(src)
        built = _build(name, source, folder, library_dirs or [], include_dirs or [], libraries or [],
                       ccflags or [])
        with open(built, "rb") as stream:
            path = kept.put(stream.read(), file, binary=True)
    return _load_module_from_path(name, path)

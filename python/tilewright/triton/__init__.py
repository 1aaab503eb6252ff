"""Programs written for Triton, run by Tilewright unchanged.

    import tilewright.triton
    tilewright.triton.install()
    import triton, triton.language as tl      # these are ours from here on

or, for a script or a module, without touching it:

    python -m tilewright.triton script.py arguments
    python -m tilewright.triton -m pytest tests

`import triton` then finds the parts of Triton 3.6's interface that are listed in `_modules.py`. What
is not there says its name: an AttributeError or an ImportError, never something that does nothing.
"""

from ._install import install, is_installed, uninstall

__all__ = ["install", "is_installed", "uninstall"]

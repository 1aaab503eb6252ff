"""Results of tuning: compared with each other, and kept on disk."""

import json
import os
import re

from .. import _native
from .._options import DEFAULTS
from .._warn import warn
from ..errors import Error, WrongResult


def copy_of(array):
    return array.clone() if hasattr(array, "clone") else array.copy()


def assign(array, values):
    if hasattr(array, "copy_"):
        array.copy_(values)
    else:
        array[...] = values


def fill_with_zeros(array):
    if hasattr(array, "zero_"):
        array.zero_()
    else:
        array[...] = 0


def _bytes_of(array):
    """The elements' bits, on the host."""
    if hasattr(array, "detach"):
        import torch
        flat = array.detach().contiguous().reshape(-1).cpu()
        return flat.view(torch.uint8).numpy().tobytes()
    return (array.get() if hasattr(array, "get") else array).tobytes()


class Comparison:
    """Whether all configurations do the same to the arrays of a call."""

    def __init__(self, given, arg_names, request):
        types = dict(zip(arg_names, request.types))
        self._arrays = {}
        for name, value in given.items():
            element = re.match(r"(?:\*|tensordesc<)(\w+)", types.get(name) or "")
            array = getattr(value, "base", value) if "<" in (types.get(name) or "") else value
            if element and hasattr(array, "dtype"):
                self._arrays[name] = (array, element[1], copy_of(array))
        self._expected = None
        self._results = None

    def differs(self, config, launch):
        """In what the results of a launch, which calls `take` after it, differ from those of the
        first one; None if in nothing."""
        self.restore()
        launch()
        if self._expected is None:
            self._expected = (config, self._results)
            return None
        first, expected = self._expected
        for name, (_, element, _) in self._arrays.items():
            found = _native.find_difference(element, self._results[name], expected[name])
            if found:
                return f"{name}[{found[0]}] is {found[1]:g}, and {found[2]:g} with {first}"
        return None

    def take(self):
        self._results = {name: _bytes_of(array) for name, (array, _, _) in self._arrays.items()}

    def restore(self):
        """Makes the arrays what they were in the beginning."""
        for array, _, saved in self._arrays.values():
            assign(array, saved)


class KeptResult:
    """The place on disk of the result for a kernel, a device and a key, in the folder of the command
    `tilewright tune`. It depends on the compiler, the source with all that it uses, the
    configurations, and the types of the arguments with their divisibility."""

    def __init__(self, key, configs):
        self._key = key
        self._configs = configs
        self._texts = [str(config) for config in configs]

    @classmethod
    def of(cls, tuner, key, configs, requests):
        """None where nothing is to be kept, or where it cannot be said what it would depend on."""
        if (not tuner.cache_results or os.environ.get("TILEWRIGHT_CACHE") == "off"
                or None in requests or any(config.pre_hook for config in configs)
                or not all(isinstance(part, (str, int, float, type(None))) for part in key)):
            return None
        device = _native.name_of_gpu(requests[0].device) if requests[0].device >= 0 else "sim"
        return cls(_native.TuningKey(tuner.__name__, device,
                                     requests[0].options.target or DEFAULTS["target"],
                                     key_parts(key, configs, requests)), configs)

    def find(self):
        """The times and the failures, by configuration; None if nothing is kept."""
        text = _native.find_tuning(self._key, self._texts)
        if text is None:
            return None
        timings, failures = {}, {}
        for config, trial in zip(self._configs, json.loads(text)):
            timings[config] = [trial.get("milliseconds", float("inf"))]
            if trial["outcome"] != "measured":
                kind = WrongResult if trial["outcome"] == "wrong result" else Error
                failures[config] = kind(trial["message"])
        return timings, failures

    def save(self, timings, failures):
        trials = [_trial(timings[config], failures.get(config)) for config in self._configs]
        if len(failures) == len(trials):
            return
        error = _native.save_tuning(self._key, self._texts, json.dumps(trials))
        if error:
            warn(f"what was measured cannot be kept: {error}")


def key_parts(key, configs, requests):
    """What a result holds for beside the kernel's name, the device and the target."""
    return [("package", _native.compiler_identity()),
            *(("source", text) for text in sorted({one.program.text for one in requests})),
            *(("key", repr(part)) for part in key),
            *(("configuration", f"{config}: {one.signature}, {one.options}")
              for config, one in zip(configs, requests))]


def _trial(timing, failure):
    if failure is None:
        return {"outcome": "measured", "milliseconds":
                float(timing[0] if isinstance(timing, (list, tuple)) else timing)}
    return {"outcome": "wrong result" if isinstance(failure, WrongResult) else "failed",
            "message": getattr(failure, "message", "") or str(failure)}

"""What is to be measured on other machines, and what they found."""

import json
import os

from . import _native
from .errors import Error


class Plan:
    """A plan of `tilewright tune --plan`, or of a kernel's method `plan`.

    json: the plan; files: the arrays that it names as @NAME, by these names, as .npy files.
    """

    def __init__(self, contents, files, compiler):
        self.json = contents
        self.files = files
        #: The build that workers must have; None if it does not matter.
        self.compiler = compiler

    @classmethod
    def read(cls, path):
        path = os.fspath(path)
        with open(path, encoding="utf-8") as file:
            try:
                contents = json.load(file)
            except ValueError:
                contents = None
        if not isinstance(contents, dict) or contents.get("plan") != 1:
            raise Error(f"{path}: this is no plan of what to measure\n  write it with `tilewright "
                        "tune KERNEL.py .. --plan FILE.json`")
        files = {}
        for name, text in contents["arguments"].items():
            if text.startswith("@"):
                with open(os.path.join(os.path.dirname(path), text[1:]), "rb") as file:
                    files[f"{name}.npy"] = file.read()
                contents["arguments"][name] = f"@{name}.npy"
        return cls(contents, files, dict(map(tuple, contents["key"])).get("compiler"))

    def write(self, path):
        """Writes the plan for `tilewright tune`, and its arrays beside it."""
        path = os.fspath(path)
        for name, data in self.files.items():
            with open(os.path.join(os.path.dirname(path), name), "wb") as file:
                file.write(data)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.json, file, indent=1)

    @property
    def configurations(self):
        """Their texts."""
        return [entry["text"] for entry in self.json["configurations"]]


class Result:
    """What one kind of device found. `trials` has a dictionary for each configuration, in order:
    `outcome` (measured, failed, wrong result), and `milliseconds` or `message`; None for one that
    was not measured."""

    def __init__(self, plan, device):
        self.device = device
        self.configurations = plan.configurations
        self.trials = [None] * len(self.configurations)
        self.is_kept = False
        self._key = _native.TuningKey(plan.json["kernel"], device, plan.json["target"],
                                      [tuple(part) for part in plan.json["key"]])

    @classmethod
    def of(cls, plan, device, again):
        """What has been kept, unless `again`, or nothing yet."""
        result = cls(plan, device)
        kept = None if again else _native.find_tuning(result._key, result.configurations)
        if kept is not None:
            result.trials = json.loads(kept)
            result.is_kept = True
        return result

    @property
    def is_complete(self):
        return None not in self.trials

    @property
    def best(self):
        """The index of the quickest configuration; None if none is right."""
        times = {index: trial["milliseconds"] for index, trial in enumerate(self.trials)
                 if trial is not None and trial["outcome"] == "measured"}
        return min(times, key=times.get) if times else None

    def save(self):
        error = _native.save_tuning(self._key, self.configurations, json.dumps(self.trials))
        if error:
            raise Error(f"the result for {self.device} cannot be kept: {error}")

    def __str__(self):
        width = max(13, *map(len, self.configurations))
        lines = [f"{'configuration':{width}}          ms  of the best"]
        best = self.trials[self.best]["milliseconds"] if self.best is not None else None
        for text, trial in zip(self.configurations, self.trials):
            if trial is None:
                what = "  not measured"
            elif trial["outcome"] == "measured":
                what = f"{trial['milliseconds']:12.4f}{trial['milliseconds'] / best:13.2f}"
            else:
                what = f"  {trial['outcome']}: {trial['message']}"
            lines.append(f"{text:{width}}{what}")
        if self.best is not None:
            kept = " (kept from an earlier run; --again measures anew)" if self.is_kept else ""
            lines.append(f"best on {self.device}: {self.configurations[self.best]}{kept}")
        return "\n".join(lines)

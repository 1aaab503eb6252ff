"""Which worker of a cluster measures which configurations."""

import collections
import os
import time

from . import worker as _worker
from .plan import Result

#: So many workers may be lost over a configuration before it counts as their killer.
_MOST_LOSSES = 3


class _Kind:
    """The workers with one kind of device, and what is left for them."""

    def __init__(self, result):
        self.result = result
        self.left = collections.deque() if result.is_kept else collections.deque(
            range(len(result.trials)))
        self.losses = collections.Counter()

    def take(self, workers):
        """The next configurations for one of so many workers: fewer towards the end, so that they
        are done at the same time, but no more parts than need be: each opens the device and makes
        its arrays. One whose worker was lost is alone, so that it is known which it was."""
        if self.losses[self.left[0]]:
            return [self.left.popleft()]
        batch = []
        least = -(-len(self.result.trials) // (4 * workers))
        for _ in range(max(least, len(self.left) // (2 * workers))):
            if not self.left or self.losses[self.left[0]]:
                break
            batch.append(self.left.popleft())
        return batch

    def give_back(self, batch):
        """What a lost worker was at."""
        for index in reversed(batch):
            self.losses[index] += 1
            if self.losses[index] < _MOST_LOSSES:
                self.left.appendleft(index)
            else:
                self.result.trials[index] = {
                    "outcome": "failed",
                    "message": f"{_MOST_LOSSES} workers that measured it were lost"}


class Dispatch:
    """Keeps every worker busy with one part of a plan at a time.

    A task is for the one worker that it was sent to, and is sent to another one when that is gone:
    Dask's own rescheduling does not know which workers have the same device.
    """

    def __init__(self, plan, client, again, patience, progress):
        import cloudpickle
        cloudpickle.register_pickle_by_value(_worker)
        self._plan = plan
        self._client = client
        self._again = again
        self._patience = patience
        self._progress = progress or (lambda device, done, total: None)
        self._command = os.environ.get("TILEWRIGHT_COMMAND", "tilewright")
        self._kinds = {}
        #: By address: the kind of the worker's device, once it has said so.
        self._known = {}
        #: By address: the task and the configurations that it has; none of those while it is asked
        #: for its device.
        self._busy = {}
        #: By address: why a worker cannot measure.
        self.refused = {}

    def run(self):
        """The results, by the device's name."""
        last_sign = time.monotonic()
        try:
            while True:
                living = set(self._client.nthreads())
                self._drop_lost(living)
                self._send(living)
                if self._busy:
                    last_sign = time.monotonic()
                elif self._is_done(living) or time.monotonic() - last_sign > self._patience:
                    break
                self._wait()
        finally:
            for task, _ in self._busy.values():
                task.cancel()
        return {device: kind.result for device, kind in self._kinds.items()}

    def _is_done(self, living):
        """Whether nothing is left, or no worker is there that could still say that it can."""
        if self._kinds:
            return not any(kind.left for kind in self._kinds.values())
        return bool(living) and living <= self.refused.keys()

    def _drop_lost(self, living):
        for address in self._busy.keys() - living:
            task, batch = self._busy.pop(address)
            task.cancel()
            self._lose(self._known.get(address), batch)
        for address in self._known.keys() - living:
            del self._known[address]

    def _send(self, living):
        for address in living - self._busy.keys() - self.refused.keys():
            kind = self._known.get(address)
            if kind is None:
                self._submit(address, None)
            elif kind.left:
                count = sum(other is kind for other in self._known.values())
                self._submit(address, kind.take(count))

    def _submit(self, address, batch):
        task = self._client.submit(_worker.measure, self._plan.json, self._plan.files, batch or [],
                                   self._command, workers=[address], pure=False,
                                   allow_other_workers=False)
        self._busy[address] = (task, batch)

    def _wait(self):
        """Until something is done, but not for long: workers come and go."""
        from distributed import wait
        tasks = [task for task, _ in self._busy.values()]
        if not tasks:
            time.sleep(0.1)
            return
        try:
            wait(tasks, timeout=0.2, return_when="FIRST_COMPLETED")
        except Exception as error:
            # The class of this exception depends on the version: TimeoutError of asyncio or tornado.
            if "timeout" not in type(error).__name__.lower():
                raise
        for address, (task, batch) in list(self._busy.items()):
            if task.done():
                del self._busy[address]
                self._finish(address, task, batch)

    def _finish(self, address, task, batch):
        kind = self._known.get(address)
        if task.status in ("cancelled", "lost"):
            self._lose(kind, batch)
            return
        try:
            # The worker has it; it may be gone by now, and nobody else can make it again.
            lines = task.result(timeout=30)
        except Exception as error:
            # Not the class of that name here: the worker's was sent there.
            if type(error).__name__ == "WorkerError" or kind is None:
                self.refused[address] = str(error)
                self._known.pop(address, None)
                if kind:
                    kind.left.extendleft(reversed(batch))
            else:
                self._lose(kind, batch)
            return
        if batch is None:
            self._meet(address, lines[0])
            return
        for line in lines:
            kind.result.trials[line.pop("index")] = line
        self._report(kind)

    def _lose(self, kind, batch):
        if batch is not None:
            kind.give_back(batch)
            self._report(kind)

    def _meet(self, address, line):
        expected = self._plan.compiler
        if expected and line["compiler"] != expected:
            self.refused[address] = ("its tilewright is another build than the one that wrote the "
                                     "plan")
            return
        device = line["device"]
        if device not in self._kinds:
            self._kinds[device] = _Kind(Result.of(self._plan, device, self._again))
            self._report(self._kinds[device])
        self._known[address] = self._kinds[device]

    def _report(self, kind):
        trials = kind.result.trials
        self._progress(kind.result.device, sum(trial is not None for trial in trials), len(trials))

"""triton.profiler (proton): where the time of a GPU goes, as a tree of scopes and kernels.

A session has a tree. Each launch is timed by a pair of events on its stream and belongs to the scopes
that are open where it is made; a scope without launches of ours, such as one of PyTorch's own
functions, is timed as a whole. `finalize` writes the tree as NAME.hatchet, the JSON that Triton's
writes: [tree, {"CUDA": {"0": properties}}].
"""

import functools
import json
import threading
import time

from .._hooks import hooks
from . import _knobs

DEFAULT_PROFILE_NAME = "proton"

#: What a kernel's `launch_metadata` may say of a launch, besides its name.
_LAUNCH_METRICS = ("flops8", "flops16", "flops32", "flops64", "flops", "bytes")

#: The time in the files, and how often.
TIME = "time (ns)"
COUNT = "count"


class _GpuClock:
    """Pairs of events on the stream of the moment, of PyTorch's GPU."""

    def __init__(self):
        from .. import testing
        self._gpu = testing._torch_with_gpu()
        if self._gpu is None:
            raise RuntimeError("triton.profiler measures times of a GPU, and PyTorch sees none here: "
                               "leave it out (TRITON_PROTON_DISABLE=1 does), or time calls with "
                               "triton.testing.do_bench, which works on the simulator too")

    def mark(self):
        event = self._gpu.Event(enable_timing=True)
        event.record()
        return event

    def nanoseconds(self, begin, end):
        end.synchronize()
        return begin.elapsed_time(end) * 1e6

    def device(self):
        """(type, number, properties) of the GPU."""
        from ._driver import DriverBase
        driver = DriverBase()
        number = driver.get_current_device()
        of = self._gpu.get_device_properties(number)
        target = driver.get_current_target()
        return target.backend.upper(), str(number), {
            "arch": str(target.arch), "num_sms": getattr(of, "multi_processor_count", 0),
            "clock_rate": getattr(of, "clock_rate", 0),
            "memory_clock_rate": getattr(of, "memory_clock_rate", 0),
            "bus_width": getattr(of, "memory_bus_width", 0)}


#: What times sessions that begin: of a GPU.
_make_clock = _GpuClock


class _Node:
    """A scope or a kernel in the place where it is in the tree. `spans` are pairs of marks;
    `is_kernel` says that they are of launches."""

    def __init__(self, name, is_kernel=False):
        self.name = name
        self.is_kernel = is_kernel
        self.metrics = {}
        self.spans = []
        self.children = {}

    def child(self, name, is_kernel=False):
        return self.children.setdefault((name, is_kernel), _Node(name, is_kernel))

    def add(self, metrics):
        for name, value in (metrics or {}).items():
            self.metrics[name] = self.metrics.get(name, 0) + value

    def has_kernels(self):
        return any(one.is_kernel or one.has_kernels() or one.spans
                   for one in self.children.values())

    def to_json(self, clock, device):
        metrics = dict(self.metrics)
        if self.spans and (self.is_kernel or not self.has_kernels()):
            metrics[TIME] = sum(clock.nanoseconds(*span) for span in self.spans)
            metrics[COUNT] = len(self.spans)
            metrics["device_type"], metrics["device_id"] = device
        return {"frame": {"name": self.name, "type": "function"}, "metrics": metrics,
                "children": [one.to_json(clock, device) for one in self.children.values()]}


class _Session:
    def __init__(self, number, name, hook):
        self.number = number
        self.name = name
        self.uses_metadata = hook == "triton"
        self.is_active = True
        self.clock = _make_clock()
        self.root = _Node("ROOT")

    def at(self, path):
        node = self.root
        for name in path:
            node = node.child(name)
        return node

    def write(self):
        kind, number, properties = self.clock.device()
        tree = self.root.to_json(self.clock, (kind, number))
        tree["metrics"] = {TIME: 0, COUNT: 0, **tree["metrics"]}
        with open(f"{self.name}.hatchet", "w", encoding="utf-8") as file:
            json.dump([tree, {kind: {number: properties}}], file)


#: By number. A number stands for one session as long as the process lives.
_sessions = {}
_count = 0

_local = threading.local()


def _open_scopes():
    """The scopes of this thread, the outermost first."""
    if not hasattr(_local, "scopes"):
        _local.scopes, _local.launches = [], []
    return _local.scopes


def _active():
    return [session for session in _sessions.values() if session.is_active]


def _chosen(session):
    if session is None:
        return list(_sessions.values())
    if session not in _sessions:
        raise ValueError(f"there is no profiling session {session!r}: start() returns its number")
    return [_sessions[session]]


# Launches


def _enter_launch(metadata):
    path = tuple(name for name, _ in _open_scopes())
    begun = []
    for session in _active():
        said = metadata.get() if session.uses_metadata else metadata.data
        node = session.at(path).child(said["name"], is_kernel=True)
        if session.uses_metadata:
            node.add({name: said[name] for name in _LAUNCH_METRICS if name in said})
        begun.append((session, node, session.clock.mark()))
    _local.launches.append(begun)


def _leave_launch(metadata):
    del metadata
    for session, node, begin in _local.launches.pop() if _local.launches else ():
        node.spans.append((begin, session.clock.mark()))


# Sessions


def start(name=None, *, context="shadow", data="tree", backend=None, mode=None, hook=None):
    """Begins a session, which is written to NAME.hatchet; its number. hook="triton" has the names and
    the operations that a kernel's `launch_metadata` computes in the tree. None where
    TRITON_PROTON_DISABLE is set."""
    global _count
    for what, value, known in (("context", context, ("shadow",)), ("data", data, ("tree",)),
                               ("backend", backend, (None, "cupti", "roctracer")),
                               ("mode", mode, (None, "")), ("hook", hook, (None, "triton"))):
        if value not in known:
            raise NotImplementedError(f"triton.profiler.start({what}={value!r}) is not in "
                                      "tilewright.triton, which times scopes and kernels: "
                                      f"{what} is {' or '.join(map(repr, known))}")
    if _knobs.proton.disable:
        return None
    session = _Session(_count, DEFAULT_PROFILE_NAME if name is None else name, hook)
    _sessions[session.number] = session
    _count += 1
    hooks.launch_enter_hook.add(_enter_launch)
    hooks.launch_exit_hook.add(_leave_launch)
    return session.number


def activate(session=None):
    """Goes on with a session, or with all."""
    for one in _chosen(session):
        one.is_active = True


def deactivate(session=None):
    """Halts a session, or all; what was measured stays."""
    for one in _chosen(session):
        one.is_active = False


def finalize(session=None, output_format=""):
    """Ends a session, or all, and writes what was measured."""
    if output_format not in ("", "hatchet", None):
        raise NotImplementedError(f"triton.profiler.finalize(output_format={output_format!r}) is not "
                                  "in tilewright.triton: the format is 'hatchet'")
    for one in _chosen(session):
        one.write()
        del _sessions[one.number]
    if not _sessions:
        hooks.launch_enter_hook.remove(_enter_launch)
        hooks.launch_exit_hook.remove(_leave_launch)


def profile(func=None, *, name=None, context="shadow", data="tree", backend=None, mode=None,
            hook=None):
    """A decorator: each call of the function is a session, which `finalize` writes."""
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            session = start(name, context=context, data=data, backend=backend, mode=mode, hook=hook)
            result = function(*args, **kwargs)
            if session is not None:
                deactivate(session)
            return result
        return wrapper
    return decorate if func is None else decorate(func)


# Scopes


def enter_scope(name, *, metrics=None):
    """Opens a scope in this thread; exit_scope closes it."""
    if not _sessions:
        return None
    scopes = _open_scopes()
    path = tuple(one for one, _ in scopes) + (name,)
    begun = []
    for session in _active():
        node = session.at(path)
        node.add(metrics)
        begun.append((session, node, session.clock.mark()))
    scopes.append((name, begun))
    return len(scopes)


def exit_scope(name=None, *, metrics=None):
    """Closes the scope that was opened last."""
    scopes = _open_scopes()
    if not scopes:
        return None
    opened, begun = scopes[-1]
    if name is not None and name != opened:
        raise ValueError(f"Scope name mismatch: {name} is to be closed, and {opened} is open")
    scopes.pop()
    for session, node, begin in begun:
        node.spans.append((begin, session.clock.mark()))
        node.add(metrics)
    return len(scopes) + 1


class scope:
    """A scope of the tree, as a context or a decorator. `metrics` are added up in it."""

    def __init__(self, name, metrics=None):
        self.name = name
        self.metrics = metrics

    def __enter__(self):
        self._is_open = enter_scope(self.name, metrics=self.metrics) is not None
        return self

    def __exit__(self, *error):
        if self._is_open:
            exit_scope(self.name, metrics=self._measured())

    def _measured(self):
        return None

    def __call__(self, function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with type(self)(self.name, self.metrics):
                return function(*args, **kwargs)
        return wrapper


class cpu_timed_scope(scope):
    """A scope with the time that the host spends in it as well."""

    def __init__(self, name, metrics=None):
        super().__init__(name, metrics)
        if metrics and "cpu_time" in metrics:
            raise ValueError("The metric name 'cpu_time' is reserved.")

    def __enter__(self):
        self._begin = time.perf_counter_ns()
        return super().__enter__()

    def _measured(self):
        return {"cpu_time (ns)(exc)": time.perf_counter_ns() - self._begin}


class state(scope):
    """A name in the tree below the open scopes."""

    def __init__(self, name):
        super().__init__(name)

    def __call__(self, function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            with state(self.name):
                return function(*args, **kwargs)
        return wrapper


def enter_state(name):
    enter_scope(name)


def exit_state():
    exit_scope()

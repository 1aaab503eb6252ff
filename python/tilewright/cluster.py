"""Tuning on many machines: configurations are measured by the workers of a Dask cluster.

    tilewright tune gemm.py .. --plan gemm.json
    python -m tilewright.cluster gemm.json --scheduler tcp://head:8786

    client = distributed.Client("tcp://head:8786")
    results = tilewright.cluster.tune(gemm.plan(a, b, c, n, n, n, grid=grid), client)

docs/tuning.md is the chapter.
"""

import argparse
import contextlib
import sys
import warnings

from .tune import dispatch as _dispatch
from .tune.plan import Plan, Result
from .errors import Error

__all__ = ["Plan", "Result", "tune"]


def tune(plan, client, *, again=False, patience=60.0, progress=None):
    """Measures all configurations of a plan on the workers of a distributed.Client.

    Each kind of device that the workers have measures all of them, so that only times of one kind
    are compared: the result has a Result for each, by the device's name. What an earlier run has
    kept is not measured, unless `again` says so; what is measured is kept, as by the command.

    A worker that is lost loses nothing: others measure what it had, and workers that join in the
    meantime take part. Where there are none for `patience` seconds, what is missing stays so.

    progress: called with (device, configurations that are done, all) when that changes.
    """
    if not isinstance(plan, Plan):
        plan = Plan.read(plan)
    dispatch = _dispatch.Dispatch(plan, client, again, patience, progress)
    results = dispatch.run()
    for address, reason in dispatch.refused.items():
        warnings.warn(f"the worker {address} does not take part: {reason}", stacklevel=2)
    if not results:
        raise Error("no worker of the cluster can measure: " + (
            "; ".join(sorted(set(dispatch.refused.values()))) or "there are none"))
    for result in results.values():
        if result.is_complete and not result.is_kept:
            result.save()
        if not result.is_complete:
            warnings.warn(f"configurations were not measured on {result.device}, since no worker "
                          "with one is left; the result is not kept", stacklevel=2)
    return results


def main():
    parser = argparse.ArgumentParser(
        prog="python -m tilewright.cluster",
        description="Measures a plan of `tilewright tune --plan` on the workers of a Dask cluster.")
    parser.add_argument("plan", help="the plan, a file of JSON")
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--scheduler", help="the address of the cluster's scheduler")
    where.add_argument("--local", type=int, metavar="N",
                       help="start N workers on this machine, with a part of its cores each")
    parser.add_argument("--again", action="store_true",
                        help="measure also where a result has been kept")
    flags = parser.parse_args()
    try:
        plan = Plan.read(flags.plan)
        with _client_of(flags) as client:
            results = tune(plan, client, again=flags.again, progress=_bar())
    except (Error, OSError) as error:
        sys.exit(f"error: {error}")
    for result in results.values():
        print(result)
    if not any(result.best is not None for result in results.values()):
        sys.exit("error: no configuration gave a result; the lines above say why, for each")


@contextlib.contextmanager
def _client_of(flags):
    try:
        import distributed
    except ImportError:
        raise Error("tilewright.cluster takes the package distributed: "
                    "pip install distributed") from None
    with contextlib.ExitStack() as stack:
        where = flags.scheduler or stack.enter_context(distributed.LocalCluster(
            n_workers=flags.local, threads_per_worker=1, dashboard_address=None))
        yield stack.enter_context(distributed.Client(where))


def _bar():
    from .tune import progress as _progress
    bars, counts = {}, {}

    def show(device, done, total):
        if device not in bars:
            bars[device] = _progress.bar(total, f"measuring on {device}")
        bars[device].update(done - counts.get(device, 0))
        counts[device] = done
        if done == total:
            bars[device].close()

    return show


if __name__ == "__main__":
    main()

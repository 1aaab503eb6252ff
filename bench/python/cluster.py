#!/usr/bin/env python3
"""How long tuning takes with one and two cores, and with one and two workers of a core each.

usage: cluster.py COMMAND [ROUNDS]      needs the package distributed; no GPU

COMMAND is the path of `tilewright`. 24 configurations of a matmul are compiled and run on the
simulator, by the command alone on one core and on two, and by tilewright.cluster with one worker on
the first core, and with two workers, one on each. Caches are empty; the workers are there before the
clock starts. Prints the least and the median of the rounds, in seconds, the ways in turn.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = '''
import triton
import triton.language as tl


@triton.jit
def gemm(a, b, c, n, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    sum = tl.zeros((BM, BN), tl.float32)
    for k in range(0, n, BK):
        x = tl.load(a + rm[:, None] * n + k + rk[None, :])
        y = tl.load(b + (k + rk)[:, None] * n + rn[None, :])
        sum = tl.dot(x, y, sum)
    tl.store(c + rm[:, None] * n + rn[None, :], sum.to(tl.float16))
'''


def make_plan(command, folder):
    source, plan = os.path.join(folder, "gemm.py"), os.path.join(folder, "plan.json")
    with open(source, "w", encoding="utf-8") as file:
        file.write(SOURCE)
    arrays = [word for name in "abc" for word in ("--arg", f"{name}=rand(128, 128)")]
    subprocess.run(
        [command, "tune", source, "--signature",
         "*fp16:16, *fp16:16, *fp16:16, i32:16, BM, BN, BK", "--config",
         "BM=[64, 128], BN=[32, 64, 128], BK=[32, 64], num_warps=4, num_stages=[2, 3]",
         "--grid", "cdiv(n, BM), cdiv(n, BN)", *arrays, "--arg", "n=128", "--repeat", "1",
         "--plan", plan], check=True)
    return plan


def alone(command, plan, cores):
    begin = time.perf_counter()
    subprocess.run(["taskset", "-c", cores, command, "tune", plan, "--again"], check=True,
                   stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def with_workers(plan, cores):
    import distributed
    from tilewright import cluster
    with distributed.LocalCluster(n_workers=0, dashboard_address=None) as scheduler, \
            distributed.Client(scheduler) as client:
        workers = [subprocess.Popen(
            ["taskset", "-c", core, sys.executable, "-m", "distributed.cli.dask_worker",
             scheduler.scheduler_address, "--no-nanny", "--nthreads", "1", "--no-dashboard"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for core in cores]
        client.wait_for_workers(len(cores))
        begin = time.perf_counter()
        (result,) = cluster.tune(plan, client, again=True).values()
        seconds = time.perf_counter() - begin
        assert all(trial["outcome"] == "measured" for trial in result.trials)
        for worker in workers:
            worker.kill()
            worker.wait()
    return seconds


def main():
    command = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    os.environ["TILEWRIGHT_COMMAND"] = command
    times = {}
    for _ in range(rounds):
        for what, measure in (
                ("the command, 1 core", lambda plan: alone(command, plan, "0")),
                ("the command, 2 cores", lambda plan: alone(command, plan, "0,1")),
                ("1 worker", lambda plan: with_workers(plan, ["0"])),
                ("2 workers", lambda plan: with_workers(plan, ["0", "1"]))):
            with tempfile.TemporaryDirectory() as folder:
                os.environ["TILEWRIGHT_CACHE_DIR"] = folder
                times.setdefault(what, []).append(measure(make_plan(command, folder)))
    for what, seconds in times.items():
        print(f"{what:22} least {min(seconds):6.2f} s, median {statistics.median(seconds):6.2f} s")


if __name__ == "__main__":
    main()

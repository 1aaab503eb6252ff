//===- Passes.td - The software pipeline of loops -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PIPELINE_PASSES
#define TILEWRIGHT_TRANSFORM_PIPELINE_PASSES

include "mlir/Pass/PassBase.td"

class PipelinePass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect", "::tilewright::tt::TritonDialect",
                           "::tilewright::ttg::TritonGPUDialect"];
}

def TritonGPUFuseNestedLoops : PipelinePass<"tritongpu-fuse-nested-loops"> {
  let summary = "Make one loop of the nests marked with tt.flatten";
  let description = [{
    A marked `scf.for` and the only loop in it become one, if the inner bounds do not depend on
    the outer loop; what stands before and after the inner loop runs in its first and in its
    last iteration. Where the inner loop has no iteration, the outer one runs alone. The
    attribute is removed.
  }];
}

def TritonGPUAssignLatencies : PipelinePass<"tritongpu-assign-latencies"> {
  let summary = "Which loads of a loop begin how many iterations before their use";
  let description = [{
    Sets `tt.latency`, a number of iterations, on the loads of innermost loops that copies can
    make while earlier iterations compute: those that products wait for, and in loops without
    products those that the source asks for (`tt.num_stages` on the loop) or that threads wait
    for together. A loop of S stages gets S - 1 iterations for all of its loads; where loads give
    addresses to others, each level of them gets its part. Fewer stages are taken where shared
    memory does not hold the buffers. Without asynchronous copies registers hold one tile ahead:
    loads that go through registers (`LoopStrategy`) get a latency of 1, others none. Products that
    complete later than they are issued get a `tt.self_latency` of 1 where no op of their iteration
    reads the result: they may run on into the next one.
  }];
  let options = [
    Option<"numStages", "num-stages", "int32_t", /*default=*/"::tilewright::OptionDefaults::numStages",
           "stages that overlap where a loop does not say; 1 leaves loops as they are">
  ];
}

def TritonGPUScheduleLoops : PipelinePass<"tritongpu-schedule-loops"> {
  let summary = "A stage and a place in the iteration for every op of a loop";
  let description = [{
    Reads `tt.latency` and gives each op of the body its stage - the number of iterations after
    the first stage - and its cluster, the order of ops in an iteration of the pipelined loop:
    `loop.stage`, `loop.cluster`, and on the loop `tt.scheduled_max_stage`. Ops of later stages
    come first. A loop for which there is no such schedule is left as it is.
  }];
  let options = [
    Option<"isExact", "exact", "bool", /*default=*/"false",
           "search for the schedule of the shortest iterations, within limits">
  ];
}

def TestPrintSchedules : PipelinePass<"test-print-schedules"> {
  let summary = "Print the scheduling problem of each loop, its solutions and their figures";
  let description = [{
    Of each loop with `tt.latency` on ops: the problem as text (ScheduleText.h), the solution of the
    list scheduler and that of the exact one, "found" where the search was not finished. Nothing is
    changed.
  }];
}

def TritonGPUPipeline : PipelinePass<"tritongpu-pipeline"> {
  let summary = "Iterations of scheduled loops overlap";
  let description = [{
    Loads that begin earlier than their use become asynchronous copies into buffers of shared
    memory, one more than there are copies under way, and waits before the use. Then the loop is
    expanded: the first stages of the first iterations stand before it; the loop has all
    iterations, and in the last ones the first stages are masked off. The waits are told how many
    groups of copies may still be under way.
  }];
}

def TritonGPUPrefetch : PipelinePass<"tritongpu-prefetch"> {
  let summary = "Operands of a product come from shared memory one step of K ahead";
  let description = [{
    In a pipelined loop, a product that a warp computes from registers is cut along K into steps of
    one instruction. Each step is loaded while the one before it is multiplied; the first one, and
    with it the wait for the tile, at the end of the iteration before.
  }];
}

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_PASSES

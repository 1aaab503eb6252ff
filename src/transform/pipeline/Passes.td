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

def SpillToSharedMemory : PipelinePass<"tilewright-spill-to-shared-memory"> {
  let summary = "What waits for the end of a loop of products waits in shared memory";
  let description = [{
    Tensors that one loop has given, that a later loop with products does not use, and that are used
    after it go to shared memory before the later loop and come back before their first use behind
    it. The largest first, as long as a thread has too few registers for the loop and what waits,
    and only if the tiles that the loop loads keep their room in shared memory.
  }];
  let options = [
    Option<"maxRegisters", "max-registers", "uint32_t", /*default=*/"0",
           "registers of 32 bits that a thread has; 0: as the target says">
  ];
}

def TritonGPUAssignLatencies : PipelinePass<"tritongpu-assign-latencies"> {
  let summary = "Which loads of a loop begin how many iterations before their use";
  let description = [{
    Sets `tt.latency`, a number of iterations, on the loads of innermost loops that copies can
    make while earlier iterations compute: those that products wait for, and in loops without
    products those that the source asks for (`tt.num_stages` on the loop) or that threads wait
    for together. A loop of S stages gets S - 1 iterations for all of its loads; where loads give
    addresses to others, each level of them gets its part. Fewer stages are taken where shared
    memory does not hold the buffers. A target without asynchronous copies gets nothing.
  }];
  let options = [
    Option<"numStages", "num-stages", "int32_t", /*default=*/"3",
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
  let options = [
    Option<"numStages", "num-stages", "int32_t", /*default=*/"3",
           "as of tritongpu-assign-latencies; the schedule says all that matters">
  ];
}

def TritonGPUPrefetch : PipelinePass<"tritongpu-prefetch"> {
  let summary = "Operands of a product come from shared memory one step of K ahead";
  let description = [{
    In a pipelined loop, a product that a warp computes from registers is cut along K into steps of
    one instruction. Each step is loaded while the one before it is multiplied; the first one, and
    with it the wait for the tile, at the end of the iteration before.
  }];
}

def SplitLoops : PipelinePass<"tilewright-split-loops"> {
  let summary = "Loops without masks that hold for long";
  let description = [{
    A comparison of integers that are affine in a loop's index holds for all elements up to an index
    that is known before the loop. In innermost loops with products, iterations up to there do
    without it, where it is for selects of at least 16 elements a thread or for asynchronous copies
    of elements of 32 bits: a branch in the loop has these. Where operands go to shared memory by
    way of registers, the loop is split instead: up to there runs a loop without masks, from there
    on one with them. With matrix units it is done for masks of loads too; where warps have
    registers for what their threads share, the first loop takes the addresses of loads apart into a
    base that all threads share and 32-bit offsets that stay. The second loop carries bases, too,
    where its pointers would not find registers.
  }];
}

#endif // TILEWRIGHT_TRANSFORM_PIPELINE_PASSES

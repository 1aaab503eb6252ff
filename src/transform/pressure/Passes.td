//===- Passes.td - Values that registers do not hold ----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_PRESSURE_PASSES
#define TILEWRIGHT_TRANSFORM_PRESSURE_PASSES

include "mlir/Pass/PassBase.td"

class PressurePass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect", "::tilewright::tt::TritonDialect",
                           "::tilewright::ttg::TritonGPUDialect"];
}

def SplitAccumulators : PressurePass<"tilewright-split-accumulators"> {
  let summary = "Compute products whose sums no thread has registers for in parts";
  let description = [{
    On `tt`, before layouts. A loop that accumulates products of so many elements that a thread has
    more than `max-registers` registers of sums becomes two or four loops (`tw.part`), one after the
    other, each for a part of the columns or rows, along the longer side: four if shared memory has
    no room for the result of one of two beside the operands of the next. The stores stay where they are, after
    all of the loops, since they may overwrite what these load; what is computed from a part before
    that, as its rounding, moves up after the part's own loop.

    A loop is left alone where it writes, where what depends on its sums cannot be divided, as a sum
    over the columns, and where a product would be computed for more than one part.
  }];
  let options = [Option<"target", "target", "std::string", 
                        /*default=*/"std::string(::tilewright::OptionDefaults::target)",
                        "the GPU to compile for, by the name of its entry in target/Target.h">,
                 Option<"threads", "threads", "uint32_t", /*default=*/"128", "threads of a block">,
                 Option<"maxRegisters", "max-registers", "uint32_t", /*default=*/"0",
                        "registers of 32 bits that a thread may have for sums; 0: three fifths of "
                        "all">];
}

def SpillToSharedMemory : PressurePass<"tilewright-spill-to-shared-memory"> {
  let summary = "What waits for the end of a loop of products waits in shared memory";
  let description = [{
    Tensors that one loop has given, that a later loop with products does not use, and that are used
    after it go to shared memory before the later loop and come back before their first use after
    it. The largest first, as long as a thread has too few registers for the loop and what waits,
    and only if the tiles that the loop loads keep their room in shared memory.
  }];
  let options = [
    Option<"maxRegisters", "max-registers", "uint32_t", /*default=*/"0",
           "registers of 32 bits that a thread has; 0: as the target says">
  ];
}

def WarnOfRegisters : PressurePass<"tilewright-warn-of-registers"> {
  let summary = "Warn of kernels that keep more values than any register file holds";
  let description = [{
    Counts the registers of a thread for tensors that were read from memory or come from a loop, and
    for what was made of them, at the place where most are alive at once. From 1,024 on, four times
    what a thread has anywhere, there is a warning at that place. Changes nothing.
  }];
}

def EstimateRegisters : PressurePass<"tilewright-estimate-registers"> {
  let summary = "Say how many registers a back end is expected to allocate";
  let description = [{
    A remark at each function with the estimate of analysis/RegisterEstimate.h, for each group of
    warps, and what it is made of: the numbers are those of values, of fragments of products, of
    addresses and so on, where the most are alive. bench/resources/calibrate.py reads it. Changes
    nothing.
  }];
}

#endif // TILEWRIGHT_TRANSFORM_PRESSURE_PASSES

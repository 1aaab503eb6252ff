//===- Passes.td - Passes that keep data where it is --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LOCALITY_PASSES
#define TILEWRIGHT_TRANSFORM_LOCALITY_PASSES

include "mlir/Pass/PassBase.td"

class LocalityPass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::tilewright::tt::TritonDialect",
                           "::tilewright::ttg::TritonGPUDialect"];
}

def TritonGPUOptimizeThreadLocality : LocalityPass<"tritongpu-optimize-thread-locality"> {
  let summary = "Reduce across threads once, after the loop";
  let description = [{
    Where a loop accumulates a reduction, `acc = op(acc, reduce(x))`, the loop accumulates what
    each thread has of it and the threads are combined after the loop. The op is one that is
    associative and commutative, or a floating-point sum or product, which `tt.reduce` takes to
    be so: the order of the sum changes.
  }];
}

def TritonGPUReduceDataDuplication : LocalityPass<"tritongpu-reduce-data-duplication"> {
  let summary = "Move elements between threads once, and in their narrow type";
  let description = [{
    A conversion of a broadcast tensor becomes a broadcast of the converted smaller one; a
    conversion after a widening cast, or before a narrowing one, works on the narrow type. Each
    where the plans of the conversions say that it is cheaper.
  }];
}

def TritonGPUReorderInstructions : LocalityPass<"tritongpu-reorder-instructions"> {
  let summary = "Start loads before synchronising, compute values near their uses";
  let description = [{
    Within a block: loads move up past reductions and conversions that wait for other threads,
    as far as memory effects and a budget of registers permit. Ops without side effects move
    down to their first use where that shortens the time that registers are taken.
  }];
}

def SplitAccumulators : LocalityPass<"tilewright-split-accumulators"> {
  let summary = "Compute products whose sums no thread has registers for in parts";
  let description = [{
    On `tt`, before layouts. A loop that accumulates products of so many elements that a thread has
    more than `max-registers` registers of sums becomes two or four loops (`tw.part`), one after the
    other, each for a part of the columns or rows, along the longer side: four if shared memory has
    no room for the result of one of two beside the operands of the next. The stores stay where they are, behind
    all of the loops, since they may overwrite what these load; what is computed from a part before
    that, as its rounding, moves up behind the part's own loop.

    A loop is left alone where it writes, where what depends on its sums cannot be divided, as a sum
    over the columns, and where a product would be computed for more than one part.
  }];
  let options = [Option<"target", "target", "std::string", 
                        /*default=*/"std::string(::tilewright::target::defaultTargetName)",
                        "the GPU to compile for, by the name of its entry in target/Target.h">,
                 Option<"threads", "threads", "uint32_t", /*default=*/"128", "threads of a block">,
                 Option<"maxRegisters", "max-registers", "uint32_t", /*default=*/"0",
                        "registers of 32 bits that a thread may have for sums; 0: three fifths of "
                        "all">];
}

def WarnOfRegisters : LocalityPass<"tilewright-warn-of-registers"> {
  let summary = "Warn of kernels that keep more values than any register file holds";
  let description = [{
    Counts the registers of a thread for tensors that were read from memory or come from a loop, and
    for what was made of them, at the place where most are alive at once. From 1,024 on, four times
    what a thread has anywhere, there is a warning at that place. Changes nothing.
  }];
}

def PrefetchLoads : LocalityPass<"tilewright-prefetch-loads"> {
  let summary = "Load what later iterations need during the arithmetic of earlier ones";
  let description = [{
    A loop that computes much with each element that it loads runs four iterations (or two, if
    registers are short) at once, and loads what the next four need before it computes. For
    loops without writes, barriers and calls whose addresses do not depend on what they load.
    A loop's attribute `tt.num_stages` overrides the option.
  }];
  let options = [
    Option<"numStages", "num-stages", "int32_t", /*default=*/"3",
           "stages that overlap; 1 leaves loops as they are">
  ];
}

#endif // TILEWRIGHT_TRANSFORM_LOCALITY_PASSES

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

def PrefetchLoads : LocalityPass<"tilewright-prefetch-loads"> {
  let summary = "Load what later iterations need during the arithmetic of earlier ones";
  let description = [{
    A loop that computes much with each element that it loads runs four iterations (or two, if
    registers are short) at once, and loads what the next four need before it computes. For
    loops without writes, barriers and calls whose addresses do not depend on what they load.
    A loop's attribute `tt.num_stages` overrides the option.
  }];
  let options = [
    Option<"numStages", "num-stages", "int32_t", /*default=*/"::tilewright::OptionDefaults::numStages",
           "stages that overlap; 1 leaves loops as they are">
  ];
}

def TritonGPUCombineTensorSelectAndIf : LocalityPass<"tritongpu-combine-tensor-select-and-if"> {
  let summary = "Tensors that are chosen by the condition of a branch become its results";
  let description = [{
    An `arith.select` between tensors by one condition goes into an `scf.if` on that condition
    that follows it.
  }];
}

#endif // TILEWRIGHT_TRANSFORM_LOCALITY_PASSES

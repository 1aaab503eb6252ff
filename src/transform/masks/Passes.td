//===- Passes.td - Masks that hold for most iterations --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_MASKS_PASSES
#define TILEWRIGHT_TRANSFORM_MASKS_PASSES

include "mlir/Pass/PassBase.td"

class MasksPass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::ub::UBDialect", "::tilewright::tt::TritonDialect",
                           "::tilewright::ttg::TritonGPUDialect"];
}

def SplitLoops : MasksPass<"tilewright-split-loops"> {
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

#endif // TILEWRIGHT_TRANSFORM_MASKS_PASSES

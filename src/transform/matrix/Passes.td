//===- Passes.td - Passes over products of matrices ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_DOT_PASSES
#define TILEWRIGHT_TRANSFORM_DOT_PASSES

include "mlir/Pass/PassBase.td"

def DecomposeScaledDot : Pass<"tilewright-decompose-scaled-dot", "::mlir::ModuleOp"> {
  let summary = "Products with scales as plain products of scaled operands";
  let description = [{
    Each tt.dot_scaled becomes a tt.dot: the operands are unpacked, widened to a type in which
    they and their scaled values are exact - bf16 where that does, f16 for f16 without scales,
    f32 otherwise - and multiplied by their scales. Works on tt, before layouts.
  }];
  let dependentDialects = ["::tilewright::tt::TritonDialect", "::mlir::arith::ArithDialect"];
}

def TritonGPUF32DotTC : Pass<"tritongpu-F32DotTC", "::mlir::ModuleOp"> {
  let summary = "Products of f32 as sums of products that matrix units compute";
  let description = [{
    bf16x3 and bf16x6 split each f32 into two or three bf16, tf32x3 into two tf32, and sum the
    products of the parts that matter, the smallest first. Where the module names a target, these
    are the products that a matrix unit of it will take: multiply-adds of f32 are more exact than
    any of these, and quicker than several products.
  }];
  let options = [
    Option<"emuTF32", "emu-tf32", "bool", /*default=*/"false", "split tf32x3 products, too">
  ];
  let dependentDialects = ["::tilewright::tt::TritonDialect", "::mlir::arith::ArithDialect"];
}

def TritonGPUAccelerateMatmul : Pass<"tritongpu-accelerate-matmul", "::mlir::ModuleOp"> {
  let summary = "Give products to the matrix units of the target";
  let description = [{
    Each product that an instruction of the target computes, in fewer cycles than multiply-adds
    take, gets the instruction's layouts: the accumulator is cut into its tiles, which the warps
    share, and operands are converted to `#ttg.dot_op` of that. The atoms of the target
    (target/Atom.h) say which instructions there are and what they cost.
  }];
  let options = [
    Option<"rows", "rows", "unsigned", /*default=*/"0",
           "the rows of the instructions, where the target has such for a product; 0 for any">,
    Option<"kPack", "k-pack", "unsigned", /*default=*/"0",
           "instructions along K whose operands a thread has side by side; 0 for as many as one "
           "access of shared memory takes">
  ];
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect",
    "::tilewright::ttng::TritonNvidiaGPUDialect", "::tilewright::ttig::TritonIntelGPUDialect",
    "::tilewright::tw::TilewrightDialect", "::mlir::arith::ArithDialect"];
}

def TritonGPUOptimizeDotOperands : Pass<"tritongpu-optimize-dot-operands", "::mlir::ModuleOp"> {
  let summary = "Let products that no matrix unit takes have their operands as they come";
  let description = [{
    A product whose result is in a blocked layout is computed by multiply-adds, and its lowering
    passes the operands between threads, from any layout. So conversions to operand layouts are
    dropped, and where both operands were widened from one narrower type, the product takes the
    narrow ones: widening is exact, and the products are summed in the accumulator's type.
  }];
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect"];
}

#endif // TILEWRIGHT_TRANSFORM_DOT_PASSES

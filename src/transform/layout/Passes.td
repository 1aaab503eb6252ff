//===- Passes.td - The passes that choose layouts -----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_PASSES
#define TILEWRIGHT_TRANSFORM_LAYOUT_PASSES

include "mlir/Pass/PassBase.td"

def ConvertTritonToTritonGPU : Pass<"convert-triton-to-tritongpu", "::mlir::ModuleOp"> {
  let summary = "Give every tensor the default layout of its shape";
  let description = [{
    Sets the module's attributes (target, warps, lanes, blocks). Each tensor gets the blocked
    layout that covers its shape with one element a thread, the last dimension fastest. Ops
    whose result's layout follows from the operand's (expand_dims, broadcast, reduce, trans,
    reshape) get that one, and a ttg.convert_layout to the default follows.
  }];
  let options = [
    Option<"target", "target", "std::string", /*default=*/"std::string(::tilewright::OptionDefaults::target)",
           "the GPU to compile for, by the name of its entry in target/Target.h">,
    Option<"numWarps", "num-warps", "int32_t", /*default=*/"4", "warps of a block">,
    Option<"threadsPerWarp", "threads-per-warp", "int32_t", /*default=*/"32",
           "lanes of a warp">,
    Option<"numCTAs", "num-ctas", "int32_t", /*default=*/"1", "blocks of the cluster that runs a program, whose tiles are divided already">
  ];
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect"];
}

def TritonGPUCoalesce : Pass<"tritongpu-coalesce", "::mlir::ModuleOp"> {
  let summary = "Give memory accesses layouts whose warps touch few cache lines";
  let description = [{
    Lanes are laid along the dimension in which the pointers are contiguous, each thread taking
    as many neighbours as one access can. The access's operands and results are converted.
  }];
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect"];
}

def TritonGPURemoveLayoutConversions
    : Pass<"tritongpu-remove-layout-conversions", "::mlir::ModuleOp"> {
  let summary = "Choose a layout for every tensor so that few conversions remain";
  let description = [{
    The layouts of wide loads are kept and spread to what is computed from them; what does not
    depend on such a load is computed in every layout in which it is wanted. Where a layout
    that is wanted is not at hand, either the value or what it is computed from is converted,
    whichever costs less.
  }];
  let options = [
    Option<"exact", "exact", "bool", /*default=*/"false",
           "search for the layouts that cost least of all, rather than choose one after the other">,
    Option<"alternatives", "alternatives", "bool", /*default=*/"false",
           "with exact: ops that keep their layouts may take others that LayoutProvider.h proposes">
  ];
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect"];
}

def SquareLoads : Pass<"tilewright-square-loads", "::mlir::ModuleOp"> {
  let summary = "Threads load pieces of several rows of operands that they turn round";
  let description = [{
    A load of an operand of a matrix unit, of 8 or 16 bits, that is contiguous in memory along the
    other dimension than K gets a layout in which a thread has neighbours along K too, as many as an
    access of shared memory takes. For targets that cannot turn operands round on their way from
    shared memory. Where a load can on the way from global memory (ttg/TransposingLoads.h), an
    operand that a loop loads gets the layout of its addresses. Runs after
    tritongpu-accelerate-matmul.
  }];
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect"];
}

def TileOuterProducts : Pass<"tilewright-tile-outer-products", "::mlir::ModuleOp"> {
  let summary = "Near-square tiles a thread for sums of outer products in loops";
  let description = [{
    A loop-carried acc[M, N] += a[M, 1] * b[1, N], with a and b loaded in the loop, gets a layout
    in which the loads of a thread are few: a tile of r x c elements needs r + c of them for
    r * c products. Runs between tritongpu-coalesce and tritongpu-remove-layout-conversions.
  }];
  let dependentDialects = ["::tilewright::ttg::TritonGPUDialect"];
}

def TestPrintLayoutProblem : Pass<"test-print-layout-problem", "::mlir::ModuleOp"> {
  let summary = "Print the layout problem of each function and what solvers make of it";
  let options = [
    Option<"costsOnly", "costs-only", "bool", /*default=*/"false", "print only what solutions cost">,
    Option<"alternatives", "alternatives", "bool", /*default=*/"false",
           "with what LayoutProvider.h proposes">,
    Option<"maxNodes", "max-nodes", "unsigned", /*default=*/"500", "nodes of the exact solver's search">
  ];
}

def TestPrintAxisInfo : Pass<"test-print-axis-info", "::mlir::ModuleOp"> {
  let summary = "Print what is known of each integer and pointer, as remarks";
}

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_PASSES

//===- Passes.td - Passes for Intel's GPUs ------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_TRANSFORM_PASSES
#define TILEWRIGHT_VENDOR_INTEL_TRANSFORM_PASSES

include "mlir/Pass/PassBase.td"

class IntelPass<string argument> : Pass<argument, "::mlir::ModuleOp"> {
  let dependentDialects = ["::mlir::arith::ArithDialect", "::tilewright::tt::TritonDialect",
                           "::tilewright::ttg::TritonGPUDialect",
                           "::tilewright::ttig::TritonIntelGPUDialect"];
}

def TritonIntelGPUMaterializeBlockPointer
    : IntelPass<"tritonintelgpu-materialize-block-pointer"> {
  let summary = "Loads and stores of rectangles of a matrix by 2D block messages";
  let description = [{
    A `tt.load` or `tt.store` of a tile of a matrix - pointers that are a scalar's, rows that are
    one distance apart, a mask of bounds - becomes `ttig.block_load` or `ttig.block_store` if
    messages serve the layout: that of the dot operand that a load is converted to, or its own.
    What the messages' surfaces ask for and is not known is tested when the kernel runs: before the
    loop, of which there are two then, or before the access. Where they do not serve, a remark says
    why.
  }];
}

def IntelCooperativeMatrices : IntelPass<"tilewright-intel-cooperative-matrices"> {
  let summary = "Matrices of tw as those of SPV_KHR_cooperative_matrix";
  let description = [{
    `tw.coopmatrix` values of shapes that drivers offer, all of whose ops are loads, stores,
    products, splats and what loops and branches pass on, become values of the extension: see
    vendor/intel/transform/CooperativeMatrices.h. For the code generator alone: the simulator runs
    the lanes' form.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::scf::SCFDialect", "::tilewright::tt::TritonDialect",
                           "::tilewright::ttg::TritonGPUDialect",
                           "::tilewright::ttig::TritonIntelGPUDialect"];
}

def IntelPrefetchBlocks : IntelPass<"tilewright-intel-prefetch-blocks"> {
  let summary = "Block loads of loops are prefetched some iterations ahead";
  let description = [{
    Each `ttig.block_load` of a loop with products gets a `ttig.block_prefetch` of what it loads
    `num-stages` - 1 iterations later, and the first ones before the loop. Warps share a tile. With
    `split-barriers` they arrive at a barrier as an iteration begins and wait for each other as it
    ends.
  }];
  let options = [Option<"numStages", "num-stages", "int",
                        "::tilewright::OptionDefaults::numStages",
                        "Iterations that overlap: of a loop that does not say it itself">,
                 Option<"splitBarriers", "split-barriers", "bool", "false",
                        "Whether warps keep in step in these loops">];
}

#endif // TILEWRIGHT_VENDOR_INTEL_TRANSFORM_PASSES

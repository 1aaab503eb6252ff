//===- AmdPipeline.cpp - The passes of each stage for AMD ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "compiler/Pipelines.h"

#include "transform/layout/Passes.h"
#include "transform/locality/Passes.h"
#include "transform/matrix/Passes.h"
#include "transform/tile/Canonicalizer.h"
#include "transform/tile/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::compiler;

static void addTTIRPasses(OpPassManager &passes, const PipelineOptions &) {
  passes.addPass(createKernelInliner());
  passes.addPass(transform::createTritonRewriteTensorDescriptorToPointer());
  passes.addPass(transform::createCanonicalizer());
  passes.addPass(transform::createTritonCombine());
  passes.addPass(transform::createTritonReorderBroadcast());
  passes.addPass(createCSEPass());
  passes.addPass(transform::createTritonLoopInvariantCodeMotion());
  passes.addPass(createSymbolDCEPass());
  passes.addPass(transform::createTritonLoopUnroll());
}

static void addTTGIRPasses(OpPassManager &passes, const PipelineOptions &options) {
  passes.addPass(transform::createDecomposeScaledDot()); // ours
  passes.addPass(createConversionToLayouts(options));
  passes.addPass(transform::createTritonGPUCoalesce());
  // Here tritongpu-F32DotTC belongs, for products that matrix units take: see NvidiaPipeline.cpp.
  passes.addPass(transform::createTileOuterProducts()); // ours
  passes.addPass(transform::createTritonGPURemoveLayoutConversions());
  passes.addPass(transform::createTritonGPUOptimizeThreadLocality());
  // Here the pass belongs that gives products to the matrix unit.
  passes.addPass(transform::createTritonGPURemoveLayoutConversions());
  passes.addPass(transform::createTritonGPUOptimizeDotOperands());
  passes.addPass(transform::createTritonGPUFuseNestedLoops());
  passes.addPass(transform::createCanonicalizer());
  passes.addPass(transform::createTritonLoopInvariantCodeMotion());
  passes.addPass(transform::createCanonicalizer());
  passes.addPass(transform::createTritonGPURemoveLayoutConversions());
  passes.addPass(transform::createTritonGPUReduceDataDuplication());
  passes.addPass(transform::createTritonGPUReorderInstructions());      // ours here
  passes.addPass(transform::createPrefetchLoads({options.numStages}));  // ours
  passes.addPass(transform::createTritonGPUCombineTensorSelectAndIf()); // ours here
  passes.addPass(transform::createCanonicalizer());
  passes.addPass(createCSEPass());
  passes.addPass(createSymbolDCEPass());
}

const Pipeline compiler::amdPipeline = {addTTIRPasses, addTTGIRPasses, addCommonLLVMPasses};

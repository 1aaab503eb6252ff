//===- IntelPipeline.cpp - The passes of each stage for Intel --------------===//
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
  passes.addPass(createCSEPass());
  passes.addPass(transform::createTritonLoopInvariantCodeMotion());
  passes.addPass(transform::createCanonicalizer());
  passes.addPass(transform::createTritonCombine());
  passes.addPass(transform::createTritonReorderBroadcast());
  passes.addPass(createCSEPass());
  passes.addPass(createSymbolDCEPass());
  passes.addPass(transform::createTritonLoopUnroll());
}

static void addTTGIRPasses(OpPassManager &passes, const PipelineOptions &options) {
  passes.addPass(transform::createDecomposeScaledDot()); // ours
  passes.addPass(createConversionToLayouts(options));
  passes.addPass(transform::createTritonGPUCoalesce());
  passes.addPass(transform::createTileOuterProducts()); // ours
  passes.addPass(transform::createTritonGPURemoveLayoutConversions());
  // Here the pass belongs that gives products to the matrix unit; conversions are removed again
  // behind it.
  passes.addPass(transform::createTritonGPUOptimizeDotOperands());
  passes.addPass(transform::createTritonLoopAwareCSE());
  passes.addPass(transform::createTritonGPUFuseNestedLoops());
  passes.addPass(transform::createCanonicalizer());
  passes.addPass(transform::createTritonLoopInvariantCodeMotion());
  passes.addPass(transform::createCanonicalizer());
  passes.addPass(transform::createTritonGPUCombineTensorSelectAndIf());
  passes.addPass(transform::createTritonGPUOptimizeThreadLocality());
  passes.addPass(transform::createTritonGPUOptimizeDotOperands());
  passes.addPass(createCSEPass());
  passes.addPass(transform::createTritonGPURemoveLayoutConversions());
  passes.addPass(transform::createTritonGPUReduceDataDuplication());
  passes.addPass(transform::createTritonGPUReorderInstructions());
  passes.addPass(transform::createPrefetchLoads({options.numStages})); // ours
  passes.addPass(transform::createTritonLoopAwareCSE());
  passes.addPass(createSymbolDCEPass());
  passes.addPass(createSCCPPass());
  passes.addPass(transform::createCanonicalizer());
}

const Pipeline compiler::intelPipeline = {addTTIRPasses, addTTGIRPasses, addCommonLLVMPasses};

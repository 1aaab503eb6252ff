//===- Pipelines.cpp - The passes of each stage -------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each function below is one stage: its passes in the order in which they run. Names
// and order follow Triton's pipeline for NVIDIA as far as our passes match; what is
// ours alone is said to be.
//
//===--------------------------------------------------------------------------===//

#include "driver/Pipelines.h"

#include "emit/Ptx.h"
#include "lower/Passes.h"
#include "transform/dot/Passes.h"
#include "transform/layout/Passes.h"
#include "transform/locality/Passes.h"
#include "transform/tile/Canonicalizer.h"
#include "transform/tile/Passes.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::driver;

/// The inliner, without a clean-up of its own: the canonicalizer comes right after it.
static std::unique_ptr<Pass> createInliner() {
  return createInlinerPass({}, [](OpPassManager &) {});
}

void driver::addTTIRPasses(OpPassManager &passes) {
  passes.addPass(createInliner());
  // For all targets until there are copies by hardware (TMA), which take descriptors as they are.
  passes.addPass(transform::createTritonRewriteTensorDescriptorToPointer());
  passes.addPass(transform::createCanonicalizer());
  passes.addPass(transform::createTritonCombine());
  passes.addPass(transform::createTritonReorderBroadcast());
  passes.addPass(createCSEPass());
  passes.addPass(createSymbolDCEPass());
  passes.addPass(transform::createTritonLoopUnroll());
}

void driver::addTTGIRPasses(OpPassManager &passes, const PipelineOptions &options) {
  transform::ConvertTritonToTritonGPUOptions convert;
  convert.target = std::string(options.target->name);
  convert.numWarps = options.numWarps;
  convert.threadsPerWarp = options.target->threadsPerWarp;
  convert.numCTAs = 1;

  passes.addPass(transform::createDecomposeScaledDot()); // ours
  passes.addPass(transform::createConvertTritonToTritonGPU(convert));
  passes.addPass(transform::createTritonGPUCoalesce());
  // Here tritongpu-F32DotTC belongs, for products that matrix units take. Ours are multiply-adds,
  // which have f32's full precision at once; it would split bf16x3 and bf16x6 for nothing.
  passes.addPass(transform::createTileOuterProducts()); // ours
  passes.addPass(transform::createTritonGPURemoveLayoutConversions());
  passes.addPass(transform::createTritonGPUOptimizeThreadLocality());
  passes.addPass(transform::createTritonGPUOptimizeDotOperands());
  passes.addPass(transform::createTritonLoopAwareCSE());
  passes.addPass(transform::createTritonGPUFuseNestedLoops());
  passes.addPass(transform::createCanonicalizer());
  passes.addPass(transform::createTritonLoopInvariantCodeMotion());
  passes.addPass(transform::createCanonicalizer());
  passes.addPass(transform::createTritonGPUCombineTensorSelectAndIf());
  passes.addPass(transform::createTritonLoopAwareCSE());
  passes.addPass(transform::createTritonGPURemoveLayoutConversions());
  passes.addPass(transform::createTritonGPUReduceDataDuplication());
  passes.addPass(transform::createTritonGPUReorderInstructions());
  passes.addPass(transform::createPrefetchLoads({options.numStages})); // ours
  passes.addPass(transform::createTritonLoopAwareCSE());
  passes.addPass(createSymbolDCEPass());
  passes.addPass(createSCCPPass());
  passes.addPass(createCSEPass());
  passes.addPass(transform::createCanonicalizer());
}

void driver::addLLVMPasses(OpPassManager &passes) {
  passes.addPass(lower::createLegalizeViewsPass());  // ours
  passes.addPass(lower::createSetAccessWidthPass()); // ours
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(lower::createAllocateSharedMemoryPass());
  passes.addPass(lower::createConvertTritonGPUToLLVMPass());
  passes.addPass(transform::createCanonicalizer());
  passes.addPass(createCSEPass());
  passes.addPass(createSymbolDCEPass());
  emit::addLineInfoPass(passes);
}

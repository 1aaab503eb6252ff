//===- NvidiaPipeline.cpp - The passes of each stage for NVIDIA ------------===//
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
  // For all processors until there are copies by hardware (TMA), which take descriptors as they
  // are.
  passes.addPass(transform::createTritonRewriteTensorDescriptorToPointer());
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
  // Here tritongpu-F32DotTC belongs, for products that matrix units take. Ours are multiply-adds,
  // which have f32's full precision at once; it would split bf16x3 and bf16x6 for nothing.
  passes.addPass(transform::createTileOuterProducts()); // ours
  passes.addPass(transform::createTritonGPURemoveLayoutConversions());
  passes.addPass(transform::createTritonGPUOptimizeThreadLocality());
  // Here the pass belongs that gives products to the matrix unit; conversions are removed again
  // behind it.
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

const Pipeline compiler::nvidiaPipeline = {addTTIRPasses, addTTGIRPasses, addCommonLLVMPasses};

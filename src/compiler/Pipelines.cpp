//===- Pipelines.cpp - What the pipelines share ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "compiler/Pipelines.h"

#include "emit/Emit.h"
#include "lower/core/Passes.h"
#include "transform/layout/Passes.h"
#include "transform/tile/Canonicalizer.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::compiler;

const Pipeline &compiler::pipelineFor(const target::Target &target) {
  switch (target.vendor) {
  case target::Vendor::Nvidia:
    return nvidiaPipeline;
  case target::Vendor::Amd:
    return amdPipeline;
  case target::Vendor::Intel:
    return intelPipeline;
  }
  llvm_unreachable("every vendor has a pipeline");
}

std::unique_ptr<Pass> compiler::createKernelInliner() {
  return createInlinerPass({}, [](OpPassManager &) {});
}

std::unique_ptr<Pass> compiler::createConversionToLayouts(const PipelineOptions &options) {
  transform::ConvertTritonToTritonGPUOptions convert;
  convert.target = std::string(options.target->name);
  convert.numWarps = options.numWarps;
  convert.threadsPerWarp = options.threadsPerWarp;
  convert.numCTAs = 1;
  return transform::createConvertTritonToTritonGPU(convert);
}

void compiler::addCommonLLVMPasses(OpPassManager &passes, const PipelineOptions &) {
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

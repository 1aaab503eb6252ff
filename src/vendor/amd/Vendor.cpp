//===- Vendor.cpp - The vendor AMD ----------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/Vendor.h"

#include "transform/pressure/Passes.h"
#include "vendor/amd/emit/AmdgpuBackend.h"
#include "vendor/amd/lower/AmdLowering.h"
#include "vendor/amd/lower/Prefetch.h"
#include "vendor/amd/lower/TransposingLoads.h"
#include "vendor/amd/simulate/AmdOperations.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Target/LLVMIR/Dialect/ROCDL/ROCDLToLLVMIRTranslation.h"

using namespace mlir;
using namespace tilewright;
using vendor::Phase;
using vendor::PipelineOptions;

namespace {
class Amd final : public vendor::Vendor {
public:
  using Vendor::Vendor;

  void registerDialects(DialectRegistry &registry) const override {
    registerLoweringDialect<ROCDL::ROCDLDialect>(registry);
    registerROCDLDialectTranslation(registry);
  }

  void addPasses(Phase phase, OpPassManager &passes,
                 const PipelineOptions &options) const override {
    switch (phase) {
    case Phase::Tile:
      passes.addPass(transform::createSplitAccumulators(
          {std::string(options.target->name), options.numWarps * options.threadsPerWarp}));
      break;
    case Phase::Locality:
      // What the parts of a product that has been split give waits for the last one.
      passes.addPass(transform::createSpillToSharedMemory());
      break;
    default:
      break;
    }
  }

  std::unique_ptr<lower::TargetLowering>
  createLowering(const target::Target &target) const override {
    return lower::createAmdLowering(target);
  }

  void populatePatterns(const target::Target &, RewritePatternSet &patterns,
                        const lower::PatternServices &services) const override {
    lower::amd::addPrefetchPattern(patterns, services);
    lower::amd::addTransposingLoadPattern(patterns, services);
  }

  std::unique_ptr<emit::Backend> createBackend(const target::Target &target) const override {
    return emit::createAmdgpuBackend(target);
  }

  const simulate::VendorOperations &getSimulatedOperations() const override {
    return simulate::amd::operations();
  }
};
} // namespace

namespace tilewright::vendor::amd {
const Vendor &getVendor() {
  static const Amd vendor(target::VendorTable::of(target::Vendor::Amd));
  return vendor;
}
} // namespace tilewright::vendor::amd

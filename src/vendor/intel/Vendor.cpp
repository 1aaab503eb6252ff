//===- Vendor.cpp - The vendor Intel --------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/Vendor.h"

#include "vendor/intel/emit/SpirvBackend.h"
#include "vendor/intel/lower/BlockMessages.h"
#include "vendor/intel/lower/BuiltinCalls.h"
#include "vendor/intel/lower/IntelLowering.h"
#include "vendor/intel/simulate/IntelOperations.h"
#include "vendor/intel/transform/CooperativeMatrices.h"
#include "vendor/intel/transform/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tilewright;
using vendor::Phase;
using vendor::PipelineOptions;

namespace {
class Intel final : public vendor::Vendor {
public:
  using Vendor::Vendor;

  void registerPasses() const override { vendor::intel::registerIntelPasses(); }

  void addPasses(Phase phase, OpPassManager &passes,
                 const PipelineOptions &options) const override {
    using namespace vendor::intel;
    switch (phase) {
    case Phase::Tile:
      // Joins what hoisting has brought together: coordinates of a descriptor's blocks, and the
      // comparisons with its shape.
      passes.addPass(createCSEPass());
      break;
    case Phase::Layout:
      // Products have their operands' layouts: memory brings them.
      passes.addPass(createTritonIntelGPUMaterializeBlockPointer());
      break;
    case Phase::Schedule:
      passes.addPass(createIntelPrefetchBlocks({options.numStages, options.splitBarriers}));
      break;
    case Phase::Launch:
      // For given TTGIR.
      passes.addPass(createTritonIntelGPUMaterializeBlockPointer());
      break;
    default:
      break;
    }
  }

  bool useExtensions(ModuleOp module, const target::Target &target) const override {
    return vendor::intel::useCooperativeMatrices(module, target);
  }

  std::unique_ptr<lower::TargetLowering>
  createLowering(const target::Target &target) const override {
    return lower::createIntelLowering(target);
  }

  void populatePatterns(const target::Target &, RewritePatternSet &patterns,
                        const lower::PatternServices &services) const override {
    lower::intel::addBlockMessagePatterns(patterns, services);
    lower::intel::addBuiltinCallPattern(patterns, services);
  }

  std::unique_ptr<emit::Backend> createBackend(const target::Target &target) const override {
    return emit::createSpirvBackend(target);
  }

  const simulate::VendorOperations &getSimulatedOperations() const override {
    return simulate::intel::operations();
  }
};
} // namespace

namespace tilewright::vendor::intel {
const Vendor &getVendor() {
  static const Intel vendor(target::VendorTable::of(target::Vendor::Intel));
  return vendor;
}
} // namespace tilewright::vendor::intel

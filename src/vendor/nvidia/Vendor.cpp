//===- Vendor.cpp - The vendor NVIDIA -------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/Vendor.h"

#include "target/NvidiaProcessor.h"
#include "vendor/nvidia/emit/NvptxBackend.h"
#include "vendor/nvidia/lower/NvidiaLowering.h"
#include "vendor/nvidia/lower/NvidiaPatterns.h"
#include "vendor/nvidia/lower/ProxyFences.h"
#include "vendor/nvidia/lower/TensorMemory.h"
#include "vendor/nvidia/simulate/NvidiaOperations.h"
#include "vendor/nvidia/transform/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"

using namespace mlir;
using namespace tilewright;

namespace {
class Nvidia final : public vendor::Vendor {
public:
  using Vendor::Vendor;

  void registerDialects(DialectRegistry &registry) const override {
    registerLoweringDialect<NVVM::NVVMDialect>(registry);
    registerNVVMDialectTranslation(registry);
    lower::nvidia::registerClusterScratch(registry);
    lower::nvidia::registerTensorMapScratch(registry);
    lower::nvidia::registerTensorMemoryScratch(registry);
  }

  void registerPasses() const override { vendor::nvidia::registerNvidiaPasses(); }

  void addPasses(vendor::Phase phase, OpPassManager &passes,
                 const vendor::PipelineOptions &options) const override {
    using namespace vendor::nvidia;
    const bool hasTensorCopies = target::nvidia::processorOf(*options.target).hasTensorCopies;
    switch (phase) {
    case vendor::Phase::Inline:
      // The descriptors that hardware takes; the others become pointers. So do those of clusters,
      // whose blocks each access a part.
      if (hasTensorCopies && options.numCTAs == 1)
        passes.addPass(createTritonNvidiaOptimizeDescriptorEncoding());
      break;
    case vendor::Phase::Tile:
      if (hasWarpGroupProducts(*options.target) && options.numStages > 1)
        passes.addPass(createNvidiaJoinIterations({std::string(options.target->name),
                                                   static_cast<int32_t>(options.numWarps),
                                                   options.numStages}));
      break;
    case vendor::Phase::Locality:
      passes.addPass(createNvidiaUnscaledMaxima());
      break;
    case vendor::Phase::Stages:
      if (hasTensorCopies) {
        // Loops whose copies get a warp of their own: before the pipeline has them.
        passes.addPass(createNvidiaSpecializeLoops(
            {/*automatic=*/hasWarpGroupProducts(*options.target) && !options.specializeAsked}));
        passes.addPass(createNvidiaPipelineDescriptorLoads());
      }
      break;
    case vendor::Phase::Schedule:
      // What is left of the descriptors' accesses, with the layouts and the loops as they are now.
      if (hasTensorCopies)
        addTensorMapPasses(passes, options);
      // Products of pipelined loops run on into the next iteration.
      passes.addPass(createNvidiaAsyncDots());
      break;
    case vendor::Phase::Clean:
      if (lower::nvidia::hasTensorMemory(*options.target))
        passes.addPass(createNvidiaTensorProducts());
      break;
    case vendor::Phase::Launch:
      // For given TTGIR.
      if (hasTensorCopies)
        addTensorMapPasses(passes, options);
      if (lower::nvidia::hasTensorMemory(*options.target))
        passes.addPass(createTritonNvidiaMMALowering());
      passes.addPass(createNvidiaPartitionRegisters());
      passes.addPass(createNvidiaHardwareSwizzles());
      break;
    default:
      break;
    }
  }

  std::unique_ptr<lower::TargetLowering>
  createLowering(const target::Target &target) const override {
    return lower::createNvidiaLowering(target);
  }

  void populatePatterns(const target::Target &target, RewritePatternSet &patterns,
                        const lower::PatternServices &services) const override {
    lower::nvidia::populatePatterns(target, patterns, services);
  }

  llvm::ArrayRef<const lower::MemorySpace *>
  getMemorySpaces(const target::Target &target) const override {
    static const lower::MemorySpace *const spaces[] = {&lower::nvidia::tensorMemorySpace};
    return lower::nvidia::hasTensorMemory(target) ? llvm::ArrayRef(spaces)
                                                  : llvm::ArrayRef<const lower::MemorySpace *>();
  }

  void insertFences(const target::Target &target, tt::FuncOp func,
                    const lower::Allocations &allocations) const override {
    lower::nvidia::insertProxyFences(func, allocations);
  }

  std::unique_ptr<emit::Backend> createBackend(const target::Target &target) const override {
    return emit::createNvptxBackend(target);
  }

  const simulate::VendorOperations &getSimulatedOperations() const override {
    return simulate::nvidia::operations();
  }

private:
  static bool hasWarpGroupProducts(const target::Target &target) {
    return llvm::any_of(target.products(), [](const target::MmaAtom &atom) {
      return atom.issuer == target::Issuer::WarpGroup;
    });
  }

  /// Accesses of descriptors with a layout become copies, and the descriptors maps: by value, where
  /// whoever launches can make them.
  static void addTensorMapPasses(OpPassManager &passes, const vendor::PipelineOptions &options) {
    if (!options.plainLaunch)
      passes.addPass(vendor::nvidia::createNvidiaLaunchTensorMaps());
    passes.addPass(vendor::nvidia::createTritonNvidiaTMALowering());
  }
};
} // namespace

namespace tilewright::vendor::nvidia {
const Vendor &getVendor() {
  static const Nvidia vendor(target::VendorTable::of(target::Vendor::Nvidia));
  return vendor;
}
} // namespace tilewright::vendor::nvidia

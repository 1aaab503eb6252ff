//===- SpirvBackend.cpp - SPIR-V from LLVM IR ---------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/intel/emit/SpirvBackend.h"

#include "vendor/intel/emit/SpirvMachine.h"
#include "vendor/intel/emit/Steps.h"
#include "vendor/intel/emit/memory/UniqueBlockNumbers.h"
#include "vendor/intel/emit/registers/RegisterFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Target/TargetMachine.h"

using namespace tilewright;
using namespace tilewright::emit;

namespace {
class SpirvBackend final : public Backend {
public:
  explicit SpirvBackend(const target::Target &target) : Backend(target) {}

  std::shared_ptr<llvm::TargetMachine> createMachine(const EmitOptions &options) const override {
    return createSpirvMachine(options);
  }

  bool driverOptimizes() const override { return true; }

  llvm::ArrayRef<Step> getLegalizingSteps() const override { return intel::legalizingSteps(); }

  std::string getBuildOptions(const llvm::Module &module) const override {
    const bool isLarge = llvm::any_of(module, [&](const llvm::Function &function) {
      return needsLargeRegisterFile(function, target);
    });
    return isLarge ? largeRegisterFileOption.str() : std::string();
  }

  llvm::ArrayRef<Step> getTargetSteps() const override { return intel::targetSteps(); }

  llvm::CodeGenFileType getFileType() const override { return llvm::CodeGenFileType::ObjectFile; }

  std::unique_lock<std::mutex> lockGenerator() const override { return lockSpirvGenerator(); }

  llvm::ArrayRef<CodeGenRule> getCodeGenRules() const override { return intel::codeGenRules(); }
};
} // namespace

std::unique_ptr<Backend> tilewright::emit::createSpirvBackend(const target::Target &target) {
  return std::make_unique<SpirvBackend>(target);
}

//===- NvptxBackend.cpp - PTX from LLVM IR ----------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/emit/NvptxBackend.h"

#include "vendor/nvidia/emit/NvptxMachine.h"
#include "vendor/nvidia/emit/Steps.h"

#include "llvm/Target/TargetMachine.h"

using namespace tilewright;
using namespace tilewright::emit;

namespace {
class NvptxBackend final : public Backend {
public:
  explicit NvptxBackend(const target::Target &target) : Backend(target) {}

  std::shared_ptr<llvm::TargetMachine> createMachine(const EmitOptions &options) const override {
    return createNvptxMachine(target, options);
  }

  void prepare(llvm::Module &module, const EmitOptions &options) const override {
    if (options.maxRegisters)
      for (llvm::Function &function : module)
        if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel)
          function.addFnAttr("nvvm.maxnreg", std::to_string(options.maxRegisters));
  }

  llvm::ArrayRef<Step> getTargetSteps() const override { return nvidia::targetSteps(); }
  llvm::ArrayRef<CodeGenRule> getCodeGenRules() const override { return nvidia::codeGenRules(); }
};
} // namespace

std::unique_ptr<Backend> tilewright::emit::createNvptxBackend(const target::Target &target) {
  return std::make_unique<NvptxBackend>(target);
}

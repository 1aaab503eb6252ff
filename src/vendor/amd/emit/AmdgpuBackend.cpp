//===- AmdgpuBackend.cpp - HSACO from LLVM IR --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/AmdgpuBackend.h"

#include "vendor/amd/emit/AmdgpuMachine.h"
#include "vendor/amd/emit/KernelAttributes.h"
#include "vendor/amd/emit/Steps.h"
#include "vendor/amd/emit/object/Assemble.h"
#include "vendor/amd/emit/object/EncodedText.h"
#include "vendor/amd/emit/object/LinkCodeObject.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Target/TargetMachine.h"

using namespace tilewright;
using namespace tilewright::emit;

/// The version of the code object, times 100, as the back end reads it from a module.
static constexpr unsigned codeObjectVersion = 500;

/// The bytes of arguments in the kernel's descriptor, in the assembly.
static unsigned readKernargBytes(llvm::StringRef assembly) {
  constexpr llvm::StringLiteral directive = ".amdhsa_kernarg_size ";
  unsigned bytes = 0;
  if (size_t at = assembly.find(directive); at != llvm::StringRef::npos) {
    llvm::StringRef number = assembly.drop_front(at + directive.size());
    (void)number.consumeInteger(10, bytes);
  }
  return bytes;
}

namespace {
class AmdgpuBackend final : public Backend {
public:
  explicit AmdgpuBackend(const target::Target &target) : Backend(target) {}

  std::shared_ptr<llvm::TargetMachine> createMachine(const EmitOptions &options) const override {
    return createAmdgpuMachine(target, options);
  }

  void prepare(llvm::Module &module, const EmitOptions &options) const override {
    module.setModuleFlag(llvm::Module::Error, "amdhsa_code_object_version", codeObjectVersion);
    if (options.wavesPerSimd)
      limitWaves(module, static_cast<unsigned>(options.wavesPerSimd));
  }

  llvm::ArrayRef<Step> getLegalizingSteps() const override { return amd::legalizingSteps(); }
  llvm::ArrayRef<Step> getTargetSteps() const override { return amd::targetSteps(); }
  llvm::ArrayRef<CodeGenRule> getCodeGenRules() const override { return amd::codeGenRules(); }

  bool addCodePrinter(llvm::legacy::PassManagerBase &passes, llvm::TargetMachine &machine,
                      llvm::raw_pwrite_stream &out, llvm::MCContext &context) const override {
    return addEncodingPrinter(passes, machine, out, context, encoded);
  }

  std::optional<BackendFailure> finish(std::string generated, EmittedCode &result) const override {
    Expected<std::string> object = assemble(generated, encoded, target);
    if (!object)
      return BackendFailure{object.error()};
    Expected<std::string> linked = linkCodeObject(*object);
    if (!linked)
      return BackendFailure{linked.error()};
    result.nativeCode = std::move(*linked);
    result.kernargBytes = readKernargBytes(generated);
    result.assembly = std::move(generated);
    return std::nullopt;
  }

private:
  /// The text of the one emission that this is for: filled as the code is printed.
  mutable EncodedText encoded;
};
} // namespace

std::unique_ptr<Backend> tilewright::emit::createAmdgpuBackend(const target::Target &target) {
  return std::make_unique<AmdgpuBackend>(target);
}

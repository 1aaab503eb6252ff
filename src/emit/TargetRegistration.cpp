//===- TargetRegistration.cpp - Registration of LLVM's targets ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/TargetRegistration.h"

#include "emit/Emit.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"

#include <string>

std::mutex &tilewright::emit::targetRegistrationMutex() {
  static std::mutex mutex;
  return mutex;
}

const llvm::Target *tilewright::emit::registerTarget(const llvm::Triple &triple,
                                                     void (*initialize)()) {
  std::lock_guard lock(targetRegistrationMutex());
  initialize();
  std::string error;
  return llvm::TargetRegistry::lookupTarget(triple, error);
}

std::unique_ptr<llvm::TargetMachine>
tilewright::emit::createTargetMachine(const llvm::Target *backend, const llvm::Triple &triple,
                                      llvm::StringRef processor, llvm::StringRef features,
                                      const EmitOptions &options) {
  if (!backend)
    return nullptr;
  llvm::TargetOptions targetOptions;
  targetOptions.AllowFPOpFusion =
      options.fuseMultiplyAdd ? llvm::FPOpFusion::Fast : llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(
      backend->createTargetMachine(triple, processor, features, targetOptions, llvm::Reloc::PIC_,
                                   std::nullopt, llvm::CodeGenOptLevel::Default));
}

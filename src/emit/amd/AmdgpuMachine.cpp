//===- AmdgpuMachine.cpp - The AMDGPU back end, set up for a target --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/amd/AmdgpuMachine.h"

#include "emit/TargetRegistration.h"
#include "target/Target.h"

#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

using namespace tilewright;
using namespace tilewright::emit;

const llvm::Triple &tilewright::emit::amdgpuTriple() {
  static const llvm::Triple triple("amdgcn-amd-amdhsa");
  return triple;
}

const llvm::Target *tilewright::emit::amdgpu() {
  static const llvm::Target *const found = registerTarget(amdgpuTriple(), [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
  });
  return found;
}

std::unique_ptr<llvm::TargetMachine>
tilewright::emit::createAmdgpuMachine(const target::Target &target, const EmitOptions &options) {
  return createTargetMachine(amdgpu(), amdgpuTriple(), target.processor, target.features, options);
}

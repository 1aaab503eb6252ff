//===- KernelAttributes.cpp - Implicit kernel arguments and launch bounds -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/emit/KernelAttributes.h"

#include "target/AmdProcessor.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace tilewright;

namespace {
struct Request {
  llvm::Intrinsic::ID intrinsic;
  /// The attribute (LLVM, "User Guide for AMDGPU Backend") of functions without it.
  llvm::StringLiteral attribute;
};
} // namespace

static constexpr Request hiddenArguments = {llvm::Intrinsic::amdgcn_implicitarg_ptr,
                                            "amdgpu-no-implicitarg-ptr"};
static constexpr Request places[] = {
    {llvm::Intrinsic::amdgcn_workgroup_id_x, "amdgpu-no-workgroup-id-x"},
    {llvm::Intrinsic::amdgcn_workgroup_id_y, "amdgpu-no-workgroup-id-y"},
    {llvm::Intrinsic::amdgcn_workgroup_id_z, "amdgpu-no-workgroup-id-z"},
};

/// What a function uses that is called, all kernels must have: any may be its caller.
static void markUnlessUsed(llvm::Module &module, const Request &request) {
  llvm::SmallPtrSet<const llvm::Function *, 4> usedIn;
  bool isUsedInCallee = false;
  if (const llvm::Function *intrinsic =
          llvm::Intrinsic::getDeclarationIfExists(&module, request.intrinsic))
    for (const llvm::User *user : intrinsic->users()) {
      const llvm::Function *function = llvm::cast<llvm::Instruction>(user)->getFunction();
      usedIn.insert(function);
      isUsedInCallee |= function->getCallingConv() != llvm::CallingConv::AMDGPU_KERNEL;
    }
  if (isUsedInCallee)
    return;
  for (llvm::Function &function : module)
    if (!function.isDeclaration() && !usedIn.contains(&function))
      function.addFnAttr(request.attribute);
}

void tilewright::emit::limitWaves(llvm::Module &module, unsigned wavesPerSimd) {
  const std::string waves = std::to_string(wavesPerSimd);
  for (llvm::Function &function : module)
    if (function.getCallingConv() == llvm::CallingConv::AMDGPU_KERNEL)
      function.addFnAttr("amdgpu-waves-per-eu", waves + "," + waves);
}

void tilewright::emit::addKernelAttributes(llvm::Module &module, const target::Target &target) {
  markUnlessUsed(module, hiddenArguments);
  // From gfx12 on the places come in registers that are there anyway, y and z in one: with the
  // mark for z, LLVM would take all of that register for y, in a grid that has several z.
  if (target::amd::processorOf(target).hasGroupIdRegisters)
    for (const Request &request : places)
      markUnlessUsed(module, request);
}

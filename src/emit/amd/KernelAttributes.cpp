//===- KernelAttributes.cpp - What a kernel needs from its launch -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "emit/amd/KernelAttributes.h"

#include "target/Target.h"

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

/// What one function uses its callers must have: all of a module's are marked, or none.
static void markUnlessUsed(llvm::Module &module, const Request &request) {
  const llvm::Function *intrinsic =
      llvm::Intrinsic::getDeclarationIfExists(&module, request.intrinsic);
  if (intrinsic && !intrinsic->use_empty())
    return;
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr(request.attribute);
}

void tilewright::emit::addKernelAttributes(llvm::Module &module, const target::Target &target) {
  markUnlessUsed(module, hiddenArguments);
  // From gfx12 on the places come in registers that are there anyway, y and z in one: with the
  // mark for z, LLVM would take all of that register for y, in a grid that has several z.
  if (llvm::StringRef(target.processor).starts_with("gfx11"))
    for (const Request &request : places)
      markUnlessUsed(module, request);
}

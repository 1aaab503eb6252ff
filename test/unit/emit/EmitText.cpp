//===- EmitText.cpp - Code of hand-written modules ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "EmitText.h"

#include "target/Target.h"
#include "vendor/Vendors.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace tilewright;
using namespace tilewright::emit;

std::string emit::test::scaleKernel(const std::string &callingConvention) {
  return "define " + callingConvention + R"( void @scale(ptr addrspace(1) %x, float %a, float %b) {
    %v = load float, ptr addrspace(1) %x
    %p = fmul float %v, %a
    %s = fadd float %p, %b
    store float %s, ptr addrspace(1) %x
    ret void
  })";
}

Expected<EmittedCode> emit::test::emitText(const char *target, const std::string &text,
                                           const EmitOptions &options) {
  OwnedModule module;
  module.context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic error;
  module.module = llvm::parseAssemblyString(text, error, *module.context);
  EXPECT_NE(module.module, nullptr) << error.getMessage().str();
  const target::Target &found = *target::Target::find(target);
  return emitCode(std::move(module), *vendor::find(found)->createBackend(found), options);
}

EmittedCode emit::test::codeOf(const char *target, const std::string &text,
                               const EmitOptions &options) {
  Expected<EmittedCode> result = emitText(target, text, options);
  EXPECT_TRUE(result) << result.error().message;
  return result ? std::move(*result) : EmittedCode();
}

//===- Legalize.cpp - What the code generator gets, for the simulator ---------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Legalize.h"

#include "emit/Backend.h"
#include "target/Target.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "gtest/gtest.h"

using namespace tilewright;

std::string test::legalize(const std::string &llir, const target::Target &target) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(llir, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  std::unique_ptr<emit::Backend> backend = emit::createBackend(target);
  std::unique_ptr<llvm::TargetMachine> machine = backend->createMachine({});
  backend->legalize(*module, *machine);
  std::string text;
  llvm::raw_string_ostream stream(text);
  EXPECT_FALSE(llvm::verifyModule(*module, &stream)) << text;
  text.clear();
  module->print(stream, /*AAW=*/nullptr);
  return text;
}

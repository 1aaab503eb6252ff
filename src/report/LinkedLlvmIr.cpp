//===- LinkedLlvmIr.cpp - LLVM IR with links to its sources -------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "report/LinkedText.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/AssemblyAnnotationWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormattedStream.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace tilewright;
using namespace tilewright::report;

namespace {

/// The places of a module's instructions, in the order in which they are printed.
using InstructionPlaces = DenseMap<const Instruction *, SmallVector<unsigned, 1>>;

InstructionPlaces collectPlaces(Module &module, Places &places) {
  InstructionPlaces result;
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (Instruction &instruction : block)
        places.collect(instruction.getDebugLoc().get(), result[&instruction]);
  return result;
}

/// Notes the line on which each instruction is printed.
class LineNoter : public AssemblyAnnotationWriter {
public:
  LineNoter(const InstructionPlaces &places, LinkedText &result) : places(places), result(result) {}

  void emitInstructionAnnot(const Instruction *instruction, formatted_raw_ostream &os) override {
    result.link(os.getLine(), places.at(instruction));
  }

private:
  const InstructionPlaces &places;
  LinkedText &result;
};

} // namespace

/// Takes the debug information from `module`.
static LinkedText linkAndStrip(Module &module, Places &places) {
  const InstructionPlaces placesOf = collectPlaces(module, places);
  StripDebugInfo(module);
  LinkedText result;
  LineNoter noter(placesOf, result);
  std::string printed;
  raw_string_ostream os(printed);
  module.print(os, &noter);
  os.flush();
  result.text = std::move(printed);
  return result;
}

LinkedText report::linkLlvmIr(const Module &module, Places &places) {
  return linkAndStrip(*CloneModule(module), places);
}

tilewright::Expected<LinkedText> report::linkLlvmIr(const std::string &text, Places &places) {
  LLVMContext context;
  SMDiagnostic problem;
  std::unique_ptr<Module> module = parseAssemblyString(text, problem, context);
  if (!module)
    return makeError("this is no LLVM IR: " + problem.getMessage().str(),
                     "please report this with the kernel and the command");
  return linkAndStrip(*module, places);
}

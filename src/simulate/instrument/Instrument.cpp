//===- Instrument.cpp - Instrumentation of kernels ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "simulate/instrument/Instrument.h"

#include "simulate/VendorOperations.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Support/Path.h>

using namespace tilewright;
using namespace tilewright::simulate;

Instrumenter::Instrumenter(llvm::Module &module, llvm::Function &kernel, Machine &machine,
                           const VendorOperations &vendor, const SimulatorOptions &options)
    : module(module), kernel(kernel), machine(machine), options(options), vendor(vendor) {}

SourceRange simulate::placeOfLocation(const llvm::DILocation &location) {
  SourceRange where;
  llvm::SmallString<128> file(location.getDirectory());
  llvm::sys::path::append(file, location.getFilename());
  where.file = llvm::sys::path::is_absolute(location.getFilename()) ? location.getFilename().str()
                                                                    : std::string(file);
  where.line = location.getLine();
  where.column = location.getColumn();
  return where;
}

SourceRange Instrumenter::placeOf(const llvm::Instruction &instruction) const {
  if (const llvm::DILocation *location = instruction.getDebugLoc().get())
    return placeOfLocation(*location);
  return {};
}

Diagnostic Instrumenter::errorAt(const llvm::Instruction &instruction, std::string message,
                                 std::string remedy) const {
  Diagnostic diagnostic = makeError(std::move(message), std::move(remedy));
  diagnostic.where = placeOf(instruction);
  return diagnostic;
}

uint32_t Instrumenter::addSite(const llvm::Instruction &instruction, std::string operation) {
  Site &site = machine.sites.emplace_back();
  site.operation = std::move(operation);
  site.where = placeOf(instruction);
  if (auto found = loopOf.find(&instruction); found != loopOf.end())
    site.loop = found->second;
  if (const llvm::DILocation *location = instruction.getDebugLoc().get())
    for (const llvm::DILocation *caller = location->getInlinedAt(); caller;
         caller = caller->getInlinedAt())
      site.inlinedAt.push_back(placeOfLocation(*caller));
  return machine.sites.size() - 1;
}

llvm::Constant *Instrumenter::hostPointer(const void *pointer) {
  llvm::LLVMContext &context = module.getContext();
  return llvm::ConstantExpr::getIntToPtr(
      llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), reinterpret_cast<uint64_t>(pointer)),
      llvm::PointerType::get(context, 0));
}

llvm::CallInst *Instrumenter::callMachine(llvm::IRBuilderBase &builder, llvm::StringRef symbol,
                                          llvm::Type *result, uint32_t site,
                                          llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::SmallVector<llvm::Value *, 8> values = {hostPointer(&machine), builder.getInt32(site)};
  values.append(arguments.begin(), arguments.end());
  llvm::SmallVector<llvm::Type *, 8> types;
  for (llvm::Value *value : values)
    types.push_back(value->getType());
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(symbol, llvm::FunctionType::get(result, types, false));
  llvm::CallInst *call = builder.CreateCall(callee, values);
  // No pass may duplicate such a call or make it depend on more conditions.
  call->setConvergent();
  call->setDoesNotThrow();
  return call;
}

llvm::Value *Instrumenter::readRegister(llvm::IRBuilderBase &builder, const uint32_t &field) {
  llvm::LoadInst *load = builder.CreateLoad(builder.getInt32Ty(), hostPointer(&field));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load,
                    llvm::MDNode::get(module.getContext(), {}));
  return load;
}

Expected<void> Instrumenter::run() {
  if (Expected<void> placed = placeSharedVariables(); !placed)
    return placed;
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      if (Expected<void> done = instrumentFunction(function); !done)
        return done;
  return {};
}

static bool dividesIntegers(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::SDiv:
  case llvm::Instruction::UDiv:
  case llvm::Instruction::SRem:
  case llvm::Instruction::URem:
    return true;
  default:
    return false;
  }
}

Expected<void> Instrumenter::instrumentFunction(llvm::Function &function) {
  // Everything is collected first, so that nothing planted is instrumented again.
  llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>> edges;
  llvm::FindFunctionBackedges(function, edges);
  llvm::SmallSetVector<llvm::Instruction *, 8> backEdges;
  for (auto [from, to] : edges)
    backEdges.insert(const_cast<llvm::Instruction *>(from->getTerminator()));
  llvm::SmallVector<llvm::Instruction *> accesses, calls, divisions, shifts, unreachables;
  llvm::SmallVector<llvm::FenceInst *> fences;
  for (llvm::BasicBlock &block : function)
    for (llvm::Instruction &instruction : block) {
      if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
          intrinsic && (intrinsic->getIntrinsicID() == llvm::Intrinsic::masked_load ||
                        intrinsic->getIntrinsicID() == llvm::Intrinsic::masked_store))
        accesses.push_back(&instruction);
      else if (llvm::isa<llvm::LoadInst, llvm::StoreInst, llvm::AtomicRMWInst,
                         llvm::AtomicCmpXchgInst>(instruction))
        accesses.push_back(&instruction);
      else if (auto *fence = llvm::dyn_cast<llvm::FenceInst>(&instruction))
        fences.push_back(fence);
      else if (llvm::isa<llvm::CallBase>(instruction))
        calls.push_back(&instruction);
      else if (llvm::isa<llvm::UnreachableInst>(instruction))
        unreachables.push_back(&instruction);
      else if (dividesIntegers(instruction))
        divisions.push_back(&instruction);
      else if (instruction.isShift() && vendor.clampsShifts)
        shifts.push_back(&instruction);
      else if (llvm::isa<llvm::IndirectBrInst>(instruction))
        return errorAt(instruction, "the simulator knows no indirect branches");
    }

  for (llvm::Instruction *instruction : unreachables) {
    llvm::IRBuilder<> builder(instruction);
    callMachine(builder, runtime_call::trap, builder.getVoidTy(),
                addSite(*instruction, "unreachable"));
  }
  if (options.count)
    countLoops(function);
  for (llvm::Instruction *instruction : backEdges)
    instrumentBackEdge(*instruction);
  // From the end to the beginning: what is planted splits a block, which moves all instructions
  // after it to a new one.
  for (llvm::Instruction *instruction : llvm::reverse(divisions))
    instrumentDivision(llvm::cast<llvm::BinaryOperator>(*instruction));
  for (llvm::Instruction *instruction : shifts)
    clampShift(llvm::cast<llvm::BinaryOperator>(*instruction));
  for (llvm::Instruction *instruction : llvm::reverse(accesses))
    if (Expected<void> done = instrumentAccess(*instruction); !done)
      return done;
  if (options.globalOrder)
    for (llvm::FenceInst *fence : fences)
      instrumentFence(*fence);
  for (llvm::Instruction *instruction : calls)
    if (Expected<void> done = instrumentCall(llvm::cast<llvm::CallBase>(*instruction)); !done)
      return done;
  return {};
}

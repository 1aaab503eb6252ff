//===- Instrument.h - Instrumentation of kernels --------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A module for a GPU becomes one for the host, function by function:
//
//   memory     each access is preceded by a check (InstrumentMemory.cpp); where the order of
//              global memory is checked, the machine hears of it (InstrumentOrder.cpp)
//   control    loops count their iterations; divisions by zero, false assumptions, traps and
//              code that must not be reached end the launch (InstrumentControl.cpp)
//              where they are counted, iterations are, too (InstrumentLoops.cpp)
//   vendor     the GPU's own operations become calls of the machine or plain IR, as the
//              vendor's table says (VendorOperations.h)
//
// An operation that nothing is known of is an error with its place in the source.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_INSTRUMENT_INSTRUMENT_H
#define TILEWRIGHT_SIMULATE_INSTRUMENT_INSTRUMENT_H

#include "simulate/machine/Machine.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace tilewright::simulate {

struct VendorOperations;

/// The place in the source that debug information names.
SourceRange placeOfLocation(const llvm::DILocation &location);

class Instrumenter {
public:
  Instrumenter(llvm::Module &module, llvm::Function &kernel, Machine &machine,
               const VendorOperations &vendor, const SimulatorOptions &options);

  /// Rewrites all functions of the module, which is in an unspecified state after an error.
  Expected<void> run();

  // Builders for the parts of instrumentation and for vendors' tables.

  llvm::Module &module;
  llvm::Function &kernel;
  Machine &machine;
  const SimulatorOptions &options;

  /// A new site at an instruction's place in the source.
  uint32_t addSite(const llvm::Instruction &instruction, std::string operation);
  SourceRange placeOf(const llvm::Instruction &instruction) const;
  Diagnostic errorAt(const llvm::Instruction &instruction, std::string message,
                     std::string remedy = {}) const;

  /// A constant of the machine's own address space.
  llvm::Constant *hostPointer(const void *pointer);
  /// A call of a function of RuntimeCalls.h or of the vendor's, with the machine and a
  /// site before the arguments given.
  llvm::CallInst *callMachine(llvm::IRBuilderBase &builder, llvm::StringRef symbol,
                              llvm::Type *result, uint32_t site,
                              llvm::ArrayRef<llvm::Value *> arguments = {});
  /// Makes the machine count an access of one thread, where accesses are counted. `active` (i1):
  /// whether it takes part in the warp's access.
  void plantCount(llvm::IRBuilderBase &builder, llvm::Value *pointer, llvm::Value *active,
                  uint32_t site);
  /// The site of an access; nothing if it needs no watching (the thread's own stack).
  std::optional<uint32_t> memorySite(const llvm::Instruction &instruction,
                                     const llvm::Value *pointer, AccessKind kind, uint64_t bytes,
                                     uint64_t alignment);
  /// Plants the check of an access at such a site before the builder's insertion point, which may
  /// be in another block then.
  void plantCheck(llvm::IRBuilderBase &builder, llvm::Value *pointer, uint32_t site);
  /// Plants what watches a load, a store, an atomic operation or a masked access. Code built
  /// around it may be in another block then.
  Expected<void> instrumentAccess(llvm::Instruction &instruction);
  /// Reads a field of Machine::registers that does not change while a thread runs.
  llvm::Value *readRegister(llvm::IRBuilderBase &builder, const uint32_t &field);

private:
  Expected<void> instrumentFunction(llvm::Function &function);

  Expected<void> instrumentMasked(llvm::IntrinsicInst &call);
  Expected<void> placeSharedVariables();
  /// The number of the launch block whose address the function gives.
  std::optional<size_t> launchBlockOf(const llvm::Function *function) const;

  // InstrumentOrder.cpp:

  /// Whether the order of what the site accesses is checked.
  bool watchesOrder(uint32_t site) const;
  void plantLoad(llvm::IRBuilderBase &builder, llvm::Value *pointer, uint32_t site);
  /// Around the store, once the access has been checked.
  void plantStore(llvm::StoreInst &store, uint32_t site);
  void plantAtomic(llvm::Instruction &instruction, llvm::Value *pointer, uint32_t site);
  void instrumentFence(llvm::FenceInst &fence);

  void instrumentDivision(llvm::BinaryOperator &division);
  void clampShift(llvm::BinaryOperator &shift);
  void instrumentBackEdge(llvm::Instruction &terminator);
  /// Adds the function's loops to the machine's, notes which one each instruction is in, and plants
  /// what counts their iterations.
  void countLoops(llvm::Function &function);
  Expected<void> instrumentCall(llvm::CallBase &call);

  const VendorOperations &vendor;
  /// The variables that sites' addresses are computed from.
  llvm::DenseMap<uint32_t, llvm::GlobalVariable *> variables;
  /// The innermost loops of instructions, as sites have them.
  llvm::DenseMap<const llvm::Instruction *, int> loopOf;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_INSTRUMENT_INSTRUMENT_H

//===- CompiledModule.h - LLVM IR text to host code -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_COMPILEDMODULE_H
#define TILEWRIGHT_SIMULATE_COMPILEDMODULE_H

#include "simulate/machine/Machine.h"

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace tilewright::simulate {

struct VendorOperations;

class CompiledModule {
public:
  CompiledModule();
  CompiledModule(CompiledModule &&);
  CompiledModule &operator=(CompiledModule &&);
  ~CompiledModule();

  /// Runs one thread of the kernel. Parameters are packed as by runtime::packArguments.
  Machine::EntryPoint entry = nullptr;
  /// The stack that a thread needs, the machine's own functions included.
  size_t stackBytes = 0;

  std::unique_ptr<llvm::orc::LLJIT> jit;
};

/// Parses, instruments and compiles the kernel. Its code holds the machine's address.
/// Errors: the text is no valid LLVM IR, has no such kernel or one whose parameters do not
/// match the description, or uses something that the simulator does not know.
Expected<CompiledModule> compileModule(const CompiledKernel &kernel, Machine &machine,
                                       const VendorOperations &vendor,
                                       const SimulatorOptions &options);

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_COMPILEDMODULE_H

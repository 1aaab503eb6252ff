//===- Ptx.h - From the LLVM dialect to PTX ----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_PTX_H
#define TILEWRIGHT_EMIT_PTX_H

#include "emit/NvptxMachine.h"
#include "tilewright/Expected.h"

#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm
namespace mlir {
class DialectRegistry;
class ModuleOp;
class OpPassManager;
} // namespace mlir

namespace tilewright::emit {

/// An LLVM module with the context that it lives in.
struct OwnedModule {
  OwnedModule();
  OwnedModule(OwnedModule &&);
  OwnedModule &operator=(OwnedModule &&);
  ~OwnedModule();

  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

/// Milliseconds of each step.
struct EmitTimes {
  double translate = 0, optimize = 0, print = 0, generate = 0;
};

struct EmittedPtx {
  /// LLVM IR after optimisation, with masked memory accesses as LLVM's intrinsics: the
  /// text that the simulator reads.
  std::string llir;
  std::string ptx;
  EmitTimes times;
};

/// What a context needs before `emitPtx` can translate its LLVM, NVVM and builtin ops.
void registerPtxTranslation(mlir::DialectRegistry &registry);

/// Adds the pass that turns the locations of functions and operations, call sites
/// included, into debug scopes, so that PTX has `.loc` lines. It gives line tables only:
/// nothing in them keeps the assembler from optimising.
void addLineInfoPass(mlir::OpPassManager &passes);

/// LLVM IR of a module in the LLVM and NVVM dialects. Errors of the
/// translation come back with their location.
Expected<OwnedModule> translateToLLVMIR(mlir::ModuleOp module);

/// Optimises `module` and generates its PTX for `target`, a "cuda" one. `module` gets the
/// triple and data layout of the target.
Expected<EmittedPtx> emitPtx(OwnedModule module, const target::Target &target,
                             const NvidiaOptions &options = {});

/// The two together.
Expected<EmittedPtx> emitPtx(mlir::ModuleOp module, const target::Target &target,
                             const NvidiaOptions &options = {});

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_PTX_H

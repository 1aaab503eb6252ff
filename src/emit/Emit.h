//===- Emit.h - LLVM dialect to machine code ------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The same steps for every target: translation, optimisation, the text of the LLVM IR, code
// generation. What differs is in Backend.h and in the vendors' folders.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_EMIT_H
#define TILEWRIGHT_EMIT_EMIT_H

#include "tilewright/Expected.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

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

class Backend;

/// An LLVM module with the context that it lives in.
struct OwnedModule {
  OwnedModule();
  OwnedModule(OwnedModule &&);
  OwnedModule &operator=(OwnedModule &&);
  ~OwnedModule();

  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
};

/// How the back end is to treat what the source leaves open.
struct EmitOptions {
  /// Fuse a multiplication and the addition of its result into one instruction that
  /// rounds once.
  bool fuseMultiplyAdd = true;
  /// Where the format of the code has extensions with instructions for what drivers also have
  /// functions for, use the instructions.
  bool useExtensions = false;
  /// The most registers of a thread, where the code can say so; 0 for none.
  int maxRegisters = 0;
  /// Waves that are to fit on a SIMD at the same time, where the back end can be told; 0: as it
  /// finds good.
  int wavesPerSimd = 0;

  bool operator==(const EmitOptions &) const = default;
};

/// Milliseconds of each step.
struct EmitTimes {
  double translate = 0, optimize = 0, print = 0, generate = 0;
};

struct EmittedCode {
  /// The LLVM IR that the code generator gets, but for the target's own assembly: what becomes that
  /// is still LLVM's intrinsics and operations here. The text that the simulator reads.
  std::string llir;
  /// The code that the vendor's driver loads: text, or the bytes of a file.
  std::string nativeCode;
  /// The assembly text of `nativeCode` where that is not text itself; may be empty.
  std::string assembly;
  /// Bytes of the segment that the kernel's arguments are passed in, hidden ones included, where
  /// launchers have to know it (KernelMetadata::kernargBytes); else 0.
  unsigned kernargBytes = 0;
  /// Options for the driver's compiler (KernelMetadata::buildOptions).
  std::string buildOptions;
  EmitTimes times;
};

/// Called with the module after each step of an emission over LLVM IR, and the step's name.
using StepLog = std::function<void(std::string_view step, const llvm::Module &module)>;

/// Registers the translation of LLVM and builtin ops for `emitCode` in a context; vendors register
/// the translation of theirs.
void registerTranslation(mlir::DialectRegistry &registry);

/// Adds the pass that turns the locations of functions and operations, call sites
/// included, into debug scopes, so that the code has `.loc` lines. It gives line tables only:
/// nothing in them keeps an assembler from optimising.
void addLineInfoPass(mlir::OpPassManager &passes);

/// LLVM IR of a module in the LLVM dialect and the vendors'. Errors of the
/// translation come back with their location.
Expected<OwnedModule> translateToLLVMIR(mlir::ModuleOp module);

/// Optimises `module` and generates its code for the backend's target. `module` gets the triple and
/// data layout of the target.
Expected<EmittedCode> emitCode(OwnedModule module, const Backend &backend,
                               const EmitOptions &options = {}, const StepLog &log = {});

/// The two together.
Expected<EmittedCode> emitCode(mlir::ModuleOp module, const Backend &backend,
                               const EmitOptions &options = {}, const StepLog &log = {});

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_EMIT_H

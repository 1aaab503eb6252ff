//===- Observer.h - Observers of a compilation ----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_COMPILER_OBSERVER_H
#define TILEWRIGHT_COMPILER_OBSERVER_H

#include "tilewright/Compiler.h"
#include "tilewright/InputFile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::compiler {

/// The IR that a compilation arrives at: that of the source, and of each text that it writes.
enum class Stage { Source, TTIR, TTGIR, LLVM };

/// A pass as people name it.
struct PassName {
  /// As the reference compiler names its dumps: the class, without namespaces and "Pass".
  llvm::StringRef name;
  /// The flag of tilewright-opt; empty for the reading of the source.
  llvm::StringRef flag;
};

/// Sees the IR of one compilation as it comes to be. An observer changes nothing.
class Observer {
public:
  virtual ~Observer() = default;

  /// Called for the module that was read, under the name "Source", and after every pass that has a
  /// flag, with the module that the pass ran in.
  virtual void afterPass(mlir::ModuleOp module, const PassName &pass) = 0;
  /// Called after each step of the optimisation of LLVM IR and of its way to the code generator.
  virtual void afterStep(const llvm::Module &module, llvm::StringRef step) {}
  /// Called when `stage` is complete. Of a TTGIR source there is no stage TTIR.
  virtual void afterStage(mlir::ModuleOp module, Stage stage) {}
  /// Called last, whatever came of the compilation: types and attributes end with it.
  virtual void afterCompilation(const CompileResult &result) {}
};

/// Has `observer` see what the passes of `manager` make. It must live as long.
void observe(mlir::PassManager &manager, Observer &observer);

/// Compiles `source` anew, past every cache, and has `observer` see it. The files that the source
/// imports are read by `reader`; from the disk if it is empty.
CompileResult compileObserved(const Source &source, const CompileOptions &options,
                              Observer &observer, FileReader reader = {});

} // namespace tilewright::compiler

#endif // TILEWRIGHT_COMPILER_OBSERVER_H

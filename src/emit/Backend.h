//===- Backend.h - The interface of a vendor's code generation ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_BACKEND_H
#define TILEWRIGHT_EMIT_BACKEND_H

#include "emit/BackendErrors.h"
#include "emit/Step.h"

#include "llvm/Support/CodeGen.h"

#include <memory>
#include <mutex>

namespace llvm {
class MCContext;
class TargetMachine;
class raw_pwrite_stream;
namespace legacy {
class PassManagerBase;
} // namespace legacy
} // namespace llvm

namespace tilewright::emit {

/// One for each emission; vendor/<name>/emit has a class for each vendor, which vendor::Vendor
/// makes. Functions are called in the order in which they stand here.
class Backend {
public:
  virtual ~Backend() = default;

  const target::Target &getTarget() const { return target; }

  /// A code generator. Null if this LLVM was built without it. Not to be shared between threads.
  virtual std::shared_ptr<llvm::TargetMachine> createMachine(const EmitOptions &options) const = 0;

  /// Changes `module`, which has the machine's triple and data layout, before the optimiser
  /// sees it.
  virtual void prepare(llvm::Module &module, const EmitOptions &options) const {}

  /// Make of the optimised module what LLVM's code generator takes or does well with. The .llir is
  /// printed after them: the simulator runs what is made here.
  virtual llvm::ArrayRef<Step> getLegalizingSteps() const { return {}; }

  /// Whether the driver's compiler optimises as LLVM does: what the optimiser's first passes open
  /// for others is left to it.
  virtual bool driverOptimizes() const { return false; }

  /// Options of the driver's compiler for the legalized module
  /// (EmittedCode::buildOptions); empty: nothing.
  virtual std::string getBuildOptions(const llvm::Module &module) const { return {}; }

  /// Put in what no simulator is to see: the target's own assembly, and operations that differ only
  /// in hardware.
  virtual llvm::ArrayRef<Step> getTargetSteps() const { return {}; }

  /// Held while the code generator runs. For one that keeps state in the process.
  virtual std::unique_lock<std::mutex> lockGenerator() const { return {}; }

  /// The passes of LLVM's code generator that do not run, or run after another. Where several rules
  /// are for one pass, their passes run in the order of the rules.
  virtual llvm::ArrayRef<CodeGenRule> getCodeGenRules() const { return {}; }

  /// Adds the pass that writes the code to `out`, as a file of the kind below; it may lie in
  /// `context`. Says whether the machine can.
  virtual bool addCodePrinter(llvm::legacy::PassManagerBase &passes, llvm::TargetMachine &machine,
                              llvm::raw_pwrite_stream &out, llvm::MCContext &context) const;

  /// The kind of file that the code generator writes.
  virtual llvm::CodeGenFileType getFileType() const { return llvm::CodeGenFileType::AssemblyFile; }

  /// Makes the result of what the code generator has written.
  virtual std::optional<BackendFailure> finish(std::string generated, EmittedCode &result) const {
    result.nativeCode = std::move(generated);
    return std::nullopt;
  }

protected:
  explicit Backend(const target::Target &target) : target(target) {}
  const target::Target &target;
};

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_BACKEND_H

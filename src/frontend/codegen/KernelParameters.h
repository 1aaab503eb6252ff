//===- KernelParameters.h - The parameters of a kernel --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_CODEGEN_KERNELPARAMETERS_H
#define TILEWRIGHT_FRONTEND_CODEGEN_KERNELPARAMETERS_H

#include "frontend/interpret/Interpreter.h"
#include "frontend/value/Signature.h"
#include "mlir/IR/Block.h"
#include "tilewright/Kernel.h"

namespace tilewright::frontend {

/// Makes constants and arguments of a kernel's function of its parameters, by a signature. A
/// parameter takes any number of arguments.
class KernelParameters {
public:
  explicit KernelParameters(Interpreter &interpreter)
      : interpreter(interpreter), resolver(interpreter.resolver), now(interpreter.now), tb(now.tb) {
  }

  /// Reads the signature of the kernel; false after an error.
  bool read(const FunctionObject *kernel, llvm::StringRef signature);

  // After `read`: the arguments of the kernel's function.
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::DictionaryAttr> attributes;
  llvm::SmallVector<mlir::Location> locations;
  /// All parameters, constants included, for those who launch the kernel.
  std::vector<KernelArgument> arguments;

  /// Sets the parameters of the kernel, from the arguments of its entry block. False after an
  /// error.
  bool define(mlir::Block &entry, Variables &locals);

private:
  /// Adds entries at the end where the parameter has a constant to stand in, then there is one for
  /// each parameter; false, after an error, if there is not.
  bool completeSignature(llvm::StringRef signature);
  /// Adds the arguments of a parameter, or of an element of one that is a tuple, whose name is a
  /// path: "view.sizes[0]". `signature` is empty for an entry that is not in it.
  bool addEntry(const Parameter &parameter, const std::string &name, const SignatureEntry &entry,
                llvm::StringRef signature);
  void describeConstant(const std::string &name, const SignatureEntry &entry,
                        llvm::StringRef signature);
  bool addArgument(const Parameter &parameter, const std::string &name, const SignatureEntry &entry,
                   llvm::StringRef signature);
  void addDescriptor(const std::string &name, const SignatureEntry &entry);
  void addHardwareDescriptor(const std::string &name, const SignatureEntry &entry);
  bool checkLayouts(llvm::ArrayRef<SignatureEntry> list, llvm::StringRef signature);
  void addInput(DType type, int64_t divisibility, mlir::Location location);
  void describeArgument(const std::string &name, std::string type, int64_t divisibility);
  mlir::DictionaryAttr divisibilityAttribute(int64_t divisibility);

  /// The value of an entry of the signature in the kernel: takes its arguments off the entry
  /// block's.
  Value makeParameter(const SignatureEntry &entry, llvm::ArrayRef<mlir::BlockArgument> &arguments);
  Value makeDescriptorParameter(const SignatureEntry &entry,
                                llvm::ArrayRef<mlir::BlockArgument> &arguments);
  /// The function of the source that an entry names.
  Value functionOfEntry(const SignatureEntry &entry);

  Interpreter &interpreter;
  Resolver &resolver;
  Execution &now;
  TritonBuilder &tb;
  const FunctionObject *kernel = nullptr;
  /// One for each parameter.
  std::vector<SignatureEntry> entries;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_CODEGEN_KERNELPARAMETERS_H

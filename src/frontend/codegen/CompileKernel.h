//===- CompileKernel.h - Compilation of Python kernel source to tt --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_CODEGEN_COMPILEKERNEL_H
#define TILEWRIGHT_FRONTEND_CODEGEN_COMPILEKERNEL_H

#include "frontend/names/modules/SourceFiles.h"
#include "frontend/names/scope/ParsedModule.h"
#include "frontend/value/TritonBuilder.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "tilewright/Diagnostic.h"
#include "tilewright/Kernel.h"
#include "llvm/ADT/StringRef.h"

#include <vector>

namespace tilewright::frontend {

/// Compiles one kernel of a parsed source file to a module in the tt dialect: the kernel
/// as a public function, and a private function for each specialisation of what it calls.
///
/// An empty `kernelName` stands for the one jitted function of the file that no other one calls.
/// `signature` is described in Signature.h. The dialects that are needed are loaded into `context`.
///
/// `imports`: the other files that its names may come from; none if it is null.
///
/// `arguments` becomes the description of all parameters in order, for those who launch it.
///
/// Null on an error; the first entry of `errors` then is the error. What tl.static_print prints
/// becomes notes in `errors`, with and without an error; so do warnings.
mlir::OwningOpRef<mlir::ModuleOp>
compileKernel(mlir::MLIRContext &context, const ParsedModule &source, llvm::StringRef kernelName,
              llvm::StringRef signature, std::vector<KernelArgument> &arguments,
              std::vector<Diagnostic> &errors, const CompileFacts &facts = {},
              Imports *imports = nullptr);

/// Likewise, of a text that is parsed for this kernel alone; a syntax error is the error then.
mlir::OwningOpRef<mlir::ModuleOp>
compileKernel(mlir::MLIRContext &context, llvm::StringRef fileName, llvm::StringRef sourceText,
              llvm::StringRef kernelName, llvm::StringRef signature,
              std::vector<KernelArgument> &arguments, std::vector<Diagnostic> &errors,
              const CompileFacts &facts = {}, Imports *imports = nullptr);

/// The kernels that stand in the module itself, by the order of the text; those only that no other
/// one calls if `rootsOnly`. Other files are not looked at.
std::vector<const FunctionDefStmt *> kernelsOf(const ParsedModule &source, bool rootsOnly);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_CODEGEN_COMPILEKERNEL_H

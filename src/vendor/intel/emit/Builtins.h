//===- Builtins.h - Calls of functions known to the SPIR-V back end -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_BUILTINS_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_BUILTINS_H

#include "llvm/IR/IRBuilder.h"

namespace tilewright::emit {

/// Calls the function `name`, mangled as in the Itanium C++ ABI ("_Z6mul_himm"), which the module
/// gets a declaration of. It gives a `result` and throws nothing.
llvm::CallInst *callBuiltin(llvm::IRBuilderBase &builder, llvm::StringRef name, llvm::Type *result,
                            llvm::ArrayRef<llvm::Value *> operands);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_BUILTINS_H

//===- KernelCode.h - Code generation, as expressions need it -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_INTERPRET_KERNELCODE_H
#define TILEWRIGHT_FRONTEND_INTERPRET_KERNELCODE_H

#include "frontend/builtins/Builtins.h"

namespace tilewright::frontend {

/// An expression of a kernel may need control flow or a function of the kernel's own. Whoever
/// generates the kernel's code implements this interface; without it, nothing but Python runs.
class KernelCode {
public:
  /// `a if c else b` where the kernel computes the condition; no value after an error.
  virtual Value choose(const IfExpExpr *expr, Value condition) = 0;
  /// A call of a jitted function; no value after an error.
  virtual Value callFunction(const FunctionObject *function,
                             llvm::ArrayRef<GivenArgument> given) = 0;
  /// gl.warp_specialize of these arguments; no value after an error.
  virtual Value specializeWarps(Arguments &arguments) = 0;

protected:
  ~KernelCode() = default;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_INTERPRET_KERNELCODE_H

//===- Builtin.h - A function that kernels can call -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The value of an expression that names such a function. The functions themselves, and how
// they are found and called, are in builtins/.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_VALUE_BUILTIN_H
#define TILEWRIGHT_FRONTEND_VALUE_BUILTIN_H

#include "frontend/value/Value.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::frontend {

class Arguments;

enum BuiltinFlags : unsigned {
  NoFlags = 0,
  /// Also a method of tensors: x.sum(..) is tl.sum(x, ..).
  Member = 1,
  /// Computes with constants only, so that module-level code may call it too.
  ConstantOnly = 2,
  /// Can be iterated over by a `for`.
  Range = 4,
  /// Asks about values of any kind; the Interpreter does it itself.
  Reflective = 8,
  /// Combines two elements into one, so that tl.reduce and tl.associative_scan take it.
  Combines = 16,
  /// Divides the warps of the block among functions; who generates the kernel's code does it.
  Specializes = 32,
};

struct Builtin {
  llvm::StringRef name;
  /// The parameters, separated by spaces: `name` must be given, `name?` may be left out,
  /// `*name` takes all further positional arguments as a tuple.
  llvm::StringRef parameters;
  Value (*emit)(Arguments &arguments);
  unsigned flags = NoFlags;
};

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_VALUE_BUILTIN_H

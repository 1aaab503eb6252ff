//===- MemoryArguments.h - Arguments common to memory builtins ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_BUILTINS_MEMORYARGUMENTS_H
#define TILEWRIGHT_FRONTEND_BUILTINS_MEMORYARGUMENTS_H

#include "frontend/builtins/Builtins.h"

namespace tilewright::frontend {

/// The argument `index` as a pointer or a tensor of pointers; no value, after an error, if it is
/// none.
Value pointerArgument(const Arguments &arguments, size_t index);

/// The same of what is written to; no value, after an error, if it is a pointer to constants.
Value writtenPointerArgument(const Arguments &arguments, size_t index);

/// The rule by which the shape of a tensor fits the pointers, as Triton has it for each operation.
enum class Fitting {
  /// Dimensions may be missing in front; those of size 1 are repeated.
  Broadcast,
  /// Dimensions of size 1 are repeated.
  SameRank,
  SameShape,
};

/// The argument `index` as a mask in the shape of the pointers; `mask` is left without an SSA
/// value where there is none. False after an error.
bool maskArgument(const Arguments &arguments, size_t index, const Value &pointer, Value &mask,
                  Fitting fitting = Fitting::Broadcast);

/// The argument `index`, a number or a tensor, as elements of `type` in the shape of the pointers.
Value valueArgument(const Arguments &arguments, size_t index, const Value &pointer, DType type,
                    Fitting fitting = Fitting::Broadcast);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_BUILTINS_MEMORYARGUMENTS_H

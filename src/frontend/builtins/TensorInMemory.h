//===- TensorInMemory.h - Base, shape and strides of a tensor in memory -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Tensor descriptors and block pointers are both made of a pointer to the first element,
// and of sizes, strides and offsets, one for each dimension.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_BUILTINS_TENSORINMEMORY_H
#define TILEWRIGHT_FRONTEND_BUILTINS_TENSORINMEMORY_H

#include "frontend/builtins/Builtins.h"

namespace tilewright::frontend {

/// The elements of a tuple, or of one value as a tuple of it. They live as long as `value`.
llvm::ArrayRef<Value> sequenceOf(const Value &value);

/// The pointer that is the argument `index`; no value, after an error, if it is none.
Value baseArgument(const Arguments &arguments, size_t index);

/// The integers of the argument `index`, constants that fit into `type` or scalars, as scalars of
/// `type`. Nothing after an error.
std::optional<std::vector<Value>> scalarsArgument(const Arguments &arguments, size_t index,
                                                  DType type);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_BUILTINS_TENSORINMEMORY_H

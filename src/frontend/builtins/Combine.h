//===- Combine.h - Reduction and scan ops with their regions --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// tt.reduce and tt.scan have a region that combines two elements of each operand into
// one. Both families of builtins make theirs here.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_BUILTINS_COMBINE_H
#define TILEWRIGHT_FRONTEND_BUILTINS_COMBINE_H

#include "frontend/builtins/Builtins.h"

namespace tilewright::frontend {

using Values = llvm::SmallVector<Value, 2>;

/// Given one element of each operand and then a second one of each, in order, the combined
/// elements, one an operand. Empty after an error.
using Combine = llvm::function_ref<Values(llvm::ArrayRef<Value> elements)>;

/// A tt.reduce of tensors of one shape along an axis. Empty after an error.
Values emitReduce(TritonBuilder &tb, llvm::ArrayRef<Value> inputs, unsigned axis, Combine combine);

/// A tt.scan of tensors of one shape along an axis, from its end to its start if `reverse`.
/// Empty after an error.
Values emitScan(TritonBuilder &tb, llvm::ArrayRef<Value> inputs, unsigned axis, bool reverse,
                Combine combine);

/// The combination of one operand's elements by an operator.
inline auto combineBy(TritonBuilder &tb, BinaryOperator op) {
  return [&tb, op](llvm::ArrayRef<Value> elements) -> Values {
    Value combined = tb.binary(op, elements[0], elements[1]);
    return combined ? Values{combined} : Values{};
  };
}

/// The tensors of the argument `index`, a tensor or a tuple of tensors of one shape. Empty
/// after an error.
Values tensorsOf(const Arguments &arguments, size_t index);

/// The combination by the jitted function that is the argument `index`: it takes two elements
/// of each input, and returns one of each, of the same types. Empty after an error.
Values combineByFunction(const Arguments &arguments, size_t index, llvm::ArrayRef<Value> elements);

/// Returns the value of a function of a tensor, or of a tuple of tensors, for its argument.
Value likeArgument(const Value &argument, llvm::ArrayRef<Value> results);

/// The argument `typeIndex`, or where it is left out, the type in which integers of less than
/// 32 bits are summed: 32 bits of the same sign (i1 counts as unsigned). Nothing after an error.
std::optional<DType> sumType(const Arguments &arguments, size_t typeIndex, DType input);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_BUILTINS_COMBINE_H

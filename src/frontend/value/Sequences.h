//===- Sequences.h - Elements of constant tuples and strings --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_VALUE_SEQUENCES_H
#define TILEWRIGHT_FRONTEND_VALUE_SEQUENCES_H

#include "frontend/value/TritonBuilder.h"

#include <optional>
#include <vector>

namespace tilewright::frontend {

/// What a loop over the value runs over, one by one: a tuple. An error at `span` of other values.
Value elementsIn(TritonBuilder &tb, const Value &value, SourceSpan span);

/// The positions that an index or a slice of a sequence of `size` stands for, as in Python.
/// Nothing, after an error at `span`, if it stands for none.
std::optional<std::vector<size_t>> positionsOf(TritonBuilder &tb, const Value &sequence,
                                               Integer size, const Value &index, SourceSpan span);
/// `tuple[index]`
Value subscriptTuple(TritonBuilder &tb, const Value &tuple, const Value &index, SourceSpan span);
/// `string[index]`
Value subscriptString(TritonBuilder &tb, const Value &string, const Value &index, SourceSpan span);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_VALUE_SEQUENCES_H

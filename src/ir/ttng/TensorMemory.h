//===- TensorMemory.h - Tensors in tensor memory, as maps -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTNG_TENSORMEMORY_H
#define TILEWRIGHT_IR_TTNG_TENSORMEMORY_H

#include "ir/ttng/Dialect.h"
#include "layout/encoding/TensorMemory.h"

namespace tilewright::ttng {

/// Bits of an element of tensor memory, and of a column of its word.
unsigned getTensorMemoryElementBits(ttg::MemDescType type);
inline constexpr unsigned tensorMemoryWordBits = 32;

/// (row, column) -> (dim0, dim1) of one buffer of `type`, in tensor memory; columns count elements.
/// Of a part of a piece it is the map of the part, whose place is that of its first element.
layout::LinearLayout toTensorMemoryLayout(ttg::MemDescType type);

/// The words that one buffer takes of a row, and all of them.
unsigned getBufferColumns(ttg::MemDescType type);
unsigned getColumns(ttg::MemDescType type);

/// Whether a tensor takes 16 of each warp's 32 rows, and leaves the others.
bool takesHalfOfRows(ttg::MemDescType type);

} // namespace tilewright::ttng

#endif // TILEWRIGHT_IR_TTNG_TENSORMEMORY_H

//===- Blocks.h - Encodings and the blocks of a cluster -------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_QUERY_BLOCKS_H
#define TILEWRIGHT_IR_TTG_QUERY_BLOCKS_H

#include "mlir/IR/Attributes.h"

namespace tilewright::ttg {

/// The encoding of the part that one block of a cluster has, where blocks divide the dimensions'
/// highest bits: the same without CGALayout, or `block`. Those that clusters do not use stay as
/// they are.
mlir::Attribute withoutBlocks(mlir::Attribute encoding);

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_QUERY_BLOCKS_H

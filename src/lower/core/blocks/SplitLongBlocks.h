//===- SplitLongBlocks.h - Division of long blocks before conversion -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The dialect conversion asks for the order of ops in a block after each op that it
// replaced, and a block that has changed is numbered anew as a whole: its time grows
// with the square of a block's length. Pieces of bounded length keep it linear.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_BLOCKS_SPLITLONGBLOCKS_H
#define TILEWRIGHT_LOWER_CORE_BLOCKS_SPLITLONGBLOCKS_H

#include "ir/tt/Dialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tilewright::lower {

/// Cuts the blocks of a function into pieces, joined by unconditional cf branches.
void splitLongBlocks(tt::FuncOp function);

/// Joins each block with its only successor, where that has no other predecessor and takes no
/// arguments: undoes splitLongBlocks once the branches are LLVM's.
void joinBlocks(mlir::LLVM::LLVMFuncOp function);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_BLOCKS_SPLITLONGBLOCKS_H

//===- WarpValues.h - Exchange of values between warps --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Emits what a plan::WarpExchange says.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_COLLECTIVE_WARPVALUES_H
#define TILEWRIGHT_LOWER_COLLECTIVE_WARPVALUES_H

#include "lower/collective/Combiner.h"
#include "plan/collective/WarpExchange.h"

namespace tilewright::lower {

/// Bytes of scratch memory for an exchange of items of these element types.
uint64_t getExchangeBytes(const plan::WarpExchange &plan, llvm::ArrayRef<mlir::Type> elements);

/// Stores the partials, meets at a barrier of the block and loads: values[k][w] is partial k
/// with number w. The scratch begins at byte `scratch` of the block's shared memory.
llvm::SmallVector<llvm::SmallVector<Item>> exchangeAcrossWarps(LoweringBuilder &e,
                                                               const plan::WarpExchange &plan,
                                                               uint64_t scratch,
                                                               llvm::ArrayRef<Item> partials);

/// Stores the partials, meets at a barrier of the block and loads: of each partial, lane l of a
/// warp gets that with number l modulo the warps of the exchange.
llvm::SmallVector<Item> exchangeWithLanes(LoweringBuilder &e, const plan::WarpExchange &plan,
                                          uint64_t scratch, llvm::ArrayRef<Item> partials);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_COLLECTIVE_WARPVALUES_H

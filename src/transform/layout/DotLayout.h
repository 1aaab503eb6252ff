//===- DotLayout.h - The layout of a matrix product -----------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_DOTLAYOUT_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_DOTLAYOUT_H

#include "ir/ttg/Dialect.h"
#include "target/ExchangeModel.h"

namespace tilewright::transform {

/// A layout for the result of `op` in which it is computed by multiply-adds, in a block of
/// `numWarps` warps of `threadsPerWarp` threads that read the operands from `memory`. A thread with
/// r x c elements needs r + c of the operands for r * c products of each k, so its elements form a
/// square, or one that is twice as wide. They come in vectors as wide as an access of the operands'
/// type, so that neighbouring threads read neighbouring vectors. Of a batch, warps first share the
/// matrices.
ttg::BlockedEncodingAttr getDotResultLayout(tt::DotOp op, unsigned numWarps,
                                            unsigned threadsPerWarp,
                                            const target::ExchangeModel &memory);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_DOTLAYOUT_H

//===- Assertion.h - Ends a launch where a condition is false -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LOWER_CORE_BLOCKS_ASSERTION_H
#define TILEWRIGHT_LOWER_CORE_BLOCKS_ASSERTION_H

#include "ir/tt/Dialect.h"
#include "lower/core/builder/LoweringBuilder.h"

namespace tilewright::lower {

/// Ends the launch with the message of `op` where `holds`, an i1, is false. Splits the block of
/// `rewriter`, the builder of `e`. The target has to be one on which kernels can fail.
void emitAssertion(LoweringBuilder &e, mlir::RewriterBase &rewriter, tt::AssertOp op,
                   mlir::Value holds);

} // namespace tilewright::lower

#endif // TILEWRIGHT_LOWER_CORE_BLOCKS_ASSERTION_H

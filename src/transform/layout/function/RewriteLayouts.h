//===- RewriteLayouts.h - Carries out a choice of layouts -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_FUNCTION_REWRITELAYOUTS_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_FUNCTION_REWRITELAYOUTS_H

#include "transform/layout/function/FunctionLayouts.h"

namespace tilewright::transform {

/// Gives the tensors of `function` the layouts of `choice`, which is a choice for it, in one pass
/// in program order: the first version of an op is the op itself with other types, further ones
/// are clones after it; an op that keeps its layouts has those of its alternative; loops and
/// branches have further versions as further arguments and results. A conversion stands right after
/// what it converts, once for all uses, or in the branch that alone has uses of it.
void rewriteLayouts(tt::FuncOp function, const LayoutChoice &choice);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_FUNCTION_REWRITELAYOUTS_H

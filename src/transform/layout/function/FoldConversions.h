//===- FoldConversions.h - Conversions that their neighbours make superfluous -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_LAYOUT_FUNCTION_FOLDCONVERSIONS_H
#define TILEWRIGHT_TRANSFORM_LAYOUT_FUNCTION_FOLDCONVERSIONS_H

#include "ir/ttg/Dialect.h"

namespace tilewright::transform {

/// Before layouts are chosen: what passes through a wait for asynchronous products or copies is
/// converted after it, where it meets other conversions.
void moveConversionsBehindWaits(tt::FuncOp function);

/// After layouts have been chosen: removes conversions of
/// - what tt.gather gathers from, which may have any layout, if they go through shared memory as
///   the gather will;
/// - the operand or the result of a tt.reshape to which any order of the elements will do;
/// - what a tt.histogram gives, for one use;
/// - what was loaded from shared memory, and transposed, for them alone: the load gives what is
///   wanted.
void foldConversions(tt::FuncOp function);

/// Whether a tt.reshape between the two, to which any order of the elements will do, moves none
/// between threads: threads have as many elements of both, none of them twice.
bool canReorder(mlir::RankedTensorType a, mlir::RankedTensorType b);

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_LAYOUT_FUNCTION_FOLDCONVERSIONS_H

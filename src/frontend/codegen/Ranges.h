//===- Ranges.h - The ranges of loops -------------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_CODEGEN_RANGES_H
#define TILEWRIGHT_FRONTEND_CODEGEN_RANGES_H

#include "frontend/builtins/Builtins.h"
#include "frontend/names/execution/Execution.h"
#include "mlir/IR/Operation.h"

#include <optional>

namespace tilewright::frontend {

/// The bounds of a loop that counts up, all of one type.
struct LoopBounds {
  Value lower, upper, step;
  DType type{ScalarKind::Int32};
  /// The loop of the source counts down: its variable is upper + lower - the loop's counter.
  bool countsDown = false;
};

/// The bounds that the arguments of range or tl.range give; nothing after an error.
std::optional<LoopBounds> loopBounds(TritonBuilder &tb, const Arguments &range);
/// The arguments of tl.range after the bounds, as attributes; the passes that schedule loops read
/// them. False after an error.
bool setLoopHints(mlir::Operation *loop, const Arguments &range);
/// Nothing is to be moved out of the loop.
void forbidHoisting(mlir::Operation *loop);
/// Takes the arguments that Triton ignores from those of a `range`; false after an error.
bool dropRangeHints(TritonBuilder &tb, llvm::SmallVectorImpl<GivenArgument> &given);
/// What the variable of a `for` holds after it. `old` is what it held before.
Value counterAfter(Execution &now, const ForStmt *loop, const LoopBounds &bounds, const Value &old);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_CODEGEN_RANGES_H

//===- LayoutText.h - Layouts that a signature writes out -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_FRONTEND_CODEGEN_LAYOUTTEXT_H
#define TILEWRIGHT_FRONTEND_CODEGEN_LAYOUTTEXT_H

#include "frontend/value/TritonBuilder.h"

namespace tilewright::frontend {

/// The layout that `text` makes, as Python's repr of a layout of Gluon's or shorter:
/// `SliceLayout(1, BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))`. No value after an error.
Value layoutOfText(TritonBuilder &tb, llvm::StringRef text);

} // namespace tilewright::frontend

#endif // TILEWRIGHT_FRONTEND_CODEGEN_LAYOUTTEXT_H

//===- IRBrackets.h - Nesting depth of brackets in IR text ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Checks of IR before it is parsed. MLIR's parser is recursive and would run out of stack
// on what nests deeply.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_COMPILER_IRBRACKETS_H
#define TILEWRIGHT_COMPILER_IRBRACKETS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace tilewright::compiler {

/// Goes over `text` past strings, comments and arrows. Calls `stop(offset, depth)` at every other
/// byte, with the number of brackets open after it; closing ones too many do not count. Gives the
/// first offset for which it says true, or the size of `text`. A string ends with its line.
size_t scanBrackets(llvm::StringRef text, llvm::function_ref<bool(size_t, unsigned)> stop);

/// The offset of the first bracket that is in more than `deepest` others, itself counted; npos
/// where there is none.
size_t findTooDeep(llvm::StringRef text, unsigned deepest);

} // namespace tilewright::compiler

#endif // TILEWRIGHT_COMPILER_IRBRACKETS_H

//===- LayoutExamples.h - An example of each encoding's syntax ------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// One example of every layout attribute, which errors about it show.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_LAYOUT_LAYOUTEXAMPLES_H
#define TILEWRIGHT_CLI_LAYOUT_LAYOUTEXAMPLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace tilewright::cli {

/// A valid attribute of each kind there is, as IR writes it.
llvm::ArrayRef<llvm::StringLiteral> layoutExamples();

/// The remedy for an error in the text of a layout, `offset` bytes into it: the example of the
/// attribute that stands there, outermost or inside another; the names there are, where the name is
/// none of them; how layouts are written at all, where there is no name. One line.
std::string layoutRemedyAt(llvm::StringRef text, size_t offset);

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_LAYOUT_LAYOUTEXAMPLES_H

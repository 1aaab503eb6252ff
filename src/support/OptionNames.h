//===- OptionNames.h - Options as C and Python name them ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SUPPORT_OPTIONNAMES_H
#define TILEWRIGHT_SUPPORT_OPTIONNAMES_H

#include "tilewright/Diagnostic.h"

namespace tilewright {

/// The diagnostic, its notes included, with the options of the command line, as in "give
/// --num-warps a power of two", by the names that members and arguments have in C and Python:
/// num_warps. What is quoted from a source stays as it is.
Diagnostic withOptionNames(Diagnostic diagnostic);

} // namespace tilewright

#endif // TILEWRIGHT_SUPPORT_OPTIONNAMES_H

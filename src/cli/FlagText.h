//===- FlagText.h - Flags of a compilation in one text --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_FLAGTEXT_H
#define TILEWRIGHT_CLI_FLAGTEXT_H

#include "tilewright/CompileOptions.h"
#include "tilewright/Expected.h"

#include <string>

namespace tilewright::cli {

/// Sets what `text` says, flags as on the command line, quoted as in a shell:
///
///     --num-warps 8 --signature "*fp32:16, i32, 1024"
///
/// Errors: no flag of a compilation, a flag without its value, or a value that it does not take.
Expected<void> applyFlags(const std::string &text, CompileOptions &options);

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_FLAGTEXT_H

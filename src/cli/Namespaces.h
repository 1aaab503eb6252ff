//===- Namespaces.h - Namespaces that the commands use --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_NAMESPACES_H
#define TILEWRIGHT_CLI_NAMESPACES_H

namespace tilewright::compiler {}

/// Commands report with the compiler's diagnostics, and use its names without saying so.
namespace tilewright::cli {
using namespace compiler;
} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_NAMESPACES_H

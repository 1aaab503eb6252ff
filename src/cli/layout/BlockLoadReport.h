//===- BlockLoadReport.h - Plans of block messages, by their texts --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_LAYOUT_BLOCKLOADREPORT_H
#define TILEWRIGHT_CLI_LAYOUT_BLOCKLOADREPORT_H

#include "tilewright/Expected.h"

#include <string>

namespace tilewright::cli {

/// The 2D block messages that bring a tensor to a layout, or from it: docs/block-messages.md.
struct BlockLoadQuery {
  /// An attribute; empty: the one that the tensor's type names.
  std::string layout;
  std::string tensor;
  /// row_major or column_major.
  std::string memory = "row_major";
  /// load, store or prefetch.
  std::string access = "load";
  /// steps or messages; empty: steps for the loads of a DPAS operand, else messages.
  std::string view;
  /// text or json.
  std::string format = "text";
  std::string target = "xpu:pvc";
  bool foldRows = false;
  bool extensionFormsOnly = false;
  /// The prefix of the names of these in errors: "--" on the command line.
  std::string prefix;
};

/// The plan, with a line break at its end. Errors: a choice that there is not, what LayoutArguments
/// finds, a target without such messages, a layout that they cannot do.
Expected<std::string> describeBlockLoad(const BlockLoadQuery &query);

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_LAYOUT_BLOCKLOADREPORT_H

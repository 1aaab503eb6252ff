//===- ConversionReport.h - Plans of conversions, by their texts ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CLI_LAYOUT_CONVERSIONREPORT_H
#define TILEWRIGHT_CLI_LAYOUT_CONVERSIONREPORT_H

#include "target/Target.h"
#include "tilewright/CompileOptions.h"
#include "tilewright/Expected.h"
#include "tilewright/layout/ConversionPlan.h"

namespace tilewright::cli {

/// How a tensor gets from one layout to another.
struct ConversionQuery {
  /// Attributes, such as "#ttg.blocked<{..}>".
  std::string from, to;
  /// A type without a layout: "tensor<128x64xf16>".
  std::string tensor;
  std::string target = std::string(OptionDefaults::target);
  /// The prefix of the names of these in errors: "--" on the command line.
  std::string prefix;
};

/// The plan. Errors: what LayoutArguments finds, layouts that are not for the target or not for the
/// same threads, no such conversion.
Expected<plan::ConversionPlan> planConversion(const ConversionQuery &query);

/// The plan and what it is for, as text or as JSON, with a line break at its end. Errors: those of
/// `planConversion`.
Expected<std::string> describeConversion(const ConversionQuery &query, bool asJson);

} // namespace tilewright::cli

#endif // TILEWRIGHT_CLI_LAYOUT_CONVERSIONREPORT_H

//===- LaunchChecks.cpp - Launch options against a target ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "compiler/LaunchChecks.h"

#include "compiler/Diagnostics.h"
#include "target/Atom.h"
#include "target/VendorTable.h"
#include "tilewright/Expected.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <string>

using namespace tilewright;

namespace {
struct Range {
  int least, most;
  std::string_view text;
};
} // namespace

static Range rangeOf(std::string_view option) {
  if (option == "maxnreg")
    return {1, std::numeric_limits<int>::max(), "a positive number"};
  // LLVM, "User Guide for AMDGPU Backend": no SIMD has more waves.
  if (option == "waves_per_eu")
    return {0, 16, "a number from 1 to 16, or 0 for the compiler's choice"};
  if (option == "matrix_instr_nonkdim")
    return {0, 32, "0, 4, 16 or 32"};
  if (option == "kpack")
    return {1, 2, "1 or 2"};
  return {0, 1, "0 or 1"};
}

/// The vendors' prefixes whose targets take an option: "cuda, hip".
static std::string takersOf(std::string_view option) {
  std::string text;
  for (const target::VendorTable &table : target::VendorTable::all())
    if (std::ranges::count(table.launchOptions, option))
      text += (text.empty() ? "" : ", ") + std::string(table.prefix);
  return text;
}

void compiler::checkLaunchOptions(const LaunchOptions &options, const target::Target &target,
                                  std::vector<Diagnostic> &diagnostics) {
  const auto &table = target::VendorTable::of(target.vendor);
  for (const auto &[option, member] : LaunchOptions::members()) {
    const std::optional<int> value = options.*member;
    if (!value)
      continue;
    const std::string name(option);
    if (!std::ranges::count(table.launchOptions, option)) {
      diagnostics.push_back(
          makeError(std::string(target.name) + " has no launch option " + name,
                    "leave " + name + " out: it is for targets of " + takersOf(option)));
      continue;
    }
    const Range range = rangeOf(option);
    if (*value < range.least || *value > range.most)
      diagnostics.push_back(makeError(name + " cannot be " + std::to_string(*value),
                                      "it is " + std::string(range.text)));
  }
  const auto size = static_cast<unsigned>(options.matrixNonKDim.value_or(0));
  if (hasError(diagnostics) || size == 0 ||
      llvm::any_of(target.products(), [&](const target::MmaAtom &atom) { return atom.m == size; }))
    return;
  Diagnostic warning = makeError("matrix_instr_nonkdim " + std::to_string(size) +
                                     " is passed over: " + std::string(target.name) +
                                     " has no matrix instructions of so many rows",
                                 "leave it out");
  warning.severity = Severity::Warning;
  diagnostics.push_back(std::move(warning));
}

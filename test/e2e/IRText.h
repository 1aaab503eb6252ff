//===- IRText.h - Kernels as texts of TTGIR -------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_E2E_IRTEXT_H
#define TILEWRIGHT_TEST_E2E_IRTEXT_H

#include "Harness.h"

#include "tilewright/Simulator.h"

#include <array>

namespace tilewright::test {

/// `text` with `to` in place of every `from`.
std::string replaceAll(std::string text, const std::string &from, const std::string &to);

/// "test.ttgir:12:" for the line of the text that has `part`, which it must have.
std::string lineOf(const std::string &text, const std::string &part);

/// %NAMEp: pointers, in the layout #b, to the elements of a matrix of rows x columns that begins at
/// %NAME.
std::string pointersTo(const std::string &name, int rows, int columns, const std::string &type);

/// A matrix of integers from -2 to 2; `type` as Triton's texts name it.
HostArray integers(const std::string &type, int rows, int columns, unsigned seed);

/// The text, as a file test.ttgir.
CompileResult compileText(const std::string &text);
/// The same; any diagnostic fails the test.
CompiledKernel compileGoodText(const std::string &text);

/// Runs a kernel on a simulator whose asynchronous operations complete so. Copies that nobody has
/// waited for in the end fail the test.
Expected<void> runWith(simulate::AsyncCompletion completion, const CompiledKernel &compiled,
                       std::vector<ArgumentValue> &arguments, Grid grid = {});

inline constexpr simulate::AsyncCompletion allCompletions[] = {simulate::AsyncCompletion::Late,
                                                               simulate::AsyncCompletion::Early};

/// The errors of `run`, a function of an AsyncCompletion that returns an Expected, late and early;
/// "no error" where there is none.
template <typename Run> std::array<std::string, 2> faultsOf(const Run &run) {
  std::array<std::string, 2> errors;
  for (simulate::AsyncCompletion completion : allCompletions) {
    auto result = run(completion);
    errors[completion == simulate::AsyncCompletion::Early] =
        result ? "no error" : render(result.error());
  }
  return errors;
}

/// The same where it is found however early operations complete.
template <typename Run> std::string faultInAll(const Run &run) {
  const auto [late, early] = faultsOf(run);
  EXPECT_EQ(late, early);
  return late;
}

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_E2E_IRTEXT_H

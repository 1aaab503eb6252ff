//===- ProductIR.h - Runs of products that are texts of TTGIR -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A Product says what a test varies of d = a @ b + c. It has the sizes m, n and k, and the types of
// the operands and of the result as Triton's texts name them: `type` and `result`. The kernel takes
// a, b, c and a flag, and leaves d in c.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TEST_E2E_PRODUCTIR_H
#define TILEWRIGHT_TEST_E2E_PRODUCTIR_H

#include "IRText.h"

#include "gtest/gtest.h"

#include <span>

namespace tilewright::test {

/// c afterwards.
template <typename Product>
Expected<HostArray> run(const Product &p, const std::string &text,
                        simulate::AsyncCompletion completion, int flag = 1) {
  CompileResult result = compileText(text);
  if (!result)
    return result.diagnostics.front();
  std::vector<ArgumentValue> arguments = {integers(p.type, p.m, p.k, 1),
                                          integers(p.type, p.k, p.n, 2),
                                          integers(p.result, p.m, p.n, 3), int64_t(flag)};
  if (auto done = runWith(completion, result.compilation->kernel, arguments); !done)
    return done.error();
  return std::get<HostArray>(arguments[2]);
}

/// That c is `times` a @ b + c, or without c where the flag is 0.
template <typename Product>
void expectProduct(const Product &p, const std::string &text, int times = 1, int flag = 1,
                   std::span<const simulate::AsyncCompletion> completions = allCompletions) {
  const HostArray a = integers(p.type, p.m, p.k, 1), b = integers(p.type, p.k, p.n, 2),
                  c = integers(p.result, p.m, p.n, 3);
  for (simulate::AsyncCompletion completion : completions) {
    Expected<HostArray> d = run(p, text, completion, flag);
    ASSERT_TRUE(d) << render(d.error());
    for (int i = 0; i < p.m; ++i)
      for (int j = 0; j < p.n; ++j) {
        double sum = flag ? c.at(i * p.n + j) : 0;
        for (int k = 0; k < p.k; ++k)
          sum += times * a.at(i * p.k + k) * b.at(k * p.n + j);
        ASSERT_EQ(d->at(i * p.n + j), sum) << i << ", " << j;
      }
  }
}

} // namespace tilewright::test

#endif // TILEWRIGHT_TEST_E2E_PRODUCTIR_H

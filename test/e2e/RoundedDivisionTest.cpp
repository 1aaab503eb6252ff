//===- RoundedDivisionTest.cpp - Quotients rounded up and down ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The language has no such quotients; Triton's .ttgir has those that its passes make.
//
//===--------------------------------------------------------------------------===//

#include "IRText.h"

using namespace tilewright;
using namespace tilewright::test;

namespace {

constexpr int64_t size = 128;

/// The quotients that OP gives.
std::vector<int32_t> divide(const std::string &op, const std::vector<int32_t> &a,
                            const std::vector<int32_t> &b) {
  const CompiledKernel compiled = compileGoodText(replaceAll(R"(
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%a: !tt.ptr<i32>, %b: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
    %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #b>
    %as = tt.splat %a : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #b>
    %bs = tt.splat %b : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #b>
    %outs = tt.splat %out : !tt.ptr<i32> -> tensor<128x!tt.ptr<i32>, #b>
    %ap = tt.addptr %as, %i : tensor<128x!tt.ptr<i32>, #b>, tensor<128xi32, #b>
    %bp = tt.addptr %bs, %i : tensor<128x!tt.ptr<i32>, #b>, tensor<128xi32, #b>
    %outp = tt.addptr %outs, %i : tensor<128x!tt.ptr<i32>, #b>, tensor<128xi32, #b>
    %x = tt.load %ap : tensor<128x!tt.ptr<i32>, #b>
    %y = tt.load %bp : tensor<128x!tt.ptr<i32>, #b>
    %z = arith.OP %x, %y : tensor<128xi32, #b>
    tt.store %outp, %z : tensor<128x!tt.ptr<i32>, #b>
    tt.return
  }
}
)",
                                                             "OP", op));
  std::vector<ArgumentValue> values = {toArray(a), toArray(b), toArray(std::vector<int32_t>(size))};
  auto done = runWith(simulate::AsyncCompletion::Late, compiled, values);
  EXPECT_TRUE(done) << render(done.error());
  return fromArray<int32_t>(std::get<HostArray>(values[2]));
}

TEST(RoundedDivision, AllSigns) {
  std::vector<int32_t> a(size), b(size);
  for (int64_t i = 0; i < size; ++i) {
    a[i] = static_cast<int32_t>(i % 16) - 8;
    b[i] = static_cast<int32_t>(i / 16) - 4;
    if (b[i] == 0)
      b[i] = i % 2 ? INT32_MAX : INT32_MIN;
  }
  const std::vector<int32_t> up = divide("ceildivsi", a, b), down = divide("floordivsi", a, b);
  const std::vector<int32_t> upUnsigned = divide("ceildivui", a, b);
  for (int64_t i = 0; i < size; ++i) {
    EXPECT_EQ(up[i], std::ceil(double(a[i]) / b[i])) << a[i] << " / " << b[i];
    EXPECT_EQ(down[i], std::floor(double(a[i]) / b[i])) << a[i] << " / " << b[i];
    EXPECT_EQ(uint32_t(upUnsigned[i]), std::ceil(double(uint32_t(a[i])) / uint32_t(b[i])))
        << uint32_t(a[i]) << " / " << uint32_t(b[i]);
  }
}

} // namespace

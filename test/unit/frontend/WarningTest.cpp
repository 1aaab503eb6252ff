//===- WarningTest.cpp - What Triton takes though it hardly means it ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "TestSupport.h"

#include <gtest/gtest.h>

using namespace tilewright;

namespace {

using Warned = test::BodyDiagnostic;

class WarnedKernel : public testing::TestWithParam<Warned> {};

TEST_P(WarnedKernel, CompilesWithAWarning) {
  test::Compiled compiled = test::compileBody(GetParam().body);
  ASSERT_TRUE(compiled.verified) << GetParam().body << "\n" << compiled.rendered();
  test::expectDiagnostic(compiled, GetParam(), Severity::Warning);
}

INSTANTIATE_TEST_SUITE_P(
    Statements, WarnedKernel,
    testing::Values(
        Warned{"a, b = 1, 2, 3", 8, 5, "3 values are assigned to 2 names", "write 3 names"},
        Warned{"a, = tl.max(o, 0, return_indices=True)", 8, 5, "2 values are assigned to 1 name:"},
        Warned{"for i in tl.static_range(3):\n    a, b = 1, 2, 3", 9, 9, "3 values are assigned"},
        Warned{"return n", 8, 12, "the kernel 'k' returns a value", "store it through a pointer"},
        Warned{"if n > 0:\n    return 1\nreturn", 9, 16, "the kernel 'k' returns a value"},
        Warned{"assert B == 64, 'wrong B'", 8, 5, "always false: wrong B", "tl.static_assert"},
        Warned{"for i in range(n):\n    pass\ny = i + 1", 10, 9,
               "'i' is the variable of a loop that has ended", "the loop's bounds"},
        Warned{"for i in range(0, n, num_stages=2):\n    pass", 8, 26, "range has no 'num_stages'",
               "write tl.range"}));

INSTANTIATE_TEST_SUITE_P(
    Expressions, WarnedKernel,
    testing::Values(
        Warned{"y = o[:, :]", 8, 14, "too many colons: it has 1 dimension, and the rest does"},
        Warned{"y = f[:, None]", 8, 11, "too many colons", "[None] gives a scalar a dimension"},
        Warned{"y = tl.where(o, 1.0, 2.0)", 8, 18, "tl.where with a non-boolean condition",
               "condition != 0"},
        Warned{"y = n >> 32", 8, 11, "`>>` shifts i32 by 32: the result is undefined", "32 bits"},
        Warned{"s = 40\ny = o << s", 9, 11, "`<<` shifts i32 by 40"},
        Warned{"y = o << -1", 8, 11, "`<<` shifts i32 by -1"},
        Warned{"y = tl.gather(o, o + 1, 0)", 8, 22, "the indices go from 1 to 128", "tl.where"},
        Warned{"y = tl.gather(o, 127 - 2 * o, 0)", 8, 22, "the indices go from -127 to 127"},
        Warned{"y = tl.load(i_ptr + o, o < n, float('-inf'))", 8, 35,
               "-inf does not fit into i32: it becomes -2147483648", "the integer that is meant"},
        Warned{"s = float('nan')\ny = s.to(tl.int8)", 9, 9,
               "nan does not fit into i8: it becomes 0"},
        Warned{"k = False\ny = tl.sum(o, 0, keep_dims=k)", 9, 22,
               "'keep_dims' is a scalar i1, which counts as True", "tl.constexpr"}));

TEST(Warnings, ATypeOfPyTorchIsNeverOneOfTriton) {
  std::string source =
      "import torch\n" + test::kernelWith("tl.static_assert(y_ptr.dtype.element_ty != torch.half)");
  test::Compiled compiled = test::compile(source, test::bodySignature, "k");
  ASSERT_TRUE(compiled.verified) << compiled.rendered();
  test::expectDiagnostic(
      compiled, {"", 9, 22, "never equal to one of PyTorch", "the type of triton.language"},
      Severity::Warning);
}

/// What is like these, and is none of them.
TEST(Warnings, AreGivenForNothingElse) {
  test::Compiled compiled = test::compileBody(R"(a, b = tl.max(o, 0, return_indices=True)
(c,) = (n,)
y = n >> 31
y = tl.gather(o, 127 - o, 0)
y = tl.load(i_ptr + o, o < n, 2.5)
y = f[None, None]
y = l >> 32
for i in tl.range(n, num_stages=0, loop_unroll_factor=0, flatten=True):
    i += 1
i = 3
if n > 5:
    assert False, "not reached"
z: tl.constexpr = n + 1
w = tl.extra.cuda.num_warps() * tl.extra.hip.libdevice.abs(n)
y = f.to(tl.float32, fp_downcast_rounding="rtne") + z.value)");
  ASSERT_TRUE(compiled.verified) << compiled.rendered();
  EXPECT_TRUE(compiled.errors.empty()) << compiled.rendered();
}

} // namespace

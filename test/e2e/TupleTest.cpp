//===- TupleTest.cpp - Tuples as parameters of kernels ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "Harness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::test;
using testing::ElementsAre;

namespace {

const char *const head = R"(
from collections import namedtuple
from typing import NamedTuple
import triton
import triton.language as tl
)";

/// Pointers, numbers, constants and functions, within each other: what a launch passes are the
/// elements that are no constants, in order.
TEST(Tuples, AsParameters) {
  const std::string source = std::string(head) + R"(
@triton.jit
def twice(x, by: tl.constexpr):
    return x * 2 + by

@triton.jit
def kernel(pair, scale, rest):
    data, (size, step) = pair
    tl.static_assert(pair[1][1] == 1)
    tl.static_assert(rest[1] is None)
    i = tl.arange(0, 8)
    x = tl.load(data + i * step, i < size, other=-1)
    for _ in range(2):
        x = rest[0](x, scale[0])
    tl.store(rest[2][0] + i, x)
)";
  auto out = fromArray<int32_t>(
      runOnSimulator({.source = source,
                      .signature = "(*i32, (i32, i32:1)), (3,), (@twice, None, (*i32, ))",
                      .arguments = {toArray(std::vector<int32_t>{1, 2, 3, 4, 5, 6, 7, 8}),
                                    int64_t(6), unwritten<int32_t>(8)},
                      .kernel = "kernel"})[2]);
  EXPECT_THAT(out, ElementsAre(13, 17, 21, 25, 29, 33, 5, 5));
}

/// Named tuples of the signature and of the source, through calls, branches and loops.
TEST(Tuples, Named) {
  const std::string source = std::string(head) + R"(
class View(NamedTuple):
    data: tl.tensor
    shape: tuple
    fill: tl.constexpr = -1

Range = namedtuple("Range", "begin end")

@triton.jit
def moved(view, by):
    return View(view.data + by, shape=(view.shape[0] - by, 8))

@triton.jit
def kernel(view, out, flag):
    tl.static_assert(view.names.a == 5)
    inner = moved(view, 2)
    if flag > 0:
        inner = View(data=view.data, shape=view.shape)
    tl.static_assert(isinstance(inner, View))
    r = Range(0, end=inner.shape[1])
    i = tl.arange(0, 8)
    x = tl.zeros([8], tl.int32)
    for k in range(r.begin, r.end, 4):
        x += tl.load(inner.data + i, i < inner.shape[0], other=inner.fill)
    tl.store(out + i, x)
)";
  for (const int64_t flag : {0, 1}) {
    auto out = fromArray<int32_t>(
        runOnSimulator({.source = source,
                        .signature = "View(data=*i32, shape=(i32, 8), names=Names(a=5)), *i32, i32",
                        .arguments = {toArray(std::vector<int32_t>{1, 2, 3, 4, 5, 6}), int64_t(6),
                                      unwritten<int32_t>(8), flag},
                        .kernel = "kernel"})[2]);
    if (flag)
      EXPECT_THAT(out, ElementsAre(2, 4, 6, 8, 10, 12, -2, -2));
    else
      EXPECT_THAT(out, ElementsAre(6, 8, 10, 12, -2, -2, -2, -2));
  }
}

/// A descriptor in a tuple is a tensor of the launch.
TEST(Tuples, OfDescriptors) {
  const std::string source = std::string(head) + R"(
@triton.jit
def kernel(both):
    both[1].store([0, 0], both[0].load([0, 0]) + both[2][0])
)";
  HostArray in = toArray(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  HostArray out = unwritten<float>(8);
  in.shape = out.shape = {2, 4};
  auto result = fromArray<float>(
      runOnSimulator({.source = source,
                      .signature = "(tensordesc<fp32[2, 4]>, tensordesc<fp32[2, 4]>, (fp32,))",
                      .arguments = {in, out, 0.5}})[1]);
  EXPECT_THAT(result, ElementsAre(1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5));
}

} // namespace

//===- MutationTest.cpp - Damaged kernels never crash the front end -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Kernel files that are cut off or changed in a few places either compile to a module
// that verifies, or give an error with a place.
//
//===--------------------------------------------------------------------------===//

#include "TestSupport.h"

#include <gtest/gtest.h>

#include <random>

using namespace tilewright;

namespace {

struct Kernel {
  const char *file;
  const char *name;
  const char *signature;
};

constexpr Kernel kernels[] = {
    {"elementwise.py", "vector_add", "*fp32:16, *fp32:16, *fp32:16, i32, 1024"},
    {"elementwise.py", "transpose", "*fp32:16, *fp32:16, i32:16, i32:16, 64, 64"},
    {"rowwise.py", "softmax", "*fp32:16, *fp32:16, i32:16, i32:16, 4096"},
    {"rowwise.py", "layer_norm",
     "*fp16:16, *fp16:16, *fp16:16, *fp16:16, *fp32:16, *fp32:16, i32:16, i32:16, fp32, 2048"},
    {"gemm.py", "matmul_fma",
     "*fp32:16, *fp32:16, *fp32:16, i32, i32, i32, i32, i32, i32, i32, i32, i32, 128, 64"},
    {nullptr, "everything", "*fp32:16, *fp16:16, i32, fp32, 64, True"},
};

/// A kernel with most of the language in it.
constexpr const char *everything = R"(import triton
import triton.language as tl
from triton.language import maximum as mx

FOUR: tl.constexpr = 4
FIVE = tl.constexpr(5)
HALF = tl.float16

@triton.jit
def swizzle(pid, M, BM: tl.constexpr, G: tl.constexpr = 8):
    size = min(tl.cdiv(M, BM) - pid * G, G)
    return pid * G + (pid % 3) % size, pid // size

@triton.jit
def early(x, y):
    if x > y:
        return x, 1
    y += 1
    if x == 0:
        return y, 2
    return x + y, 3

@triton.jit
def ones(p, offs, n):
    if n < 0:
        return
    tl.store(p + offs, 1.0, mask=offs < n)

@triton.jit
def everything(x_ptr, y_ptr, n, f, BLOCK: tl.constexpr, FLAG: tl.constexpr):
    """A docstring."""
    a, b = swizzle(tl.program_id(0), n, BM=BLOCK)
    c, d = early(a, b)
    offs = tl.arange(0, BLOCK) + c
    ones(x_ptr, offs, n)
    acc = tl.zeros((BLOCK,), tl.float32)
    i = 0
    while i < n and i != 7:
        acc += tl.load(x_ptr + offs + i, mask=(offs + i) < n, other=0)
        i += FIVE
    for j in range(10, 0, -2):
        if j > 3:
            acc += j
        elif j == 2:
            acc = acc * 2.0
        else:
            pass
    for q in tl.static_range(FOUR):
        acc += q
    if FLAG:
        acc = mx(acc, 0.0)
    m = tl.max(tl.expand_dims(acc, 0), axis=1, keep_dims=True)
    v, k = tl.max(acc, 0, return_indices=True)
    s = tl.sum(acc)
    t = acc.to(HALF) if FLAG else acc
    w = (1 if n > 3 else 2) + d
    u = 1 < n < 5
    tl.static_assert(BLOCK == 64 or not FLAG, f"BLOCK is {BLOCK}")
    tl.store(y_ptr + offs, t * f + s + w + k + tl.where(u, 1, 0), mask=offs < n)
    r = tl.reshape(acc, (FOUR, BLOCK // 4)).T
    tl.store(y_ptr + tl.arange(0, BLOCK // 4)[:, None] * 4 + tl.arange(0, 4)[None, :], -r)
    if n > 5:
        return
    tl.store(y_ptr, m.reshape(1).sum() + ~n % 3 + (n << 2) + v)
)";

std::string sourceOf(const Kernel &kernel) {
  return kernel.file ? test::readExample(kernel.file) : everything;
}

void check(const std::string &source, const Kernel &kernel) {
  test::Compiled compiled = test::compile(source, kernel.signature, kernel.name);
  if (compiled.text.empty()) {
    ASSERT_FALSE(compiled.errors.empty()) << source;
    EXPECT_FALSE(compiled.errors.front().message.empty()) << source;
    EXPECT_GT(render(compiled.errors.front()).size(), 10u);
    return;
  }
  for (const Diagnostic &diagnostic : compiled.errors)
    EXPECT_NE(diagnostic.severity, Severity::Error) << source;
  EXPECT_TRUE(compiled.verified) << source;
}

TEST(Mutation, TheKernelsAreSound) {
  for (const Kernel &kernel : kernels) {
    test::Compiled compiled = test::compile(sourceOf(kernel), kernel.signature, kernel.name);
    EXPECT_TRUE(compiled.verified) << compiled.rendered();
  }
}

TEST(Mutation, TruncatedFiles) {
  for (const Kernel &kernel : kernels) {
    std::string source = sourceOf(kernel);
    ASSERT_FALSE(source.empty());
    for (size_t length = 0; length < source.size(); length += 7)
      check(source.substr(0, length), kernel);
  }
}

TEST(Mutation, ChangedCharacters) {
  constexpr std::string_view alphabet =
      "()[]{}:,.=+-*/%<>&|^~!@#'\"\\ \n\t0123456789abxNTl_\x01\x80";
  std::mt19937 random(1);
  for (const Kernel &kernel : kernels) {
    std::string source = sourceOf(kernel);
    for (int round = 0; round < 400; ++round) {
      std::string changed = source;
      for (unsigned count = 1 + random() % 3; count > 0; --count) {
        size_t at = random() % changed.size();
        char with = alphabet[random() % alphabet.size()];
        switch (random() % 3) {
        case 0:
          changed[at] = with;
          break;
        case 1:
          changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(at), with);
          break;
        default:
          changed.erase(at, 1 + random() % 5);
        }
      }
      check(changed, kernel);
    }
  }
}

/// Words of the language, put in place of each other: mostly valid Python, seldom valid kernels.
TEST(Mutation, ExchangedWords) {
  std::mt19937 random(2);
  for (const Kernel &kernel : kernels) {
    std::string source = sourceOf(kernel);
    std::vector<std::pair<size_t, size_t>> words;
    for (size_t at = 0; at < source.size();) {
      size_t end = at;
      while (end < source.size() && (isalnum(static_cast<unsigned char>(source[end])) ||
                                     source[end] == '_' || source[end] == '.'))
        ++end;
      if (end > at)
        words.emplace_back(at, end - at);
      at = end + 1;
    }
    for (int round = 0; round < 600; ++round) {
      std::string changed = source;
      auto [from, fromLength] = words[random() % words.size()];
      auto [to, toLength] = words[random() % words.size()];
      changed.replace(to, toLength, source.substr(from, fromLength));
      check(changed, kernel);
    }
  }
}

TEST(Mutation, DamagedSignatures) {
  std::string source = test::readExample("elementwise.py");
  std::string signature = "*fp32:16, *fp32:16, *fp32:16, i32:16, 1024";
  constexpr std::string_view alphabet = "*:,'\"-+.0123456789fpiubNTtl x_";
  std::mt19937 random(3);
  for (int round = 0; round < 1000; ++round) {
    std::string changed = signature;
    for (unsigned count = 1 + random() % 3; count > 0; --count) {
      size_t at = random() % changed.size();
      if (random() % 2)
        changed[at] = alphabet[random() % alphabet.size()];
      else
        changed.erase(at, 1);
    }
    check(source, {"elementwise.py", "vector_add", changed.c_str()});
  }
}

} // namespace

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
};

void check(const std::string &source, const Kernel &kernel) {
  test::Compiled compiled = test::compile(source, kernel.signature, kernel.name);
  if (compiled.text.empty()) {
    ASSERT_FALSE(compiled.errors.empty()) << source;
    EXPECT_FALSE(compiled.errors.front().message.empty()) << source;
    EXPECT_GT(render(compiled.errors.front()).size(), 10u);
    return;
  }
  EXPECT_TRUE(compiled.errors.empty());
  EXPECT_TRUE(compiled.verified) << source;
}

TEST(Mutation, TruncatedFiles) {
  for (const Kernel &kernel : kernels) {
    std::string source = test::readExample(kernel.file);
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
    std::string source = test::readExample(kernel.file);
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
    std::string source = test::readExample(kernel.file);
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

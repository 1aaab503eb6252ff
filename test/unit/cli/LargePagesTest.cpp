//===- LargePagesTest.cpp - The heap of a short process -----------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/LargePages.h"

#include "gtest/gtest.h"

#include <cstdlib>

// The address sanitizer has a heap of its own.
#if defined(__linux__) && defined(__GLIBC__) && !__has_feature(address_sanitizer)

#include <unistd.h>

using namespace tilewright::cli;

TEST(LargePages, TheHeapGrowsOnce) {
  char *const before = static_cast<char *>(sbrk(0));
  useLargePages();
  char *const after = static_cast<char *>(sbrk(0));
  EXPECT_GE(after - before, std::ptrdiff_t(heapBytes));
  for (int i = 0; i < 64; ++i) {
    auto *block = static_cast<volatile char *>(std::malloc(100000));
    ASSERT_TRUE(block);
    block[99999] = 1;
    EXPECT_LT(block, after);
    std::free(const_cast<char *>(block));
  }
  EXPECT_EQ(sbrk(0), after);
}

#endif

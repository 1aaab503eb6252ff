//===- LargePages.cpp - The heap of a short process ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "cli/LargePages.h"

#include <cstdint>
#include <cstdlib>

#if defined(__linux__) && defined(__GLIBC__)

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

static constexpr std::uintptr_t largePage = std::uintptr_t(2) << 20;

static std::uintptr_t heapEnd() { return reinterpret_cast<std::uintptr_t>(sbrk(0)); }

void tilewright::cli::useLargePages() {
  const std::uintptr_t before = heapEnd();
  // What is freed is used again; larger blocks than these come from the system one by one.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 512 << 20);
  mallopt(M_TOP_PAD, heapBytes);
  // More than what the heap has left.
  void *volatile block = std::malloc(1 << 20);
  std::free(block);
  mallopt(M_TOP_PAD, 16 << 20);
  const std::uintptr_t after = heapEnd();
  const std::uintptr_t begin = (before + largePage - 1) / largePage * largePage;
  if (begin < after)
    (void)madvise(reinterpret_cast<void *>(begin), after - begin, MADV_HUGEPAGE);
}

#else

void tilewright::cli::useLargePages() {}

#endif

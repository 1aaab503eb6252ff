//===- Memory.h - Memory of a GPU -----------------------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What a program would get from its vendor's toolkit, which this one does without: the driver is
// opened at run time.
//
//===--------------------------------------------------------------------------===//

#ifndef EXAMPLES_APP_MEMORY_H
#define EXAMPLES_APP_MEMORY_H

#include <cstddef>
#include <cstdint>
#include <string>

class Memory {
public:
  /// Of the first GPU of a driver, "cuda" or "hip". `isThere` says whether there is one.
  explicit Memory(const std::string &driver);

  bool isThere() const { return allocateBytes && copyToGpu && copyToHost; }

  /// `count` floats, aligned to 256 bytes; 0 if there are none.
  uint64_t allocate(size_t count) const;
  bool copyIn(uint64_t to, const float *from, size_t count) const;
  /// Waits for what was launched before.
  bool copyOut(float *to, uint64_t from, size_t count) const;

private:
  int (*allocateBytes)(uint64_t *address, size_t bytes) = nullptr;
  int (*copyToGpu)(uint64_t to, const void *from, size_t bytes) = nullptr;
  int (*copyToHost)(void *to, uint64_t from, size_t bytes) = nullptr;
};

#endif // EXAMPLES_APP_MEMORY_H

//===- OpenClMemory.h - A device of OpenCL's and memory on it -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// What a program that launches kernels by OpenCL has of its own: a context, a queue and shared
// virtual memory. The library is opened at run time, as the launch library does it.
//
//===--------------------------------------------------------------------------===//

#ifndef TEST_LAUNCH_OPENCLMEMORY_H
#define TEST_LAUNCH_OPENCLMEMORY_H

#include <cstddef>
#include <string>
#include <vector>

class OpenClMemory {
public:
  /// On the first device, GPUs first, that takes SPIR-V and has shared virtual memory.
  OpenClMemory();
  ~OpenClMemory();

  /// The cl_command_queue; null if there is no such device, for which see `missing`.
  void *queue() const { return commands; }
  const std::string &missing() const { return reason; }

  /// `count` floats, which are there as long as this object; null if there are none.
  float *allocate(size_t count);
  /// Each waits for what was queued before; false if it failed.
  bool copyIn(float *to, const std::vector<float> &from) const;
  bool copyOut(std::vector<float> &to, const float *from) const;

private:
  struct Functions;
  bool openDevice(void *platform);

  const Functions *functions = nullptr;
  std::string reason;
  void *context = nullptr;
  void *commands = nullptr;
  std::vector<void *> allocated;
};

#endif // TEST_LAUNCH_OPENCLMEMORY_H

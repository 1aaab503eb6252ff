//===- main.cpp - A program with kernels inside it ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// app [cuda | hip]: computes y = 2 x + y on a GPU of NVIDIA's or AMD's, if there is one, and checks
// it. The function kernels::saxpy is written by tilewright_add_kernels (CMakeLists.txt).
//
//===--------------------------------------------------------------------------===//

#include "Memory.h"
#include "saxpy.h"

#include <cstdio>
#include <vector>

static bool compute(const Memory &memory, const tilewright::Queue &queue, int n) {
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i);
    y[i] = 1;
  }
  const uint64_t xAddress = memory.allocate(n), yAddress = memory.allocate(n);
  if (!xAddress || !yAddress || !memory.copyIn(xAddress, x.data(), n) ||
      !memory.copyIn(yAddress, y.data(), n))
    return false;

  using Pointer = tilewright::Pointer<float>;
  const auto blocks = static_cast<uint32_t>((n + kernels::saxpy_BLOCK - 1) / kernels::saxpy_BLOCK);
  if (auto status =
          kernels::saxpy(queue, {blocks}, Pointer::at(xAddress), Pointer::at(yAddress), 2.0f, n);
      !status) {
    std::fprintf(stderr, "%s\n", status.message());
    return false;
  }
  if (!memory.copyOut(y.data(), yAddress, n))
    return false;
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += y[i] != 2 * static_cast<float>(i) + 1;
  std::printf("%d elements, %d wrong\n", n, wrong);
  return wrong == 0;
}

int main(int argc, char **argv) {
  const std::string driver = argc > 1 ? argv[1] : "cuda";
  const tilewright::Queue queue =
      driver == "hip" ? tilewright::hipQueue() : tilewright::cudaQueue();
  const Memory memory(driver);
  if (!memory.isThere()) {
    // A launch says what is missing.
    if (auto status = kernels::saxpy(queue, {1}, nullptr, nullptr, 2.0f, 0); !status)
      std::printf("%s\n", status.message());
    return 0;
  }
  // One length for each of the specializations.
  return compute(memory, queue, 4096) && compute(memory, queue, 1001) ? 0 : 1;
}

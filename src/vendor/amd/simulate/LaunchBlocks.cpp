//===- LaunchBlocks.cpp - Launch values that AMD kernels read -----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The hidden arguments of code object version 5 as "User Guide for AMDGPU Backend" lists them, and
// the packet that the command processor gets, from "HSA Runtime Programmer's Reference Manual",
// section 2.6 (kernel dispatch packet). What is not named here is zero.
//
//===--------------------------------------------------------------------------===//

#include "vendor/amd/simulate/Replacer.h"

#include <cstring>

using namespace tilewright;
using namespace tilewright::simulate;

template <typename T> static void put(std::span<std::byte> block, size_t offset, uint32_t value) {
  T narrow = static_cast<T>(value);
  std::memcpy(block.data() + offset, &narrow, sizeof(T));
}

static void fillHiddenArguments(const Registers &registers, std::span<std::byte> block) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    put<uint32_t>(block, 4 * axis, registers.gridSize[axis]);
    put<uint16_t>(block, 12 + 2 * axis, registers.blockSize[axis]);
  }
  constexpr size_t gridDims = 64;
  put<uint16_t>(block, gridDims, 3);
}

static void fillDispatchPacket(const Registers &registers, std::span<std::byte> block) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    put<uint16_t>(block, 4 + 2 * axis, registers.blockSize[axis]);
    put<uint32_t>(block, 12 + 4 * axis, registers.blockSize[axis] * registers.gridSize[axis]);
  }
  constexpr size_t groupSegmentSize = 28;
  put<uint32_t>(block, groupSegmentSize, registers.sharedBytes);
}

std::span<const LaunchBlock> amd::launchBlocks() {
  static const LaunchBlock blocks[] = {
      {"llvm.amdgcn.implicitarg.ptr", "the launch's hidden arguments", 256, fillHiddenArguments},
      {"llvm.amdgcn.dispatch.ptr", "the launch's dispatch packet", 64, fillDispatchPacket},
  };
  return blocks;
}

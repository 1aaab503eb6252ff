//===- NvidiaMultiprocessor.h - NVIDIA's multiprocessors ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// By compute capability. Warps and shared memory: CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability". Blocks, the units of registers (256 a warp, so 8 a lane)
// and of shared memory, the four sub-cores: cuda_occupancy.h of CUDA 13. The driver keeps 1 KiB of
// shared memory a block from 8.0 on (the same guide, "Shared Memory" of 8.x). Tensor memory: PTX
// ISA, "Tensor Memory", 512 columns.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TARGET_NVIDIAMULTIPROCESSOR_H
#define TILEWRIGHT_TARGET_NVIDIAMULTIPROCESSOR_H

#include "target/Residency.h"

namespace tilewright::target::nvidia {

/// `warps`, `blocks` and `sharedKiB` of a multiprocessor at most.
constexpr Multiprocessor makeMultiprocessor(unsigned warps, unsigned blocks, unsigned sharedKiB,
                                            unsigned tensorColumns = 0) {
  // Four warps a scheduler. Kernels of products, whose threads have 128 registers for it, gain
  // nothing by more: what deepens loops of products on an H200 (transform/pipeline/schedule) and
  // what joins their iterations was measured with 16.
  return {.partitions = 4,
          .warpsPerPartition = warps / 4,
          .registersPerPartition = 512,
          .registerUnit = 8,
          .maxBlocks = blocks,
          .maxBlocksWithBarrier = blocks,
          .sharedBytes = sharedKiB * 1024,
          .sharedUnit = 128,
          .reservedSharedBytes = 1024,
          .tensorColumns = tensorColumns,
          .busyWarps = 16};
}

/// The multiprocessor of compute capability `capability` / 10, from 8.0 on.
constexpr Multiprocessor multiprocessorOf(unsigned capability) {
  switch (capability) {
  case 80:
    return makeMultiprocessor(64, 32, 164);
  case 86:
    return makeMultiprocessor(48, 16, 100);
  case 87:
    return makeMultiprocessor(48, 16, 164);
  case 89:
    return makeMultiprocessor(48, 24, 100);
  case 90:
    return makeMultiprocessor(64, 32, 228);
  case 100:
  case 103:
    return makeMultiprocessor(64, 32, 228, 512);
  case 110:
    return makeMultiprocessor(48, 24, 228, 512);
  default:
    // 12.0 and 12.1.
    return makeMultiprocessor(48, 24, 100);
  }
}

} // namespace tilewright::target::nvidia

#endif // TILEWRIGHT_TARGET_NVIDIAMULTIPROCESSOR_H

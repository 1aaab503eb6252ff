//===- occupancy.cpp - The model of residency beside NVIDIA's header ----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Compares findResidency (target/Residency.h) with cudaOccMaxActiveBlocksPerMultiprocessor of
// cuda_occupancy.h, which computes what the driver's cuOccupancyMaxActiveBlocksPerMultiprocessor
// does, for every compute capability, 1 to 32 warps, 0 to 255 registers and all multiples of 64
// bytes of shared memory. The header is in the package nvidia-cuda-runtime of PyPI.
//
//     c++ -std=c++20 -O2 -I src -I CUDA/include bench/resources/occupancy.cpp \
//         src/target/Residency.cpp -o occupancy
//     ./occupancy             the number of cases, and each that differs; exit code 1 if any does
//     ./occupancy table       the rows of test/unit/target/ResidencyTest.cpp
//
//===--------------------------------------------------------------------------===//

#include "target/NvidiaMultiprocessor.h"

#include <cstdio>
#include <cuda_occupancy.h>
#include <string_view>

using namespace tilewright::target;

namespace {

/// The properties that a device of a compute capability states: CUDA C++ Programming Guide,
/// "Technical Specifications per Compute Capability".
struct Device {
  int capability;
  int threads, sharedKiB, blockSharedKiB;
};
constexpr Device devices[] = {{80, 2048, 164, 163},  {86, 1536, 100, 99},   {87, 1536, 164, 163},
                              {89, 1536, 100, 99},   {90, 2048, 228, 227},  {100, 2048, 228, 227},
                              {103, 2048, 228, 227}, {110, 1536, 228, 227}, {120, 1536, 100, 99},
                              {121, 1536, 100, 99}};

cudaOccDeviceProp propertiesOf(const Device &device) {
  cudaOccDeviceProp properties;
  properties.computeMajor = device.capability / 10;
  properties.computeMinor = device.capability % 10;
  properties.maxThreadsPerBlock = 1024;
  properties.maxThreadsPerMultiprocessor = device.threads;
  properties.regsPerBlock = 65536;
  properties.regsPerMultiprocessor = 65536;
  properties.warpSize = 32;
  properties.sharedMemPerBlock = 48 * 1024;
  properties.sharedMemPerMultiprocessor = static_cast<size_t>(device.sharedKiB) * 1024;
  properties.numSms = 1;
  properties.sharedMemPerBlockOptin = static_cast<size_t>(device.blockSharedKiB) * 1024;
  properties.reservedSharedMemPerBlock = 1024;
  return properties;
}

int blocksByHeader(const cudaOccDeviceProp &properties, const BlockNeeds &block) {
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = 1024;
  attributes.numRegs = static_cast<int>(block.registers);
  attributes.sharedSizeBytes = 0;
  attributes.partitionedGCConfig = PARTITIONED_GC_OFF;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = block.sharedBytes;
  attributes.numBlockBarriers = 1;
  cudaOccDeviceState state;
  state.cacheConfig = CACHE_PREFER_NONE;
  state.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT;
  cudaOccResult result;
  const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
      &result, &properties, &attributes, &state, static_cast<int>(block.warps) * 32,
      block.sharedBytes);
  return error == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : -1;
}

long compareDevice(const Device &device, long &cases) {
  const cudaOccDeviceProp properties = propertiesOf(device);
  const Multiprocessor multiprocessor = nvidia::multiprocessorOf(device.capability);
  long differences = 0;
  BlockNeeds block;
  for (block.warps = 1; block.warps <= 32; ++block.warps)
    for (block.registers = 0; block.registers <= 255; ++block.registers)
      for (block.sharedBytes = 0;
           block.sharedBytes <= static_cast<uint64_t>(device.blockSharedKiB) * 1024;
           block.sharedBytes += 64) {
        ++cases;
        const int expected = blocksByHeader(properties, block);
        const unsigned found = findResidency(multiprocessor, block).blocks;
        if (expected == static_cast<int>(found))
          continue;
        if (++differences <= 10)
          std::printf("%d: %u warps, %u registers, %llu bytes: %d blocks, not %u\n",
                      device.capability, block.warps, block.registers,
                      static_cast<unsigned long long>(block.sharedBytes), expected, found);
      }
  return differences;
}

void printTable() {
  const BlockNeeds blocks[] = {{1, 16, 0},      {1, 255, 0},      {2, 40, 3000},  {3, 97, 12345},
                               {4, 128, 32768}, {4, 168, 101376}, {5, 33, 1024},  {8, 255, 0},
                               {8, 64, 49152},  {12, 168, 8192},  {16, 128, 512}, {32, 64, 65536},
                               {32, 65, 0}};
  for (const Device &device : devices)
    for (const BlockNeeds &block : blocks)
      std::printf("    {%d, %u, %u, %llu, %d},\n", device.capability, block.warps, block.registers,
                  static_cast<unsigned long long>(block.sharedBytes),
                  blocksByHeader(propertiesOf(device), block));
}

} // namespace

int main(int count, char **words) {
  if (count > 1 && std::string_view(words[1]) == "table") {
    printTable();
    return 0;
  }
  long differences = 0, cases = 0;
  for (const Device &device : devices)
    differences += compareDevice(device, cases);
  std::printf("%ld cases, %ld differ\n", cases, differences);
  return differences != 0;
}

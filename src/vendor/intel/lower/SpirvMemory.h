//===- SpirvMemory.h - SPIR-V memory scopes and semantics -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// SPIR-V Specification, "Scope <id>" and "Memory Semantics <id>": the numbers that barriers take
// as operands.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_LOWER_SPIRVMEMORY_H
#define TILEWRIGHT_VENDOR_INTEL_LOWER_SPIRVMEMORY_H

#include <cstdint>

namespace tilewright::vendor::intel::spirv {

/// The work-items that take part, or for which memory is in order.
enum Scope : uint32_t { CrossDevice = 0, Device = 1, Workgroup = 2, Subgroup = 3, Invocation = 4 };

/// One order, and with it the bits of the storage classes that it is for: without any, nothing is
/// ordered. Workgroup memory is the block's shared memory, CrossWorkgroup memory the global one.
enum Semantics : uint32_t {
  Relaxed = 0x0,
  Acquire = 0x2,
  Release = 0x4,
  AcquireRelease = 0x8,
  SequentiallyConsistent = 0x10,
  WorkgroupMemory = 0x100,
  CrossWorkgroupMemory = 0x200,
};

} // namespace tilewright::vendor::intel::spirv

#endif // TILEWRIGHT_VENDOR_INTEL_LOWER_SPIRVMEMORY_H

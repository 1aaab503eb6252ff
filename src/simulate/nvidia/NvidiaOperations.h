//===- NvidiaOperations.h - What NVIDIA's GPUs add ------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_NVIDIA_NVIDIAOPERATIONS_H
#define TILEWRIGHT_SIMULATE_NVIDIA_NVIDIAOPERATIONS_H

#include "simulate/VendorOperations.h"

#include <cstdint>

namespace tilewright::simulate::nvidia {

/// The table of the `llvm.nvvm.*` intrinsics.
const VendorOperations &operations();

/// The functions of ThreadOperations.cpp that rewritten kernels call.
std::span<const RuntimeSymbol> threadOperationSymbols();
/// Those of MatrixAccess.cpp.
std::span<const RuntimeSymbol> matrixAccessSymbols();

namespace runtime_call {
// All after machine and site.
/// i64 members, i32 ShuffleMode, i32 value, i32 b, i32 c -> i64: the value, and the
/// predicate in bit 32.
inline constexpr char shuffle[] = "tilewright.nvidia.shuffle";
/// i64 address, ptr words, i32 matrices (1, 2 or 4), i32 transposed: as many words of the lane as
/// matrices are loaded or stored, as the site's kind of access says.
inline constexpr char accessMatrices[] = "tilewright.nvidia.access_matrices";
/// i32 a, i32 b, i32 selector -> i32; no machine, no site.
inline constexpr char permuteBytes[] = "tilewright.nvidia.permute_bytes";
inline constexpr char packE4M3[] = "tilewright.nvidia.pack_e4m3";
inline constexpr char packE5M2[] = "tilewright.nvidia.pack_e5m2";
inline constexpr char unpackE4M3[] = "tilewright.nvidia.unpack_e4m3";
inline constexpr char unpackE5M2[] = "tilewright.nvidia.unpack_e5m2";
} // namespace runtime_call

enum class ShuffleMode : uint32_t { Up, Down, Butterfly, Index };

} // namespace tilewright::simulate::nvidia

#endif // TILEWRIGHT_SIMULATE_NVIDIA_NVIDIAOPERATIONS_H

//===- TensorMapFunctions.h - Making tensor maps, as functions in LLVM IR -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// LLVM has no intrinsic for tensormap.cp_fenceproxy, which copies a map from shared to global
// memory and releases it to the accelerator. It is a call of a function that is declared and never
// defined:
//
//     void @tilewright.tensormap.publish(ptr addrspace(1) to, ptr addrspace(3) from)
//
// A warp calls it as a whole. Both are multiples of 128 bytes.
//
//     void @tilewright.tensormap.require(i1 isAligned)
//
// It ends the launch where the address or a stride of a tensor is no multiple of 16 bytes, of which
// there is no map. GPUs have a trap for it and no message: in a kernel that calls a function, as
// messages need, ptxas has products of warp groups wait for one another.
//
// The simulator runs them (simulate/TensorMapCalls.cpp); the back end makes PTX of them
// (emit/memory/TensorMapCalls.cpp).
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_PLAN_TENSORMAPFUNCTIONS_H
#define TILEWRIGHT_VENDOR_NVIDIA_PLAN_TENSORMAPFUNCTIONS_H

#include <cstdint>
#include <string_view>

namespace tilewright::vendor::nvidia {

inline constexpr std::string_view tensorMapPrefix = "tilewright.tensormap.";
inline constexpr std::string_view publishTensorMap = "tilewright.tensormap.publish";
inline constexpr std::string_view requireAlignment = "tilewright.tensormap.require";
/// Addresses and strides of tensors are multiples of so many bytes.
inline constexpr uint32_t tensorAlignment = 16;
/// The size of a map, which its address is a multiple of.
inline constexpr uint32_t tensorMapBytes = 128;

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_PLAN_TENSORMAPFUNCTIONS_H

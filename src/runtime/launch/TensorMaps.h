//===- TensorMaps.h - Tensor maps that a launch makes ---------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tensor map describes a tensor in global memory to the units that copy boxes of it. Whoever
// launches makes it of the launch's parameters (TensorMapRecipe) and passes it by value, as 128
// bytes whose form is the device's own.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_RUNTIME_LAUNCH_TENSORMAPS_H
#define TILEWRIGHT_RUNTIME_LAUNCH_TENSORMAPS_H

#include "tilewright/Expected.h"
#include "tilewright/Kernel.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tilewright::runtime {

/// The values of a tensor map, the fastest dimension first.
struct TensorMap {
  const TensorMapRecipe *recipe = nullptr;
  uint64_t address = 0;
  /// Elements.
  std::vector<uint64_t> sizes;
  /// Bytes, of all dimensions but the fastest.
  std::vector<uint64_t> strides;
};

/// A tensor map as kernels get it.
struct alignas(64) TensorMapBytes {
  std::array<std::byte, 128> bytes;
};

/// CUtensorMapDataType by PTX's name of the type; nothing for another name.
std::optional<int> tensorMapElementNumber(std::string_view name);

/// Whether the recipe is one that cuTensorMapEncodeTiled takes, for a kernel with so many
/// parameters.
bool isTensorMap(const TensorMapRecipe &recipe, size_t parameterCount);

/// The values of all of a kernel's tensor maps. `parameters` are those of packArguments. Errors,
/// which name the arguments: what no tensor map can say - an address or a stride that is not a
/// multiple of 16 bytes, a dimension without elements, 2^32 elements or more in one, or a stride
/// of 2^40 bytes or more (CUDA driver API, cuTensorMapEncodeTiled).
Expected<std::vector<TensorMap>> makeTensorMaps(const KernelMetadata &kernel,
                                                std::span<const uint64_t> parameters);

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_LAUNCH_TENSORMAPS_H

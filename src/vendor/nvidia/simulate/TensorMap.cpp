//===- TensorMap.cpp - Tensor maps and boxes of simulated kernels -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/simulate/TensorMap.h"

#include "runtime/arrays/SmallFloat.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>
#include <utility>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;

unsigned nvidia::bytesOf(TensorElement element) {
  switch (element) {
  case TensorElement::U8:
    return 1;
  case TensorElement::U16:
  case TensorElement::F16:
  case TensorElement::BF16:
    return 2;
  case TensorElement::U32:
  case TensorElement::S32:
  case TensorElement::F32:
  case TensorElement::F32Ftz:
  case TensorElement::TF32:
  case TensorElement::TF32Ftz:
    return 4;
  case TensorElement::U64:
  case TensorElement::S64:
  case TensorElement::F64:
    return 8;
  }
  return 0;
}

void nvidia::encodeTensorMap(const runtime::TensorMap &values, runtime::TensorMapBytes &bytes) {
  static constexpr std::pair<std::string_view, TensorElement> elements[] = {
      {"u8", TensorElement::U8},    {"u16", TensorElement::U16}, {"u32", TensorElement::U32},
      {"s32", TensorElement::S32},  {"u64", TensorElement::U64}, {"s64", TensorElement::S64},
      {"f16", TensorElement::F16},  {"f32", TensorElement::F32}, {"f64", TensorElement::F64},
      {"bf16", TensorElement::BF16}};
  const TensorMapRecipe &recipe = *values.recipe;
  const auto *element = std::ranges::find(elements, recipe.element,
                                          &std::pair<std::string_view, TensorElement>::first);
  TensorMap map = {};
  map.address = values.address;
  std::ranges::copy(values.strides, map.strides);
  std::ranges::copy(recipe.box, map.boxSizes);
  std::ranges::copy(values.sizes, map.sizes);
  std::fill_n(map.elementStrides, recipe.box.size(), 1);
  map.rankLessOne = static_cast<uint8_t>(recipe.box.size() - 1);
  // findFault tells of an element that there is not.
  map.element = element == std::end(elements) ? TensorElement(~0) : element->second;
  map.swizzle = recipe.swizzleBytes
                    ? static_cast<uint8_t>(std::countr_zero(unsigned(recipe.swizzleBytes)) - 4)
                    : 0;
  map.fill = recipe.fillsNan;
  bytes = {};
  std::memcpy(&bytes, &map, sizeof(map));
}

uint64_t TensorMap::boxRows() const {
  uint64_t rows = 1;
  for (unsigned dim = 1; dim < rank(); ++dim)
    rows *= boxSizes[dim];
  return rows;
}

uint64_t TensorMap::sharedAddress(uint64_t base, uint64_t offset) const {
  const uint64_t address = base + offset;
  if (!swizzle)
    return address;
  const uint64_t chunks = swizzleBytes() / 16;
  return address ^ ((address >> 7 & (chunks - 1)) << 4);
}

std::string TensorMap::findFault(unsigned copyRank) const {
  auto number = [](uint64_t value) { return std::to_string(value); };
  if (rankLessOne >= maxRank || elementBytes() == 0 || interleave != 0 || swizzle > 3 || fill > 1)
    return "the tensor map is none that the simulator knows: has a launch made it, or "
           "tensormap.replace set all of its fields?";
  if (rank() != copyRank)
    return "the copy is of " + number(copyRank) + " dimensions, and the tensor map has " +
           number(rank());
  if (address % 16 != 0)
    return "the tensor begins at an address that is not a multiple of 16";
  if (rowBytes() % 16 != 0)
    return "a row of the box has " + number(rowBytes()) + " bytes, which is not a multiple of 16";
  if (swizzle && rowBytes() != swizzleBytes())
    return "a row of the box has " + number(rowBytes()) + " bytes, and the swizzle is of " +
           number(swizzleBytes());
  for (unsigned dim = 0; dim < rank(); ++dim) {
    if (boxSizes[dim] < 1 || boxSizes[dim] > 256)
      return "the box has " + number(boxSizes[dim]) + " elements in dimension " + number(dim) +
             " from the fastest, and has to have 1 to 256";
    if (elementStrides[dim] != 1)
      return "the box takes every " + number(elementStrides[dim]) +
             ". element, and the simulator knows only those that take all";
  }
  for (unsigned dim = 1; dim < rank(); ++dim)
    if (strides[dim - 1] % 16 != 0)
      return "the stride of dimension " + number(dim) + " from the fastest is " +
             number(strides[dim - 1]) + " bytes, which is not a multiple of 16";
  return {};
}

void nvidia::forEachRun(const TensorMap &map, const TensorMap::Coordinates &start,
                        const std::function<void(const BoxRun &)> &see) {
  const uint32_t elementBytes = map.elementBytes();
  const int64_t width = map.boxSizes[0], size = map.sizes[0], first = start[0];
  for (uint64_t row = 0; row < map.boxRows(); ++row) {
    uint64_t rest = row, address = map.address;
    bool isInside = true;
    for (unsigned dim = 1; dim < map.rank(); ++dim) {
      const int64_t at = start[dim] + static_cast<int64_t>(rest % map.boxSizes[dim]);
      rest /= map.boxSizes[dim];
      isInside &= at >= 0 && at < static_cast<int64_t>(map.sizes[dim]);
      address += static_cast<uint64_t>(at) * map.strides[dim - 1];
    }
    // Columns [begin, end) of the row are inside.
    const int64_t begin = isInside ? std::clamp<int64_t>(-first, 0, width) : width;
    const int64_t end = isInside ? std::clamp<int64_t>(size - first, begin, width) : width;
    auto seeColumns = [&](int64_t from, int64_t to, bool inTensor) {
      if (from < to)
        see({inTensor ? address + static_cast<uint64_t>(first + from) * elementBytes : 0,
             row * map.rowBytes() + static_cast<uint64_t>(from) * elementBytes,
             static_cast<uint32_t>(to - from) * elementBytes});
    };
    seeColumns(0, begin, false);
    seeColumns(begin, end, true);
    seeColumns(end, width, false);
  }
}

/// Calls `see` with the pieces of a run that lie in one chunk of 16 bytes of shared memory: where
/// they are there, how many bytes of the run come before them, and how many they have.
template <typename See>
static void forEachPiece(const TensorMap &map, const BoxRun &run, uint64_t base, See see) {
  constexpr uint64_t chunk = 16;
  for (uint32_t done = 0; done < run.bytes;) {
    const uint64_t offset = run.offset + done;
    const auto bytes =
        static_cast<uint32_t>(std::min<uint64_t>(run.bytes - done, chunk - offset % chunk));
    see(map.sharedAddress(base, offset), done, bytes);
    done += bytes;
  }
}

/// The bits of what elements outside are read as.
static uint64_t fillBits(const TensorMap &map) {
  if (!map.fill)
    return 0;
  switch (map.element) {
  case TensorElement::F16:
  case TensorElement::BF16:
    return 0x7fff;
  case TensorElement::F64:
    return 0x7fffffffffffffff;
  default:
    return 0x7fffffff;
  }
}

void nvidia::loadBox(const TensorMap &map, const TensorMap::Coordinates &start, uint64_t base) {
  const uint64_t filling = fillBits(map);
  const uint32_t elementBytes = map.elementBytes();
  forEachRun(map, start, [&](const BoxRun &run) {
    forEachPiece(map, run, base, [&](uint64_t to, uint32_t done, uint32_t bytes) {
      auto *target = reinterpret_cast<uint8_t *>(to);
      if (run.address)
        std::memcpy(target, reinterpret_cast<const void *>(run.address + done), bytes);
      else
        for (uint32_t i = 0; i < bytes; i += elementBytes)
          std::memcpy(target + i, &filling, elementBytes);
    });
  });
}

void nvidia::storeBox(const TensorMap &map, const TensorMap::Coordinates &start, uint64_t base) {
  forEachRun(map, start, [&](const BoxRun &run) {
    if (!run.address)
      return;
    forEachPiece(map, run, base, [&](uint64_t from, uint32_t done, uint32_t bytes) {
      std::memcpy(reinterpret_cast<void *>(run.address + done),
                  reinterpret_cast<const void *>(from), bytes);
    });
  });
}

//===--------------------------------------------------------------------------===//
// Reductions
//===--------------------------------------------------------------------------===//

bool nvidia::hasReduction(TensorElement element, BoxReduction reduction) {
  switch (element) {
  case TensorElement::U32:
    return true;
  case TensorElement::S32:
    return reduction != BoxReduction::Inc && reduction != BoxReduction::Dec;
  case TensorElement::U64:
    return reduction != BoxReduction::Inc && reduction != BoxReduction::Dec;
  case TensorElement::S64:
    return reduction == BoxReduction::Min || reduction == BoxReduction::Max;
  case TensorElement::F16:
  case TensorElement::BF16:
    return reduction == BoxReduction::Add || reduction == BoxReduction::Min ||
           reduction == BoxReduction::Max;
  case TensorElement::F32:
  case TensorElement::F32Ftz:
  case TensorElement::F64:
    return reduction == BoxReduction::Add;
  default:
    return false;
  }
}

template <typename T> static T combineIntegers(T old, T value, BoxReduction reduction) {
  switch (reduction) {
  case BoxReduction::Add:
    return old + value;
  case BoxReduction::Min:
    return std::min(old, value);
  case BoxReduction::Max:
    return std::max(old, value);
  case BoxReduction::Inc:
    return old >= value ? T(0) : old + 1;
  case BoxReduction::Dec:
    return old == 0 || old > value ? value : old - 1;
  case BoxReduction::And:
    return old & value;
  case BoxReduction::Or:
    return old | value;
  case BoxReduction::Xor:
    return old ^ value;
  }
  return old;
}

template <typename T> static T combineFloats(T old, T value, BoxReduction reduction) {
  if (reduction == BoxReduction::Add)
    return old + value;
  // A number, where one of the two is NaN.
  if (old != old || value != value)
    return old != old ? value : old;
  return (value < old) == (reduction == BoxReduction::Min) ? value : old;
}

/// Applies `combine` to the values at `to` and `from`.
template <typename T, typename Combine>
static void update(void *to, const void *from, Combine combine) {
  T old, value;
  std::memcpy(&old, to, sizeof(T));
  std::memcpy(&value, from, sizeof(T));
  old = combine(old, value);
  std::memcpy(to, &old, sizeof(T));
}

static void combineElement(TensorElement element, BoxReduction reduction, void *to,
                           const void *from) {
  auto integers = [&](auto old, auto value) { return combineIntegers(old, value, reduction); };
  auto floats = [&](auto old, auto value) { return combineFloats(old, value, reduction); };
  // Sums of two such numbers are exact in f64.
  auto small = [&](runtime::SmallFloatFormat format) {
    update<uint16_t>(to, from, [&](uint16_t old, uint16_t value) {
      return runtime::encode(format, combineFloats(runtime::decode(format, old),
                                                   runtime::decode(format, value), reduction));
    });
  };
  switch (element) {
  case TensorElement::U32:
    return update<uint32_t>(to, from, integers);
  case TensorElement::S32:
    return update<int32_t>(to, from, integers);
  case TensorElement::U64:
    return update<uint64_t>(to, from, integers);
  case TensorElement::S64:
    return update<int64_t>(to, from, integers);
  case TensorElement::F32:
  case TensorElement::F32Ftz:
    return update<float>(to, from, floats);
  case TensorElement::F64:
    return update<double>(to, from, floats);
  case TensorElement::F16:
    return small(runtime::float16);
  case TensorElement::BF16:
    return small(runtime::bfloat16);
  default:
    return;
  }
}

void nvidia::reduceBox(const TensorMap &map, const TensorMap::Coordinates &start, uint64_t base,
                       BoxReduction reduction) {
  const uint32_t elementBytes = map.elementBytes();
  forEachRun(map, start, [&](const BoxRun &run) {
    if (!run.address)
      return;
    forEachPiece(map, run, base, [&](uint64_t from, uint32_t done, uint32_t bytes) {
      for (uint32_t i = 0; i < bytes; i += elementBytes)
        combineElement(map.element, reduction, reinterpret_cast<void *>(run.address + done + i),
                       reinterpret_cast<const void *>(from + i));
    });
  });
}

//===- TensorMapCalls.cpp - Tensor maps that simulated kernels make -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// PTX ISA, "tensormap.replace", "tensormap.cp_fenceproxy" and "membar/fence".
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/plan/TensorMapFunctions.h"
#include "vendor/nvidia/simulate/Replacer.h"
#include "vendor/nvidia/simulate/TensorMap.h"
#include "vendor/nvidia/simulate/TensorMapUses.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <cstring>

using namespace tilewright;
using namespace tilewright::simulate;
using namespace tilewright::simulate::nvidia;
using llvm::Value;
using vendor::nvidia::tensorMapBytes;

namespace {
namespace symbol {
// After machine and site:
/// ptr map, i32 field, i32 ordinal, i64 value, i32 whether the map is in global memory
constexpr char replaceField[] = "tilewright.nvidia.replace_tensor_map_field";
/// ptr to, ptr from
constexpr char publish[] = "tilewright.nvidia.publish_tensor_map";
/// i32 whether it is as it has to be
constexpr char require[] = "tilewright.nvidia.require_alignment";
constexpr char release[] = "tilewright.nvidia.release_tensor_maps";
/// ptr map, i64 bytes
constexpr char acquire[] = "tilewright.nvidia.acquire_tensor_maps";
} // namespace symbol

enum class MapField : uint32_t {
  Address,
  Rank,
  BoxSize,
  Size,
  Stride,
  ElementStride,
  Element,
  Interleave,
  Swizzle,
  Fill,
};
} // namespace

static TensorMapUses &usesOf(Machine &machine) { return machine.blockState<TensorMapUses>(); }

static void replaceField(Machine *machine, uint32_t site, uint8_t *mapBytes, uint32_t field,
                         uint32_t ordinal, uint64_t value, uint32_t isGlobal) {
  if (isGlobal && !usesOf(*machine).write(*machine, site, reinterpret_cast<uint64_t>(mapBytes),
                                          /*isReleased=*/false))
    return machine->leaveIfFailed();
  TensorMap map;
  std::memcpy(&map, mapBytes, sizeof(map));
  const bool isStride = static_cast<MapField>(field) == MapField::Stride;
  if (ordinal >= TensorMap::maxRank - (isStride ? 1 : 0)) {
    machine->fail(site, "a tensor map has no field of dimension " + std::to_string(ordinal));
    return machine->leaveIfFailed();
  }
  switch (static_cast<MapField>(field)) {
  case MapField::Address:
    map.address = value;
    break;
  case MapField::Rank:
    map.rankLessOne = static_cast<uint8_t>(value);
    break;
  case MapField::BoxSize:
    map.boxSizes[ordinal] = static_cast<uint32_t>(value);
    break;
  case MapField::Size:
    map.sizes[ordinal] = static_cast<uint32_t>(value);
    break;
  case MapField::Stride:
    map.strides[ordinal] = value;
    break;
  case MapField::ElementStride:
    map.elementStrides[ordinal] = static_cast<uint32_t>(value);
    break;
  case MapField::Element:
    map.element = static_cast<TensorElement>(value);
    break;
  case MapField::Interleave:
    map.interleave = static_cast<uint8_t>(value);
    break;
  case MapField::Swizzle:
    map.swizzle = static_cast<uint8_t>(value);
    break;
  case MapField::Fill:
    map.fill = static_cast<uint8_t>(value);
    break;
  }
  std::memcpy(mapBytes, &map, sizeof(map));
}

/// Each lane copies the same.
static void publish(Machine *machine, uint32_t site, uint8_t *to, const uint8_t *from) {
  if (usesOf(*machine).write(*machine, site, reinterpret_cast<uint64_t>(to), /*isReleased=*/true))
    std::memcpy(to, from, tensorMapBytes);
  machine->leaveIfFailed();
}

static void require(Machine *machine, uint32_t site, uint32_t isAligned) {
  if (isAligned)
    return;
  machine->fail(
      site, "the address or a stride of a tensor descriptor is no multiple of 16 bytes",
      "tl.make_tensor_descriptor needs such addresses and, but for the last one, strides");
  machine->leaveIfFailed();
}

static void release(Machine *machine, uint32_t) {
  usesOf(*machine).release(machine->currentThread());
}

static void acquire(Machine *machine, uint32_t, const uint8_t *map, uint64_t bytes) {
  usesOf(*machine).acquire(*machine, reinterpret_cast<uint64_t>(map), bytes);
}

std::span<const RuntimeSymbol> nvidia::tensorMapSymbols() {
  static const RuntimeSymbol symbols[] = {{symbol::replaceField, addressOf(replaceField)},
                                          {symbol::publish, addressOf(publish)},
                                          {symbol::require, addressOf(require)},
                                          {symbol::release, addressOf(release)},
                                          {symbol::acquire, addressOf(acquire)}};
  return symbols;
}

//===--------------------------------------------------------------------------===//
// Replacement
//===--------------------------------------------------------------------------===//

Value *Replacer::tensorMapOperation() {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_fence_proxy_tensormap_generic_release_gpu:
    machineCall(symbol::release, builder.getVoidTy());
    return done();
  case llvm::Intrinsic::nvvm_fence_proxy_tensormap_generic_acquire_gpu:
    machineCall(symbol::acquire, builder.getVoidTy(),
                {operand(0), builder.CreateZExt(operand(1), builder.getInt64Ty())});
    return done();
  default:
    break;
  }
  llvm::StringRef name = call.getCalledFunction()->getName();
  if (name.consume_front("llvm.nvvm.tensormap.replace."))
    return tensorMapField(name);
  if (name == llvm::StringRef(vendor::nvidia::requireAlignment)) {
    machineCall(symbol::require, builder.getVoidTy(),
                {builder.CreateZExt(operand(0), builder.getInt32Ty())});
    return done();
  }
  return name == llvm::StringRef(vendor::nvidia::publishTensorMap) ? tensorMapCopy() : unknown;
}

/// Plants the check of an access of the thread to a map; returns whether it is in global memory.
bool Replacer::plantMapCheck(Value *map, AccessKind kind) {
  if (std::optional<uint32_t> site =
          instrumenter.memorySite(call, map, kind, tensorMapBytes, tensorMapBytes)) {
    builder.SetInsertPoint(&call);
    instrumenter.plantCheck(builder, map, *site);
    builder.SetInsertPoint(&call);
    return instrumenter.machine.sites[*site].space != MemorySpace::Shared;
  }
  return false;
}

/// `name`: "box.dim.p1", without the part for the address space of some.
Value *Replacer::tensorMapField(llvm::StringRef name) {
  if (auto [field, space] = name.rsplit('.'); space.starts_with("p"))
    name = field;
  const auto field = llvm::StringSwitch<std::optional<MapField>>(name)
                         .Case("global.address", MapField::Address)
                         .Case("rank", MapField::Rank)
                         .Case("box.dim", MapField::BoxSize)
                         .Case("global.dim", MapField::Size)
                         .Case("global.stride", MapField::Stride)
                         .Case("element.stride", MapField::ElementStride)
                         .Case("elemtype", MapField::Element)
                         .Case("interleave.layout", MapField::Interleave)
                         .Case("swizzle.mode", MapField::Swizzle)
                         .Case("fill.mode", MapField::Fill)
                         .Default(std::nullopt);
  if (!field)
    return unknown;
  Value *map = operand(0);
  const bool isGlobal = plantMapCheck(map, AccessKind::Store);
  const bool isOfDimension = call.arg_size() == 3;
  Value *ordinal = isOfDimension ? operand(1) : builder.getInt32(0);
  Value *value = builder.CreateZExt(operand(isOfDimension ? 2 : 1), builder.getInt64Ty());
  machineCall(symbol::replaceField, builder.getVoidTy(),
              {builder.CreateAddrSpaceCast(map, builder.getPtrTy()),
               builder.getInt32(static_cast<uint32_t>(*field)), ordinal, value,
               builder.getInt32(isGlobal)});
  return done();
}

Value *Replacer::tensorMapCopy() {
  instrumenter.machine.trackWarps();
  Value *to = operand(0), *from = operand(1);
  plantMapCheck(from, AccessKind::Load);
  plantMapCheck(to, AccessKind::Store);
  machineCall(symbol::publish, builder.getVoidTy(),
              {builder.CreateAddrSpaceCast(to, builder.getPtrTy()),
               builder.CreateAddrSpaceCast(from, builder.getPtrTy())});
  return done();
}

//===- TensorCopies.cpp - Copies by the tensor memory accelerator -------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Semantics from the PTX ISA, sections on cp.async.bulk.tensor, cp.reduce.async.bulk.tensor and
// tensormap.replace; TensorMap.h says what a box is. Which bytes of buffers a box touches is
// checked when the copy is issued.
//
//===--------------------------------------------------------------------------===//

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

namespace {
namespace symbol {
// After machine and site: i64 address in shared memory, ptr map, ptr coordinates (i32 each), i32
// rank, and
/// i64 address of the barrier
constexpr char load[] = "tilewright.nvidia.load_box";
constexpr char store[] = "tilewright.nvidia.store_box";
/// i32 BoxReduction
constexpr char reduce[] = "tilewright.nvidia.reduce_box";
constexpr char commit[] = "tilewright.nvidia.commit_bulk";
/// i32 groups that may be outstanding
constexpr char wait[] = "tilewright.nvidia.wait_bulk";
} // namespace symbol
} // namespace

//===--------------------------------------------------------------------------===//
// Copies
//===--------------------------------------------------------------------------===//

namespace {
/// The map and the place of a copy, which have been checked.
struct BoxCopy {
  TensorMap map = {};
  TensorMap::Coordinates start = {};
};
} // namespace

/// The unit in which memory is copied, in bytes.
static constexpr uint32_t granule = 16;

/// That a copy begins at a multiple of 16 bytes of a row: otherwise an H200 ends the launch with an
/// illegal instruction.
static bool checkStart(Machine &machine, uint32_t site, const BoxCopy &copy) {
  if (int64_t(copy.start[0]) * copy.map.elementBytes() % granule == 0)
    return true;
  machine.fail(site,
               "a box begins at coordinate " + std::to_string(copy.start[0]) +
                   " of the fastest dimension, which is no multiple of 16 bytes",
               "the accelerator copies rows in chunks of 16 bytes");
  return false;
}

/// That rows of a tensor end where 16 bytes do: an H200 writes these as a whole, also what is
/// after the end of a row.
static bool checkStoredRows(Machine &machine, uint32_t site, const BoxCopy &copy) {
  const uint64_t rowBytes = uint64_t(copy.map.sizes[0]) * copy.map.elementBytes();
  const int64_t end = int64_t(copy.start[0]) + copy.map.boxSizes[0];
  const int64_t size = copy.map.sizes[0];
  if (rowBytes % granule == 0 || end < size || copy.start[0] >= size)
    return true;
  machine.fail(site,
               "a box is stored across the end of rows of " + std::to_string(rowBytes) +
                   " bytes, which is no multiple of 16: what follows the rows is written, too",
               "the accelerator copies rows in chunks of 16 bytes");
  return false;
}

/// That a copy out of shared memory begins inside of the tensor or after it. An H200 ends the
/// launch with an illegal instruction where a coordinate of a store is negative; of a load it may
/// be.
static bool checkStoreStart(Machine &machine, uint32_t site, const BoxCopy &copy) {
  for (unsigned dim = 0; dim < copy.map.rank(); ++dim)
    if (copy.start[dim] < 0) {
      machine.fail(site,
                   "a box is stored at coordinate " + std::to_string(copy.start[dim]) +
                       " of dimension " + std::to_string(dim) + " from the fastest",
                   "boxes may be loaded from negative coordinates, but not stored there");
      return false;
    }
  return checkStoredRows(machine, site, copy);
}

static TensorMapUses &usesOf(Machine &machine) { return machine.blockState<TensorMapUses>(); }

/// Reads the map, and checks it and the bytes of global memory that the box is. Nothing after an
/// error.
static std::optional<BoxCopy> prepareCopy(Machine &machine, uint32_t site, const uint8_t *mapBytes,
                                          const int32_t *coordinates, uint32_t rank, bool isStore) {
  if (reinterpret_cast<uint64_t>(mapBytes) % 64 != 0) {
    machine.fail(site, "the tensor map is at an address that is not a multiple of 64");
    return std::nullopt;
  }
  if (!usesOf(machine).checkFence(machine, site, reinterpret_cast<uint64_t>(mapBytes)))
    return std::nullopt;
  BoxCopy copy;
  std::memcpy(&copy.map, mapBytes, sizeof(copy.map));
  if (std::string fault = copy.map.findFault(rank); !fault.empty()) {
    machine.fail(site, std::move(fault));
    return std::nullopt;
  }
  std::copy_n(coordinates, rank, copy.start.begin());
  if (!checkStart(machine, site, copy))
    return std::nullopt;
  const BoxRun *outside = nullptr;
  BoxRun found;
  bool isOrdered = true;
  forEachRun(copy.map, copy.start, [&](const BoxRun &run) {
    if (!run.address || outside)
      return;
    if (machine.bytesOfBufferAt(run.address, isStore) < run.bytes) {
      found = run;
      outside = &found;
    } else if (!isStore && isOrdered) {
      isOrdered = machine.accessGlobal(machine.currentThread(), site, run.address, run.bytes,
                                       AccessKind::Load);
    }
  });
  if (!isOrdered)
    return std::nullopt;
  if (outside) {
    machine.fail(site,
                 "the tensor map says that " + std::to_string(outside->bytes) +
                     " bytes of the box, from byte " +
                     std::to_string(outside->address - copy.map.address) +
                     " of the tensor on, are in the tensor, and they are in no buffer" +
                     (isStore ? " that may be written" : ""),
                 "give the descriptor the shape and strides that the array has");
    return std::nullopt;
  }
  Site &description = machine.sites[site];
  description.bytes = static_cast<uint32_t>(copy.map.boxBytes());
  description.alignment = copy.map.alignment();
  return copy;
}

static void load(Machine *machine, uint32_t site, uint64_t address, const uint8_t *map,
                 const int32_t *coordinates, uint32_t rank, uint64_t barrier) {
  if (std::optional<BoxCopy> copy =
          prepareCopy(*machine, site, map, coordinates, rank, /*isStore=*/false)) {
    AsyncOperation operation{0, site, {}, {address, machine->sites[site].bytes}};
    operation.move = [copy = *copy, address] { loadBox(copy.map, copy.start, address); };
    operation.complete =
        usesOf(*machine).beginLoad(*machine, site, reinterpret_cast<uint64_t>(map));
    machine->issueBulkWrite(std::move(operation), barrier);
  }
  machine->leaveIfFailed();
}

/// Moves a box to global memory by `move`. Where the order of global memory is checked, that is an
/// access by the thread that issued the copy, at the time at which the box arrives.
static void moveOut(Machine &machine, uint32_t site, uint32_t thread, const BoxCopy &copy,
                    AccessKind kind, llvm::function_ref<void()> move) {
  if (!machine.ordersGlobal())
    return move();
  std::vector<std::byte> before;
  forEachRun(copy.map, copy.start, [&](const BoxRun &run) {
    const auto *bytes = reinterpret_cast<const std::byte *>(run.address);
    if (run.address)
      before.insert(before.end(), bytes, bytes + run.bytes);
  });
  move();
  const std::byte *next = before.data();
  bool isOrdered = true;
  forEachRun(copy.map, copy.start, [&](const BoxRun &run) {
    if (!run.address || !isOrdered)
      return;
    isOrdered = machine.accessGlobal(thread, site, run.address, run.bytes, kind, next);
    next += run.bytes;
  });
}

static void store(Machine *machine, uint32_t site, uint64_t address, const uint8_t *map,
                  const int32_t *coordinates, uint32_t rank) {
  std::optional<BoxCopy> copy =
      prepareCopy(*machine, site, map, coordinates, rank, /*isStore=*/true);
  if (copy && checkStoreStart(*machine, site, *copy)) {
    AsyncOperation operation{0, site, {address, machine->sites[site].bytes}, {}};
    operation.move = [=, copy = *copy, thread = machine->currentThread()] {
      moveOut(*machine, site, thread, copy, AccessKind::Store,
              [&] { storeBox(copy.map, copy.start, address); });
    };
    operation.complete =
        usesOf(*machine).beginStore(*machine, site, reinterpret_cast<uint64_t>(map));
    machine->issueBulkRead(std::move(operation));
  }
  machine->leaveIfFailed();
}

static void reduce(Machine *machine, uint32_t site, uint64_t address, const uint8_t *map,
                   const int32_t *coordinates, uint32_t rank, uint32_t kind) {
  const auto reduction = static_cast<BoxReduction>(kind);
  std::optional<BoxCopy> copy =
      prepareCopy(*machine, site, map, coordinates, rank, /*isStore=*/true);
  if (copy && !hasReduction(copy->map.element, reduction)) {
    machine->fail(site, "the accelerator has no such reduction for the elements of the tensor map");
  } else if (copy && checkStoreStart(*machine, site, *copy)) {
    AsyncOperation operation{0, site, {address, machine->sites[site].bytes}, {}};
    operation.move = [=, copy = *copy, thread = machine->currentThread()] {
      moveOut(*machine, site, thread, copy, AccessKind::Atomic,
              [&] { reduceBox(copy.map, copy.start, address, reduction); });
    };
    operation.complete =
        usesOf(*machine).beginStore(*machine, site, reinterpret_cast<uint64_t>(map));
    machine->issueBulkRead(std::move(operation));
  }
  machine->leaveIfFailed();
}

static void commit(Machine *machine, uint32_t) { machine->commitBulk(); }

static void wait(Machine *machine, uint32_t site, uint32_t left) {
  machine->waitBulk(site, left);
  machine->leaveIfFailed();
}

std::span<const RuntimeSymbol> nvidia::tensorCopySymbols() {
  static const RuntimeSymbol symbols[] = {{symbol::load, addressOf(load)},
                                          {symbol::store, addressOf(store)},
                                          {symbol::reduce, addressOf(reduce)},
                                          {symbol::commit, addressOf(commit)},
                                          {symbol::wait, addressOf(wait)}};
  return symbols;
}

//===--------------------------------------------------------------------------===//
// Replacement
//===--------------------------------------------------------------------------===//

static std::optional<BoxReduction> reductionNamed(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<BoxReduction>>(name)
      .Case("add", BoxReduction::Add)
      .Case("min", BoxReduction::Min)
      .Case("max", BoxReduction::Max)
      .Case("inc", BoxReduction::Inc)
      .Case("dec", BoxReduction::Dec)
      .Case("and", BoxReduction::And)
      .Case("or", BoxReduction::Or)
      .Case("xor", BoxReduction::Xor)
      .Default(std::nullopt);
}

Value *Replacer::tensorOperation() {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_cp_async_bulk_commit_group:
    machineCall(symbol::commit, builder.getVoidTy());
    return done();
  // With .read the global memory that is written may be seen later: by nobody here.
  case llvm::Intrinsic::nvvm_cp_async_bulk_wait_group:
  case llvm::Intrinsic::nvvm_cp_async_bulk_wait_group_read:
    machineCall(symbol::wait, builder.getVoidTy(), {operand(0)});
    return done();
  default:
    break;
  }
  llvm::StringRef name = call.getCalledFunction()->getName();
  if (name.consume_front("llvm.nvvm.cp.async.bulk.tensor."))
    return tensorCopy(name);
  return tensorMapOperation();
}

/// `name`: "g2s.tile.2d", "s2g.tile.2d" or "reduce.add.tile.2d".
Value *Replacer::tensorCopy(llvm::StringRef name) {
  const bool loads = name.consume_front("g2s."), stores = !loads && name.consume_front("s2g.");
  std::optional<BoxReduction> reduction;
  if (!loads && !stores) {
    if (!name.consume_front("reduce."))
      return unknown;
    auto [kind, rest] = name.split('.');
    reduction = reductionNamed(kind);
    name = rest;
  }
  unsigned rank;
  if (!name.consume_front("tile.") || name.consumeInteger(10, rank) || name != "d" ||
      (!loads && !stores && !reduction))
    return unknown;
  // The cache policy and, of loads, the other blocks that get the box: the flags at the end.
  const unsigned map = loads ? 2 : 1, flags = map + 1 + rank + (loads ? 2 : 1);
  if (loads && constantOperand(flags) != 0)
    return unknown;

  instrumenter.machine.trackAsyncUnits();
  const uint32_t index = instrumenter.addSite(call, operation);
  Site &site = instrumenter.machine.sites[index];
  site.space = MemorySpace::Shared;
  site.kind = loads ? AccessKind::Store : AccessKind::Load;
  site.isAsync = true;
  llvm::Type *i32 = builder.getInt32Ty(), *i64 = builder.getInt64Ty();
  llvm::IRBuilder<> entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
  Value *coordinates = entry.CreateAlloca(i32, entry.getInt32(rank));
  for (unsigned i = 0; i < rank; ++i)
    builder.CreateStore(operand(map + 1 + i), builder.CreateConstGEP1_32(i32, coordinates, i));
  llvm::SmallVector<Value *> arguments = {builder.CreatePtrToInt(operand(0), i64), operand(map),
                                          coordinates, builder.getInt32(rank)};
  if (loads)
    arguments.push_back(builder.CreatePtrToInt(operand(1), i64));
  if (reduction)
    arguments.push_back(builder.getInt32(static_cast<uint32_t>(*reduction)));
  instrumenter.callMachine(builder,
                           loads    ? symbol::load
                           : stores ? symbol::store
                                    : symbol::reduce,
                           builder.getVoidTy(), index, arguments);
  return done();
}

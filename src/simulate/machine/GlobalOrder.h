//===- GlobalOrder.h - The order of accesses to global memory -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each element of global memory remembers the last stores, atomics and loads of a launch. Within
// a block AccessRecord.h says what is ordered. An access of another block is ordered before one
// now if that block released it and this one acquired that, directly or through others: an atomic
// operation that acquires acquires what the operations on the same address have released since a
// plain store stood there. A fence releases for the relaxed operations after it, and acquires for
// those before it.
//
// A release is counted, and each access has the count of its block, so that what a block did after
// a release is not taken for released. What releases and acquires is one thread; others take part
// by barriers of their block before and after it, which the records of both tell.
//
// Blocks run one after another, so an access that comes later may as well come first: what is
// found depends on the order of blocks only through the values that atomics give.
//
// A store of the bytes that stand there already is *silent*: beside a read, or another store, it
// makes no difference which comes first.
//
// An element of a tensor may be in several threads, which all load it, and the first of which
// stores it. What the others load late they do not use, or another thread could not store in their
// stead: that is no race.
//
// Where several threads access an element with no order between them, one record stands for all.
// Beyond barriers it counts as ordered before an access whose block has acquired anything of their
// block, or, if several blocks are among them, anything at all: races may be missed so, and none is
// found where there is none.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_GLOBALORDER_H
#define TILEWRIGHT_SIMULATE_MACHINE_GLOBALORDER_H

#include "simulate/machine/AccessRecord.h"
#include "simulate/machine/Site.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace tilewright::simulate {

enum class GlobalFault : uint8_t {
  None,
  WriteAfterWrite,
  WriteAfterRead,
  ReadAfterWrite,
  /// Two atomic operations of different blocks, one of them of a scope within a block.
  NarrowScope,
};

/// The order that an atomic operation or a fence makes.
struct AtomicOrder {
  bool releases = false;
  bool acquires = false;
  /// Its scope is within the block, so it orders nothing for other blocks.
  bool isNarrow = false;
  /// A plain store of the value: releases before it are no longer acquired here.
  bool replaces = false;
};

class GlobalOrder {
public:
  struct Outcome {
    GlobalFault fault = GlobalFault::None;
    uint64_t address = 0;
    uint32_t otherBlock = 0;
    uint32_t otherThread = 0;
    uint32_t otherSite = 0;
  };
  /// The `otherBlock` of accesses by several.
  static constexpr uint32_t severalBlocks = ~0u;

  /// `clocks`: how many warps there are clocks of, in blocks whose warps meet in parts.
  explicit GlobalOrder(uint32_t clocks) : clocks(clocks) {}

  /// Forgets all: a new launch.
  void reset();
  /// Accesses from now on are by the block of this number in the launch.
  void setBlock(uint32_t block) { current = &states[number = block]; }
  void endBlock() { states.erase(number); }
  /// All these blocks have met: each knows what all have done.
  void meet(std::span<const uint32_t> blocks);

  Outcome load(uint64_t address, uint32_t bytes, uint32_t site, const Accessor &now);
  /// After the store; `before`: the bytes that stood there.
  Outcome store(uint64_t address, uint32_t bytes, uint32_t site, const Accessor &now,
                const std::byte *before);
  Outcome atomic(uint64_t address, uint32_t bytes, uint32_t site, const Accessor &now,
                 const AtomicOrder &order);
  void fence(const Accessor &now, const AtomicOrder &order);

private:
  struct Record {
    AccessRecord access;
    uint32_t block = 0;
    uint32_t releases = 0;
    bool isNarrow = false;
    /// For loads that are not ordered with one another: whether all are of one site, and the first.
    bool isOneSite = false;
    uint32_t first = 0;
    /// For a store: the site at which its thread has loaded the element before.
    std::optional<uint32_t> loadedAt;
  };
  struct Cell {
    Record write, silent, atomics, reads;
  };
  static constexpr uint64_t pageBytes = 4096;
  /// The cells of a page are as large as its smallest access, 4 bytes at most.
  struct Page {
    unsigned cellLog2 = 0;
    std::vector<Cell> cells;
  };

  /// A release: what came before it in its block.
  struct Stamp {
    uint32_t block = 0;
    uint32_t releases = 0;
    Accessor accessor;
    /// The row that `accessor.seen` points to, if it does.
    std::shared_ptr<const std::vector<uint32_t>> seen;
  };
  /// By block and thread.
  using Released = std::map<std::pair<uint32_t, uint32_t>, Stamp>;
  struct Acquired {
    AccessRecord at;
    Stamp stamp;
  };
  struct BlockState {
    uint32_t releases = 0;
    /// By the blocks that released.
    std::unordered_map<uint32_t, std::vector<Acquired>> acquired;
    /// For each thread: what its last fence released, and what its relaxed operations have met.
    std::unordered_map<uint32_t, Released> fenced, met;
  };

  std::span<Cell> cellsOf(uint64_t address, uint32_t bytes);
  bool isOrdered(const Record &record, const Accessor &now) const;
  void add(Record &record, uint32_t site, const Accessor &now);
  Outcome fault(GlobalFault what, uint64_t address, const Record &other) const;
  /// Calls check(cell, address, bytes) of the cells that an access touches, until one gives a
  /// fault.
  template <typename Check> Outcome check(uint64_t address, uint32_t bytes, Check check);

  /// Adds stamps to others; of one thread the later one tells all.
  static void unite(Released &into, const Released &more);
  Released release(const Accessor &now);
  void acquire(const Released &released, const Accessor &now);

  uint32_t clocks;
  uint32_t number = 0;
  BlockState *current = nullptr;
  std::unordered_map<uint32_t, BlockState> states;
  std::unordered_map<uint64_t, Page> pages;
  /// By address: what atomic operations there have released.
  std::unordered_map<uint64_t, Released> released;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_GLOBALORDER_H

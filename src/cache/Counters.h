//===- Counters.h - What a cache was good for -----------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Counts of all processes, in one small file under a lock. They are for people, and to know without
// looking at every file when there is too much: a count that is lost - no lock in time, no space, a
// machine that stopped - does no harm.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_CACHE_COUNTERS_H
#define TILEWRIGHT_CACHE_COUNTERS_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tilewright::cache {

struct Counts {
  uint64_t hits = 0;
  uint64_t sharedHits = 0;
  uint64_t misses = 0;
  uint64_t evicted = 0;
  uint64_t damaged = 0;
  /// Entries that were written, and their bytes less those of entries that were evicted: at least
  /// what there is.
  uint64_t written = 0;
  uint64_t bytes = 0;

  bool operator==(const Counts &) const = default;
};

class Counters {
public:
  Counters(std::string file, std::string lockFile);

  /// Nothing if there is no file, or one that is damaged.
  std::optional<Counts> read() const;
  /// Changes them, all zero if there were none, and gives the new ones; nothing if that failed.
  std::optional<Counts> update(const std::function<void(Counts &)> &change) const;

private:
  std::string file, lockFile;
};

} // namespace tilewright::cache

#endif // TILEWRIGHT_CACHE_COUNTERS_H

//===- GlobalMemory.h - The simulator's buffers ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Global memory: buffers that lie far apart in the host's address space, so that an
// address which misses a buffer by less than `gapBytes` is not in another one; and memory of the
// host that is lent, which lies where it lies.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_SIMULATE_MACHINE_GLOBALMEMORY_H
#define TILEWRIGHT_SIMULATE_MACHINE_GLOBALMEMORY_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::simulate {

struct Buffer {
  uint64_t begin = 0;
  size_t bytes = 0;
  std::string label;
  /// It is the host's, and only to be accessed.
  bool isLent = false;
  bool isReadOnly = false;
  /// For each byte whether it has been written; empty if that is not kept, or all have been.
  std::vector<bool> written;
};

class GlobalMemory {
public:
  static constexpr size_t gapBytes = size_t(64) << 20;

  GlobalMemory() = default;
  GlobalMemory(const GlobalMemory &) = delete;
  GlobalMemory &operator=(const GlobalMemory &) = delete;
  ~GlobalMemory();

  /// Zeroed memory, aligned to a page; nothing if the host has no room for it.
  const Buffer *allocate(size_t bytes, std::string_view label);
  /// Takes memory of the host for a buffer; false if it overlaps another one.
  bool lend(uint64_t begin, size_t bytes, bool isReadOnly, std::string_view label);
  /// Gives back the buffer that begins there; false if none does.
  bool free(uint64_t begin);

  /// From now on what is written is kept of buffers that are allocated, whose bytes nobody has.
  void trackWrites() { tracksWrites = true; }
  bool tracks() const { return tracksWrites; }
  void markWritten(uint64_t address, size_t bytes);
  /// The first byte of those that nobody has written; nothing if there is none.
  std::optional<uint64_t> findUnwritten(uint64_t address, size_t bytes) const;

  /// The buffer that an address lies in, its end included; or null.
  const Buffer *containing(uint64_t address) const;
  /// The buffer that misses the address by the fewest bytes; null if there are none.
  const Buffer *nearest(uint64_t address) const;

private:
  bool tracksWrites = false;
  std::map<uint64_t, Buffer> buffers;
};

} // namespace tilewright::simulate

#endif // TILEWRIGHT_SIMULATE_MACHINE_GLOBALMEMORY_H

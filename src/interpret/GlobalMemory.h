//===- GlobalMemory.h - Buffers of a launch ---------------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Each pointer of a launch points to a buffer of its own, 2^40 bytes from the next one, so that no
// arithmetic that strays leads from one into another. A buffer may grow: then it has all that a
// program reads or writes past its end, and its contents there are made when it grows. That is how
// the size is found that a kernel needs.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_INTERPRET_GLOBALMEMORY_H
#define TILEWRIGHT_INTERPRET_GLOBALMEMORY_H

#include "mlir/IR/Location.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tilewright::interpret {

struct Buffer {
  std::string name;
  /// Bytes of an element, of which it grows.
  unsigned elementBytes = 1;
  /// Gives the bits of an element where it grows; a buffer without it keeps its size.
  std::function<uint64_t(size_t element)> fill;
  std::vector<uint8_t> bytes;
  /// Whether a byte is what no definition says: stored from an undefined element.
  std::vector<uint8_t> undefined;
  /// Who stored a byte last: the number of the program, from 1, of the access, and the place of the
  /// op in GlobalMemory::places, from 1. Zeros where nobody did.
  struct Writer {
    uint32_t access = 0;
    uint16_t program = 0, place = 0;
  };
  std::vector<Writer> writers;
};

class GlobalMemory {
public:
  /// The most bytes to which a buffer grows.
  static constexpr size_t maxBytes = size_t(1) << 24;

  /// The address at which buffer `index` begins.
  static uint64_t addressOf(size_t index) { return static_cast<uint64_t>(index + 1) << 40; }
  /// Adds a buffer and gives its address.
  uint64_t add(Buffer buffer);

  /// An element of `bytes` bytes. False where it lies in no buffer.
  bool load(uint64_t address, unsigned bytes, uint64_t &bits, bool &isUndefined);
  bool store(uint64_t address, unsigned bytes, uint64_t bits, bool isUndefined);
  /// The buffer's name and the element, as errors say it.
  std::string describe(uint64_t address, unsigned bytes) const;

  /// Begins an access, by an op of a program. Elements of one access have no order.
  void beginAccess(mlir::Location place, uint32_t program, bool isAtomic);

  std::vector<Buffer> buffers;
  std::vector<mlir::Location> places;
  /// Whether a program touched what another one had stored, or stored something else there: the
  /// result depends on the order of programs.
  bool hasRaces = false;

private:
  Buffer *find(uint64_t address, unsigned bytes, uint64_t &offset);
  bool grow(Buffer &buffer, uint64_t end);

  uint32_t access = 0;
  uint16_t program = 0, place = 0;
  bool isAtomic = false;
};

} // namespace tilewright::interpret

#endif // TILEWRIGHT_INTERPRET_GLOBALMEMORY_H

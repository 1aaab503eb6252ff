//===- TensorMemoryAccess.h - Tensors between registers and tensor memory -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Which instructions of tcgen05.ld or tcgen05.st bring a tensor from tensor memory to the registers
// of a layout, or the other way. The layout of the registers and the one of the memory name the
// same tensor, so the question is plan::fit's: do lanes hold the rows and columns that the atom
// gives them, and do registers hold the rest. The first atom of the target's list that fits is
// taken: those of 32 rows come first, then those with more columns.
//
// An instruction moves words. A word holds several elements that are narrower, or one element in
// its lowest bits, as the memory's layout says.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_PLAN_TENSORMEMORYACCESS_H
#define TILEWRIGHT_VENDOR_NVIDIA_PLAN_TENSORMEMORYACCESS_H

#include "target/Atom.h"
#include "tilewright/layout/LinearLayout.h"
#include "tilewright/support/Result.h"

#include <span>
#include <vector>

namespace tilewright::vendor::nvidia {

/// An address of tensor memory, as instructions take it: the row in the upper half, the column of a
/// word in the lower.
constexpr uint32_t tensorMemoryAddress(uint32_t row, uint32_t column) { return row << 16 | column; }

struct TensorMemoryAccess {
  const target::CopyAtom *atom = nullptr;
  /// How often an instruction does the atom.
  unsigned times = 1;
  /// Of 16x32bx2: how many columns further the upper half of the lanes begins.
  uint32_t splitColumns = 0;
  /// Where in a word its elements begin, in elements.
  std::vector<unsigned> parts;

  /// One instruction. For each of its words, the tensor's register that holds each of `parts`.
  struct Message {
    uint32_t address = 0;
    std::vector<unsigned> registers;
  };
  std::vector<Message> messages;
  /// The number that each bit of a warp's number adds to the addresses, by XOR: the first two the
  /// warp's rows.
  std::vector<uint32_t> addressOfWarp;

  unsigned wordsOfMessage() const {
    return static_cast<unsigned>(messages.front().registers.size() / parts.size());
  }
};

/// Plans a copy by one of `copies`, those of one direction. `registers`: (register, lane, warp) ->
/// (dim0, dim1), perhaps with a block of one value. `memory`: (row, column) -> the same, with
/// columns of `elementBits` (8, 16 or 32). An instruction takes at most `maxWords` registers.
/// Fails, and says why, where no atom fits.
Result<TensorMemoryAccess> planTensorMemoryAccess(std::span<const target::CopyAtom> copies,
                                                  const layout::LinearLayout &registers,
                                                  const layout::LinearLayout &memory,
                                                  unsigned elementBits, unsigned maxWords);

} // namespace tilewright::vendor::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_PLAN_TENSORMEMORYACCESS_H

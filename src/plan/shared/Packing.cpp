//===- Packing.cpp - Narrow elements in 32-bit words --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/shared/Packing.h"

#include "layout/F2.h"

#include <algorithm>

namespace tilewright::plan {

unsigned countPermutes(std::span<const uint64_t> piece, unsigned wordBits, unsigned registerBits) {
  wordBits = std::min(wordBits, registerBits);
  piece = piece.first(std::min<size_t>(piece.size(), wordBits));

  // Modulo the registers of one word the piece spans the words that it takes from: so each
  // word is in as many pieces as this, times the pieces that would fill it.
  F2Basis words;
  bool inOrder = true;
  for (size_t i = 0; i < piece.size(); ++i) {
    words.insert(piece[i] >> wordBits);
    inOrder &= piece[i] == uint64_t(1) << i;
  }
  unsigned piecesOfWord = 1u << (wordBits - piece.size() + words.rank());
  unsigned permutesOfWord = piecesOfWord > 1 ? piecesOfWord - 1 : !inOrder;
  return permutesOfWord << (registerBits - wordBits);
}

} // namespace tilewright::plan

//===- Access.h - Transactions, sectors and bank conflicts of an access -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Questions about loads and stores, answered from maps alone: how wide a thread's
// accesses can be, how many sectors of global memory a warp touches, how many bank
// conflicts an access to shared memory has.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_SHARED_ACCESS_H
#define TILEWRIGHT_PLAN_SHARED_ACCESS_H

#include "plan/Namespaces.h"
#include "target/ExchangeModel.h"
#include "tilewright/layout/LinearLayout.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tilewright::plan {

/// The elements that a thread holds contiguously, from an aligned start, for a tensor laid
/// out in memory with order[0] as its fastest dimension: a power of two, the number
/// of elements one vector access could take if the memory itself is aligned.
/// `order` lists the dimensions of a distributed layout by number.
unsigned contiguousPerThread(const LinearLayout &layout, std::span<const unsigned> order);

/// The same as a list: which registers (bit numbers of `register`) are the low bits of
/// the element's address, lowest first.
std::vector<unsigned> contiguousRegisterBits(const LinearLayout &layout,
                                             std::span<const unsigned> order);

/// Sectors of `sectorBytes` that one warp touches when each lane accesses `vector` consecutive
/// elements of `elementBytes` bytes, from an aligned start, for the tensor dense in memory
/// with order[0] fastest. All three numbers are powers of two.
unsigned sectorsPerWarpAccess(const LinearLayout &layout, std::span<const unsigned> order,
                              unsigned elementBytes, unsigned vector, unsigned sectorBytes = 32);

enum class LocalDirection { Load, Store };

/// The transactions of one access by one warp.
struct Transactions {
  /// How many there are, and how many there would be without bank conflicts.
  unsigned actual = 0;
  unsigned ideal = 0;
  unsigned conflicts() const { return actual - ideal; }
};

/// One access of a warp in which each lane moves `accessBytes` bytes (1 to 16, a power of
/// two) at the byte address of its lane, a multiple of accessBytes: the
/// XOR-linear map `lane -> address` given by its bases, plus any offset. Lanes that
/// read the same word are served at once; so are lanes that write it. Ideal is one
/// transaction for each phase. Exact.
Transactions countTransactions(std::span<const uint64_t> laneAddressBases, unsigned accessBytes,
                               LocalDirection direction, const ExchangeModel &memory);

/// The same for any addresses, one for each active lane: entry i is lane lanes[i]'s.
/// Phases without an active lane take no transaction.
Transactions countTransactions(std::span<const uint64_t> addresses, std::span<const unsigned> lanes,
                               unsigned accessBytes, LocalDirection direction,
                               const ExchangeModel &memory);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_SHARED_ACCESS_H

//===- AccessView.cpp - Cost tables of memory accesses ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "view/AccessView.h"

#include "layout/F2.h"
#include "plan/shared/Access.h"
#include "support/JsonText.h"

#include <algorithm>
#include <numeric>

namespace tilewright::view {

namespace {

constexpr unsigned SectorBytes = 32;
constexpr unsigned MaxVectorBits = 128;

} // namespace

//===--------------------------------------------------------------------------===//
// Global memory
//===--------------------------------------------------------------------------===//

namespace {

/// The orders that globalAccesses reports, row-major first.
std::vector<std::vector<unsigned>> ordersOf(unsigned rank) {
  std::vector<unsigned> order(rank);
  std::iota(order.rbegin(), order.rend(), 0u);
  std::vector<std::vector<unsigned>> orders{order};
  if (rank > 3)
    orders.emplace_back(order.rbegin(), order.rend());
  else
    while (std::prev_permutation(order.begin(), order.end()))
      orders.push_back(order);
  return orders;
}

} // namespace

std::vector<GlobalAccess> globalAccesses(const LinearLayout &distributed, unsigned elementBits) {
  unsigned elementBytes = elementBits / 8;
  std::vector<GlobalAccess> result;
  for (std::vector<unsigned> &order : ordersOf(static_cast<unsigned>(distributed.outs().size()))) {
    GlobalAccess access;
    std::vector<unsigned> bits = contiguousRegisterBits(distributed, order);
    access.contiguous = 1u << bits.size();
    access.vector = std::min(access.contiguous, std::max(1u, MaxVectorBits / elementBits));
    access.sectors =
        sectorsPerWarpAccess(distributed, order, elementBytes, access.vector, SectorBytes);
    F2Basis touched(distributed.bases(dims::Lane));
    for (unsigned i = 0; 1u << i < access.vector; ++i)
      touched.insert(distributed.basis(dims::Register, bits[i]));
    uint64_t bytes = (uint64_t(1) << touched.rank()) * elementBytes;
    access.leastSectors = static_cast<unsigned>((bytes + SectorBytes - 1) / SectorBytes);
    access.order = std::move(order);
    result.push_back(std::move(access));
  }
  return result;
}

//===--------------------------------------------------------------------------===//
// Shared memory
//===--------------------------------------------------------------------------===//

namespace {

/// The dimension and the number of elements of the longest vector at the start of each offset
/// that is a multiple of it.
std::pair<unsigned, unsigned> findVector(const LinearLayout &shared, unsigned elementBits,
                                         const std::function<uint64_t(uint64_t)> &placed) {
  std::span<const uint64_t> bases = shared.bases(dims::Offset);
  for (unsigned d = 0; d < shared.outs().size(); ++d) {
    unsigned shift = shared.outShift(Dim::tensor(d)), vector = 1;
    for (unsigned i = 0; i < std::min<size_t>(bases.size(), shared.outs()[d].bits); ++i) {
      bool isAligned = placed(vector) == vector;
      for (size_t above = i + 1; above < bases.size(); ++above)
        isAligned &= placed(uint64_t(1) << above) % (2 * vector) == 0;
      if (bases[i] != uint64_t(1) << (shift + i) || !isAligned ||
          2 * vector * elementBits > MaxVectorBits)
        break;
      vector *= 2;
    }
    if (vector > 1)
      return {d, vector};
  }
  return {0, 1};
}

} // namespace

std::vector<SharedRead> sharedReads(const LinearLayout &shared, unsigned elementBits,
                                    const std::function<uint64_t(uint64_t)> &offsetOf,
                                    const ExchangeModel &memory) {
  if (!shared.isInvertible())
    return {};
  auto placed = [&](uint64_t offset) { return offsetOf ? offsetOf(offset) : offset; };
  LinearLayout offsets = shared.invert();
  auto [vectorDim, longest] = findVector(shared, elementBits, placed);

  std::vector<SharedRead> result;
  auto add = [&, vectorDim = vectorDim](unsigned dim, unsigned vector) {
    SharedRead access{dim, 1, vector, vectorDim};
    // Along the vector's own dimension, lanes are a vector apart.
    auto skipped = dim == vectorDim ? static_cast<unsigned>(std::countr_zero(vector)) : 0;
    access.lanes = 1u << std::min(5u, shared.outs()[dim].bits - skipped);
    std::vector<uint64_t> addresses;
    std::vector<unsigned> lanes(access.lanes);
    std::iota(lanes.begin(), lanes.end(), 0u);
    for (uint64_t lane : lanes) {
      uint64_t element = (lane << skipped) << offsets.inShift(Dim::tensor(dim));
      uint64_t offset = offsets.outValue(offsets.applyFlat(element), dims::Offset);
      addresses.push_back(placed(offset) * elementBits / 8);
    }
    Transactions count =
        countTransactions(addresses, lanes, vector * elementBits / 8, LocalDirection::Load, memory);
    access.transactions = count.actual;
    access.leastTransactions = count.ideal;
    result.push_back(access);
  };
  for (unsigned dim = 0; dim < shared.outs().size(); ++dim) {
    add(dim, 1);
    if (longest > 1)
      add(dim, longest);
  }
  return result;
}

//===--------------------------------------------------------------------------===//
// Text
//===--------------------------------------------------------------------------===//

namespace {

/// Rows of cells as columns, each as wide as its widest cell, two blanks apart.
std::string tableText(const std::vector<std::vector<std::string>> &rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const std::vector<std::string> &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  std::string text;
  for (const std::vector<std::string> &row : rows) {
    for (size_t i = 0; i < row.size(); ++i) {
      text += row[i];
      text += i + 1 < row.size() ? std::string(widths[i] - row[i].size() + 2, ' ') : "\n";
    }
  }
  return text;
}

std::string dimText(unsigned dim) { return "dim" + std::to_string(dim); }

template <typename Access, typename Write>
std::string listJson(const std::vector<Access> &accesses, unsigned elementBits, Write write) {
  return JsonObject()
      .number("element_bits", elementBits)
      .raw("accesses", jsonArray(accesses, write))
      .str();
}

} // namespace

std::string accessText(const std::vector<GlobalAccess> &accesses, unsigned elementBits) {
  std::vector<std::vector<std::string>> rows{
      {"memory order", "contiguous", "vector", "sectors per access", "at least"}};
  for (const GlobalAccess &access : accesses)
    rows.push_back({jsonNumbers(access.order), std::to_string(access.contiguous),
                    std::to_string(access.vector) + " x " + std::to_string(elementBits) + " bits",
                    std::to_string(access.sectors), std::to_string(access.leastSectors)});
  return tableText(rows);
}

std::string accessText(const std::vector<SharedRead> &accesses, unsigned elementBits) {
  if (accesses.empty())
    return "some element has several offsets, or none: no access is determined by its "
           "coordinates\n";
  std::vector<std::vector<std::string>> rows{
      {"lanes along", "lanes", "a lane reads", "transactions", "at least"}};
  for (const SharedRead &access : accesses)
    rows.push_back({dimText(access.dim), std::to_string(access.lanes),
                    std::to_string(access.vector) + " x " + std::to_string(elementBits) + " bits" +
                        (access.vector > 1 ? " along " + dimText(access.vectorDim) : ""),
                    std::to_string(access.transactions), std::to_string(access.leastTransactions)});
  return tableText(rows);
}

std::string accessJson(const std::vector<GlobalAccess> &accesses, unsigned elementBits) {
  return listJson(accesses, elementBits, [](const GlobalAccess &access) {
    return JsonObject()
        .raw("order", jsonNumbers(access.order))
        .number("contiguous", access.contiguous)
        .number("vector", access.vector)
        .number("sectors", access.sectors)
        .number("least_sectors", access.leastSectors)
        .str();
  });
}

std::string accessJson(const std::vector<SharedRead> &accesses, unsigned elementBits) {
  return listJson(accesses, elementBits, [](const SharedRead &access) {
    return JsonObject()
        .number("lanes_along", access.dim)
        .number("lanes", access.lanes)
        .number("vector", access.vector)
        .number("vector_along", access.vectorDim)
        .number("transactions", access.transactions)
        .number("least_transactions", access.leastTransactions)
        .str();
  });
}

} // namespace tilewright::view

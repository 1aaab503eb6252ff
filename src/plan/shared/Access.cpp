//===- Access.cpp - Transactions, sectors and bank conflicts of an access -----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/shared/Access.h"

#include "layout/F2.h"
#include "support/Bits.h"

#include <algorithm>
#include <array>

namespace tilewright::plan {

namespace {

/// The layout with its element's place in a dense memory as the packed output.
LinearLayout inMemoryOrder(const LinearLayout &layout, std::span<const unsigned> order) {
  FixedVector<Dim, LinearLayout::MaxDims> dims;
  for (unsigned d : order)
    dims.push_back(Dim::tensor(d));
  return layout.transposeOuts(dims);
}

const target::LaneGroups::Basis &laneBasis(unsigned accessBytes, LocalDirection direction,
                                           const ExchangeModel &memory) {
  return memory.groups.of(accessBytes, direction == LocalDirection::Load);
}

/// A basis of the lanes of the first phase, of those below 2^laneBits.
F2Basis lanesOfPhase(unsigned laneBits, unsigned accessBytes, LocalDirection direction,
                     const ExchangeModel &memory) {
  const target::LaneGroups::Basis &basis = laneBasis(accessBytes, direction, memory);
  // Sums that go beyond those lanes are left out.
  const unsigned bits = memory.logPhaseLanes(accessBytes);
  F2Basis lanes;
  for (uint64_t selector = 1; selector < uint64_t(1) << bits; ++selector) {
    const uint64_t lane = target::LaneGroups::laneAt(basis, static_cast<unsigned>(selector));
    if (lane >> laneBits == 0)
      lanes.insert(lane);
  }
  return lanes;
}

/// The fullest bank's number of different words.
unsigned transactionsOf(FixedVector<uint64_t, 64> &words, unsigned banks) {
  std::sort(words.begin(), words.end());
  size_t unique = static_cast<size_t>(std::unique(words.begin(), words.end()) - words.begin());
  FixedVector<uint16_t, 1024> perBank(banks, 0);
  uint16_t most = 0;
  for (size_t i = 0; i < unique; ++i)
    most = std::max(most, ++perBank[words[i] % banks]);
  return most;
}

} // namespace

std::vector<unsigned> contiguousRegisterBits(const LinearLayout &layout,
                                             std::span<const unsigned> order) {
  LinearLayout memory = inMemoryOrder(layout, order);
  std::span<const uint64_t> registers = memory.bases(dims::Register);
  std::vector<unsigned> bits;
  for (unsigned low = 0; low < memory.totalOutBits(); ++low) {
    auto found = std::find(registers.begin(), registers.end(), uint64_t(1) << low);
    if (found == registers.end())
      break;
    bits.push_back(static_cast<unsigned>(found - registers.begin()));
  }
  // Any other bit that moves within the vector would tear it apart.
  for (unsigned i = 0; i < memory.totalInBits(); ++i) {
    uint64_t basis = memory.bases()[i];
    unsigned registerBit = i - memory.inShift(dims::Register);
    bool isOwn = i >= memory.inShift(dims::Register) && registerBit < registers.size() &&
                 std::find(bits.begin(), bits.end(), registerBit) != bits.end();
    if (basis && !isOwn && log2Of(basis) < bits.size())
      bits.resize(log2Of(basis));
  }
  return bits;
}

unsigned contiguousPerThread(const LinearLayout &layout, std::span<const unsigned> order) {
  return 1u << contiguousRegisterBits(layout, order).size();
}

unsigned sectorsPerWarpAccess(const LinearLayout &layout, std::span<const unsigned> order,
                              unsigned elementBytes, unsigned vector, unsigned sectorBytes) {
  // The sectors are the span of lanes and vector elements, without the bits in a sector.
  LinearLayout memory = inMemoryOrder(layout, order);
  F2Basis touched;
  auto add = [&](uint64_t element) { touched.insert((element * elementBytes) / sectorBytes); };
  for (uint64_t basis : memory.bases(dims::Lane))
    add(basis);
  for (uint64_t element = 1; element < vector; element *= 2)
    add(element);
  return 1u << touched.rank();
}

Transactions countTransactions(std::span<const uint64_t> laneAddressBases, unsigned accessBytes,
                               LocalDirection direction, const ExchangeModel &memory) {
  // A phase's words form a vector space, and a bank has as many of them as there are that
  // differ in the row alone: those of the span that lie in bank 0. All phases are
  // translates of the first.
  const auto laneBits = static_cast<unsigned>(laneAddressBases.size());
  const F2Basis phase = lanesOfPhase(laneBits, accessBytes, direction, memory);
  F2Basis words, banks;
  auto add = [&](uint64_t address) {
    uint64_t word = address / memory.bankBytes;
    words.insert(word);
    banks.insert(word % memory.banks);
  };
  for (uint64_t rest = phase.pivotMask(); rest; rest &= rest - 1)
    add(sumOf(laneAddressBases, phase.row(log2Of(rest & -rest)).vector));
  for (unsigned byte = memory.bankBytes; byte < accessBytes; byte *= 2)
    add(byte);
  unsigned phases = 1u << (laneBits - phase.rank());
  return {phases << (words.rank() - banks.rank()), phases};
}

Transactions countTransactions(std::span<const uint64_t> addresses, std::span<const unsigned> lanes,
                               unsigned accessBytes, LocalDirection direction,
                               const ExchangeModel &memory) {
  Transactions result;
  const target::LaneGroups::Basis &basis = laneBasis(accessBytes, direction, memory);
  const unsigned inPhase = memory.logPhaseLanes(accessBytes);
  std::array<unsigned, 64> phaseOf;
  for (unsigned index = 0; index < phaseOf.size(); ++index)
    phaseOf[target::LaneGroups::laneAt(basis, index)] = index >> inPhase;
  unsigned phases = 0;
  for (unsigned lane : lanes)
    phases = std::max(phases, phaseOf[lane] + 1);
  for (unsigned phase = 0; phase < phases; ++phase) {
    FixedVector<uint64_t, 64> words;
    for (size_t i = 0; i < lanes.size(); ++i)
      if (phaseOf[lanes[i]] == phase)
        for (unsigned byte = 0; byte < accessBytes; byte += memory.bankBytes)
          words.push_back((addresses[i] + byte) / memory.bankBytes);
    if (words.empty())
      continue;
    result.actual += transactionsOf(words, memory.banks);
    ++result.ideal;
  }
  return result;
}

} // namespace tilewright::plan

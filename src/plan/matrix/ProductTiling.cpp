//===- ProductTiling.cpp - Products of tiles, cut into instructions -----------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/matrix/ProductTiling.h"

#include "support/Bits.h"

#include <algorithm>
#include <unordered_map>

namespace tilewright::plan {

namespace {

/// The dimensions of a product.
enum Axis : unsigned { M, N, K, Batch, AxisCount };
/// The value of each.
using Coordinates = std::array<uint64_t, AxisCount>;

/// An operand of the product: its layout and the atom's.
struct Operand {
  const LinearLayout &layout, &atom;
  /// The axes of its last two dimensions.
  Axis row, column;

  unsigned rank() const { return static_cast<unsigned>(layout.outs().size()); }

  Coordinates coordinates(uint64_t packed) const {
    Coordinates at = {};
    at[row] = layout.outValue(packed, Dim::tensor(rank() - 2));
    at[column] = layout.outValue(packed, Dim::tensor(rank() - 1));
    if (rank() == 3)
      at[Batch] = layout.outValue(packed, Dim::tensor(0));
    return at;
  }
  Coordinates atomCoordinates(uint64_t packed) const {
    Coordinates at = {};
    at[row] = atom.outValue(packed, dims::Dim0);
    at[column] = atom.outValue(packed, dims::Dim1);
    return at;
  }
  uint64_t size(Axis axis) const {
    if (axis == Batch)
      return rank() == 3 ? layout.outSize(Dim::tensor(0)) : 1;
    return layout.outSize(Dim::tensor(axis == row ? rank() - 2 : rank() - 1));
  }
};

/// Which bits of the tensors' coordinates stand for those of the atom's.
class BitNames {
public:
  explicit BitNames(const Coordinates &sizes) : sizes(sizes) {}

  /// Names bit `bit` of the atom: the tensor's coordinate moves by `value`, a power of two, or by 0
  /// where the tensor is too short. False if it has another name, or another bit has this one.
  bool name(Axis axis, unsigned bit, uint64_t value) {
    if (const std::optional<uint64_t> &known = names[axis][bit])
      return *known == value;
    if (value & used[axis] || value & (value - 1))
      return false;
    names[axis][bit] = value;
    used[axis] |= value;
    return true;
  }
  bool isNamed(Axis axis, unsigned bit) const { return names[axis][bit].has_value(); }
  bool isUsed(Axis axis, uint64_t value) const { return value & used[axis]; }
  /// Whether no bit of the tensor is left for a name.
  bool isExhausted(Axis axis) const { return used[axis] == sizes[axis] - 1; }
  uint64_t usedBits(Axis axis) const { return used[axis]; }

  /// The tensor's coordinates for those of the atom, whose bits all have names.
  Coordinates translate(const Coordinates &at) const {
    Coordinates result = {};
    for (unsigned axis = 0; axis < AxisCount; ++axis)
      for (unsigned bit = 0; at[axis] >> bit; ++bit)
        if (at[axis] >> bit & 1)
          result[axis] |= names[axis][bit].value_or(0);
    return result;
  }

private:
  Coordinates sizes, used = {};
  std::array<std::array<std::optional<uint64_t>, 16>, AxisCount> names = {};
};

/// Names the bits of the atom that the lanes of one operand move, and checks those that have names.
bool nameLanes(BitNames &names, const Operand &operand) {
  std::span<const uint64_t> own = operand.layout.bases(dims::Lane),
                            wanted = operand.atom.bases(dims::Lane);
  if (own.size() != wanted.size())
    return false;
  for (size_t i = 0; i < own.size(); ++i) {
    const Coordinates at = operand.coordinates(own[i]), in = operand.atomCoordinates(wanted[i]);
    for (Axis axis : {M, N, K, Batch})
      if (in[axis] ? !names.name(axis, log2Of(in[axis]), at[axis]) : at[axis] != 0)
        return false;
  }
  return true;
}

/// Names the bits that the registers of one operand move and no lane does: the lowest of the
/// tensor's registers that move one bit of the axis each.
bool nameRegisters(BitNames &names, const Operand &operand) {
  for (uint64_t wanted : operand.atom.bases(dims::Register)) {
    const Coordinates in = operand.atomCoordinates(wanted);
    for (Axis axis : {M, N, K}) {
      if (!in[axis] || names.isNamed(axis, log2Of(in[axis])))
        continue;
      uint64_t chosen = 0;
      for (uint64_t basis : operand.layout.bases(dims::Register)) {
        const uint64_t value = operand.coordinates(basis)[axis];
        if (isPowerOfTwo(basis) && value && !names.isUsed(axis, value)) {
          chosen = value;
          break;
        }
      }
      if (!chosen && (axis == K || !names.isExhausted(axis)))
        return false;
      names.name(axis, log2Of(in[axis]), chosen);
    }
  }
  return true;
}

/// Whether warps and blocks move operand and result alike along what they share, and do not move
/// K.
bool groupsAgree(const Operand &operand, const Operand &result, Axis shared) {
  for (Dim group : {dims::Warp, dims::Block}) {
    std::span<const uint64_t> own = operand.layout.bases(group), of = result.layout.bases(group);
    if (own.size() != of.size())
      return false;
    for (size_t i = 0; i < own.size(); ++i) {
      const Coordinates at = operand.coordinates(own[i]), there = result.coordinates(of[i]);
      if (at[K] || at[shared] != there[shared] || at[Batch] != there[Batch])
        return false;
    }
  }
  return true;
}

/// The fragments of an operand by where they are.
class Fragments {
public:
  Fragments(const Operand &operand, const BitNames &names) : operand(operand) {
    const LinearLayout &layout = operand.layout;
    for (uint64_t reg = 0; reg < layout.inSize(dims::Register); ++reg) {
      const Coordinates at =
          operand.coordinates(layout.applyFlat(reg << layout.inShift(dims::Register)));
      registers.try_emplace(key(at), static_cast<unsigned>(reg));
    }
    for (uint64_t reg = 0; reg < operand.atom.inSize(dims::Register); ++reg)
      places.push_back(names.translate(operand.atomCoordinates(
          operand.atom.applyFlat(reg << operand.atom.inShift(dims::Register)))));
  }

  /// The number of the fragment at these coordinates; nothing if the thread lacks an element.
  std::optional<unsigned> find(const Coordinates &at) {
    auto [entry, isNew] = numbers.try_emplace(key(at), static_cast<unsigned>(list.size()));
    if (!isNew)
      return entry->second;
    ProductTiling::Fragment fragment;
    for (const Coordinates &place : places) {
      Coordinates element;
      for (unsigned axis = 0; axis < AxisCount; ++axis)
        element[axis] = at[axis] ^ place[axis];
      auto found = registers.find(key(element));
      if (found == registers.end())
        return std::nullopt;
      fragment.push_back(found->second);
    }
    list.push_back(std::move(fragment));
    return entry->second;
  }

  /// The different elements that a thread holds.
  size_t elementCount() const { return registers.size(); }
  std::vector<ProductTiling::Fragment> list;

private:
  /// The coordinates of the operand's own axes as one number.
  uint64_t key(const Coordinates &at) const {
    return (at[Batch] * operand.size(operand.row) + at[operand.row]) *
               operand.size(operand.column) +
           at[operand.column];
  }

  const Operand operand;
  std::unordered_map<uint64_t, unsigned> registers, numbers;
  std::vector<Coordinates> places;
};

/// The values of `axis` at which a thread's fragments of `operand` begin, in order.
std::vector<uint64_t> fragmentStarts(const Operand &operand, Axis axis, const BitNames &names) {
  std::vector<uint64_t> starts = {0};
  for (uint64_t basis : operand.layout.bases(dims::Register)) {
    const uint64_t value = operand.coordinates(basis)[axis] & ~names.usedBits(axis);
    if (!value || std::find(starts.begin(), starts.end(), value) != starts.end())
      continue;
    for (size_t i = 0, count = starts.size(); i < count; ++i)
      starts.push_back(starts[i] ^ value);
  }
  std::sort(starts.begin(), starts.end());
  return starts;
}

/// The map to the coordinates of the transposed matrices.
LinearLayout transposed(const LinearLayout &map) {
  const unsigned rank = static_cast<unsigned>(map.outs().size());
  std::vector<Dim> order;
  for (unsigned dim = 0; dim < rank; ++dim)
    order.push_back(Dim::tensor(dim));
  const Dim row = Dim::tensor(rank - 2), column = Dim::tensor(rank - 1);
  // A name for a moment: no map of a tensor has it.
  const Dim moved = Dim::tensor(rank);
  LinearLayout result = map.renameOut(row, moved).renameOut(column, row).renameOut(moved, column);
  return result.transposeOuts(order);
}

} // namespace

ProductLayouts transpose(const ProductLayouts &layouts) {
  return {transposed(layouts.b), transposed(layouts.a), transposed(layouts.result)};
}

std::optional<ProductTiling> tileProduct(const ProductLayouts &layouts, const MmaAtom &atom) {
  const Operand a = {layouts.a, atom.aOperand.map, M, K}, b = {layouts.b, atom.bOperand.map, K, N},
                result = {layouts.result, atom.accumulatorOperand.map, M, N};
  BitNames names({result.size(M), result.size(N), a.size(K), result.size(Batch)});
  if (!nameLanes(names, result) || !nameRegisters(names, result) || !nameLanes(names, a) ||
      !nameRegisters(names, a) || !nameLanes(names, b) || !nameRegisters(names, b) ||
      !groupsAgree(a, result, M) || !groupsAgree(b, result, N))
    return std::nullopt;
  for (unsigned bit = 0; bit < log2Of(atom.k); ++bit)
    if (names.translate({0, 0, uint64_t(1) << bit, 0})[K] == 0)
      return std::nullopt;

  Fragments ofA(a, names), ofB(b, names), ofResult(result, names);
  ProductTiling tiling;
  for (uint64_t batch : fragmentStarts(result, Batch, names))
    for (uint64_t k = 0; k < a.size(K); ++k) {
      if (names.isUsed(K, k))
        continue;
      for (uint64_t m : fragmentStarts(result, M, names))
        for (uint64_t n : fragmentStarts(result, N, names)) {
          const Coordinates at = {m, n, k, batch};
          const std::optional<unsigned> left = ofA.find(at), right = ofB.find(at),
                                        sum = ofResult.find(at);
          if (!left || !right || !sum)
            return std::nullopt;
          tiling.steps.push_back({*left, *right, *sum});
        }
    }
  // Each element of the result has to be summed by some step.
  std::vector<unsigned> summed;
  for (const ProductTiling::Fragment &fragment : ofResult.list)
    summed.insert(summed.end(), fragment.begin(), fragment.end());
  std::sort(summed.begin(), summed.end());
  summed.erase(std::unique(summed.begin(), summed.end()), summed.end());
  if (summed.size() != ofResult.elementCount())
    return std::nullopt;
  tiling.a = std::move(ofA.list);
  tiling.b = std::move(ofB.list);
  tiling.accumulators = std::move(ofResult.list);
  return tiling;
}

} // namespace tilewright::plan

//===- LinearLayout.cpp - Layouts as linear maps over F2 ------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "tilewright/layout/LinearLayout.h"

#include "layout/F2.h"
#include "layout/Fields.h"
#include "support/Counted.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::layout;

namespace {

using DimList = LinearLayout::DimList;
using BasisList = LinearLayout::BasisList;

/// An F2 basis of the bases, each tagged with its input bit.
F2Basis taggedSpan(std::span<const uint64_t> bases) {
  F2Basis span;
  for (size_t i = 0; i < bases.size(); ++i)
    span.insert(bases[i], uint64_t(1) << i);
  return span;
}

std::string quoted(Dim dim) { return "'" + std::string(dim.name()) + "'"; }

} // namespace

//===----------------------------------------------------------------------------===//
// Making one
//===----------------------------------------------------------------------------===//

LinearLayout LinearLayout::fromPacked(const DimList &ins, const DimList &outs,
                                      std::span<const uint64_t> bases) {
  LinearLayout result;
  result.inDims = ins;
  result.outDims = outs;
  result.outBitCount = totalBits(outs);
  result.columns = BasisList(bases);
  assert(totalBits(ins) == bases.size() && "one basis for each input bit");
  assert(result.outBitCount <= MaxBits && "more output bits than a word has");
  assert(std::all_of(bases.begin(), bases.end(),
                     [&](uint64_t b) { return (b & ~lowBits(result.outBitCount)) == 0; }) &&
         "a basis does not fit the output dimensions");
  return result;
}

LinearLayout LinearLayout::identity1D(uint64_t size, Dim in, Dim out) {
  return strided1D(size, 1, in, out);
}

LinearLayout LinearLayout::zeros1D(uint64_t size, Dim in, Dim out, uint64_t outSize) {
  BasisList bases(bitsOf(size), 0);
  return fromPacked({SizedDim{in, bitsOf(size)}}, {SizedDim{out, bitsOf(outSize)}}, bases);
}

LinearLayout LinearLayout::strided1D(uint64_t size, uint64_t stride, Dim in, Dim out) {
  unsigned bits = bitsOf(size), shift = bitsOf(stride);
  BasisList bases;
  for (unsigned i = 0; i < bits; ++i)
    bases.push_back(uint64_t(1) << (shift + i));
  return fromPacked({SizedDim{in, bits}}, {SizedDim{out, bits + shift}}, bases);
}

Result<LinearLayout> LinearLayout::fromBases(std::span<const InputBases> bases,
                                             std::span<const std::pair<Dim, uint64_t>> outSizes) {
  if (bases.size() > MaxDims || outSizes.size() > MaxDims)
    return Failure("a layout has at most " + std::to_string(MaxDims) + " dimensions on a side");

  DimList ins, outs;
  unsigned outBits = 0;
  for (auto [dim, size] : outSizes) {
    if (findDim(outs, dim) >= 0)
      return Failure("output dimension " + quoted(dim) + " is named twice");
    if (!std::has_single_bit(size))
      return Failure("the size of output dimension " + quoted(dim) + ", " + std::to_string(size) +
                     ", is not a power of two");
    outs.push_back({dim, bitsOf(size)});
    outBits += bitsOf(size);
  }
  size_t inBits = 0;
  for (const InputBases &in : bases) {
    if (findDim(ins, in.dim) >= 0)
      return Failure("input dimension " + quoted(in.dim) + " is named twice");
    inBits += in.bases.size();
    if (inBits > MaxBits)
      break;
    ins.push_back({in.dim, static_cast<unsigned>(in.bases.size())});
  }
  if (inBits > MaxBits || outBits > MaxBits)
    return Failure("a layout has at most " + std::to_string(MaxBits) + " bits on a side");

  BasisList columns;
  for (const InputBases &in : bases) {
    for (const std::vector<uint64_t> &basis : in.bases) {
      if (basis.size() != outs.size())
        return Failure("a basis of " + quoted(in.dim) + " has " +
                       counted(basis.size(), "value", "values") + ", but there " +
                       (outs.size() == 1 ? "is " : "are ") +
                       counted(outs.size(), "output dimension", "output dimensions"));
      uint64_t packed = 0;
      unsigned shift = 0;
      for (size_t d = 0; d < basis.size(); ++d) {
        if (basis[d] & ~lowBits(outs[d].bits))
          return Failure("a basis of " + quoted(in.dim) + " has the value " +
                         std::to_string(basis[d]) + " in " + quoted(outs[d].dim) +
                         ", which has the size " + std::to_string(outs[d].size()));
        packed |= depositField(basis[d], outs[d].bits, shift);
        shift += outs[d].bits;
      }
      columns.push_back(packed);
    }
  }
  return fromPacked(ins, outs, columns);
}

Result<LinearLayout> LinearLayout::fromBases(std::span<const InputBases> bases,
                                             std::span<const Dim> outs) {
  std::vector<std::pair<Dim, uint64_t>> sizes;
  for (size_t d = 0; d < outs.size(); ++d) {
    uint64_t all = 0;
    for (const InputBases &in : bases)
      for (const std::vector<uint64_t> &basis : in.bases)
        if (d < basis.size())
          all |= basis[d];
    if (all >> 63)
      return Failure("a value in " + quoted(outs[d]) + " is too large");
    sizes.emplace_back(outs[d], std::bit_ceil(all + 1));
  }
  return fromBases(bases, sizes);
}

//===----------------------------------------------------------------------------===//
// Looking at one
//===----------------------------------------------------------------------------===//

namespace {

unsigned bitsIn(const DimList &list, int index) {
  return index < 0 ? 0 : list[static_cast<size_t>(index)].bits;
}

unsigned shiftIn(const DimList &list, int index) {
  unsigned shift = 0;
  for (int i = 0; i < index; ++i)
    shift += list[static_cast<size_t>(i)].bits;
  return shift;
}

} // namespace

unsigned LinearLayout::inBits(Dim dim) const { return bitsIn(inDims, findDim(inDims, dim)); }
unsigned LinearLayout::outBits(Dim dim) const { return bitsIn(outDims, findDim(outDims, dim)); }
unsigned LinearLayout::inShift(Dim dim) const { return shiftIn(inDims, findDim(inDims, dim)); }
unsigned LinearLayout::outShift(Dim dim) const { return shiftIn(outDims, findDim(outDims, dim)); }
uint64_t LinearLayout::outMask(Dim dim) const {
  unsigned bits = outBits(dim);
  return depositField(lowBits(bits), bits, outShift(dim));
}

std::span<const uint64_t> LinearLayout::bases(Dim in) const {
  return {columns.data() + inShift(in), inBits(in)};
}

uint64_t LinearLayout::basis(Dim in, unsigned bit, Dim out) const {
  return outValue(basis(in, bit), out);
}

namespace tilewright::layout {
bool operator==(const LinearLayout &a, const LinearLayout &b) {
  return a.inDims == b.inDims && a.outDims == b.outDims && a.columns == b.columns;
}
} // namespace tilewright::layout

bool LinearLayout::sameMapAs(const LinearLayout &other) const {
  if (inDims.size() != other.inDims.size() || outDims.size() != other.outDims.size())
    return false;
  FixedVector<Dim, MaxDims> inOrder, outOrder;
  for (SizedDim d : other.inDims) {
    if (!hasIn(d.dim))
      return false;
    inOrder.push_back(d.dim);
  }
  for (SizedDim d : other.outDims) {
    if (!hasOut(d.dim))
      return false;
    outOrder.push_back(d.dim);
  }
  return transposeIns(inOrder).transposeOuts(outOrder) == other;
}

//===----------------------------------------------------------------------------===//
// The map
//===----------------------------------------------------------------------------===//

uint64_t LinearLayout::applyFlat(uint64_t input) const {
  assert((input & ~lowBits(totalInBits())) == 0 && "the input has more bits than the layout");
  uint64_t result = 0;
  for (; input; input &= input - 1)
    result ^= columns[static_cast<size_t>(std::countr_zero(input))];
  return result;
}

uint64_t LinearLayout::packInput(std::span<const DimValue> inputs) const {
  uint64_t packed = 0;
  for (DimValue v : inputs) {
    assert(v.value <= lowBits(inBits(v.dim)) && "an input is too large for its dimension");
    packed |= depositField(v.value, inBits(v.dim), inShift(v.dim));
  }
  return packed;
}

std::vector<DimValue> LinearLayout::apply(std::span<const DimValue> inputs) const {
  return unpackOutput(applyFlat(packInput(inputs)));
}

std::vector<DimValue> LinearLayout::unpackInput(uint64_t input) const {
  std::vector<DimValue> values;
  for (SizedDim d : inDims)
    values.push_back({d.dim, inValue(input, d.dim)});
  return values;
}

std::vector<DimValue> LinearLayout::unpackOutput(uint64_t output) const {
  std::vector<DimValue> values;
  for (SizedDim d : outDims)
    values.push_back({d.dim, outValue(output, d.dim)});
  return values;
}

uint64_t LinearLayout::inValue(uint64_t input, Dim dim) const {
  unsigned bits = inBits(dim);
  return bits ? (input >> inShift(dim)) & lowBits(bits) : 0;
}

uint64_t LinearLayout::outValue(uint64_t output, Dim dim) const {
  unsigned bits = outBits(dim);
  return bits ? (output >> outShift(dim)) & lowBits(bits) : 0;
}

//===----------------------------------------------------------------------------===//
// What kind of map it is
//===----------------------------------------------------------------------------===//

unsigned LinearLayout::rank() const { return F2Basis(bases()).rank(); }

bool LinearLayout::isZero() const {
  return std::all_of(columns.begin(), columns.end(), [](uint64_t b) { return b == 0; });
}

BasisList LinearLayout::kernelBasis() const {
  BasisList kernel;
  F2Basis span;
  for (size_t i = 0; i < columns.size(); ++i) {
    F2Basis::Reduced rest = span.insert(columns[i], uint64_t(1) << i);
    if (!rest.vector)
      kernel.push_back(rest.tag);
  }
  return kernel;
}

BasisList LinearLayout::imageBasis() const {
  BasisList image;
  F2Basis span;
  for (uint64_t basis : columns)
    if (span.insert(basis).vector)
      image.push_back(basis);
  return image;
}

uint64_t LinearLayout::freeMask() const {
  uint64_t mask = 0;
  F2Basis span;
  for (size_t i = 0; i < columns.size(); ++i)
    if (!span.insert(columns[i]).vector)
      mask |= uint64_t(1) << i;
  return mask;
}

std::vector<DimValue> LinearLayout::freeVariableMasks() const { return unpackInput(freeMask()); }

uint64_t LinearLayout::getNumConsecutiveInOut() const {
  if (inDims.empty())
    return 1;
  unsigned count = 0;
  while (count < inDims[0].bits && columns[count] == uint64_t(1) << count)
    ++count;
  for (size_t i = count; i < columns.size(); ++i)
    if (columns[i])
      count = std::min(count, static_cast<unsigned>(std::countr_zero(columns[i])));
  return uint64_t(1) << count;
}

//===----------------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------------===//

namespace tilewright::layout {

LinearLayout operator*(const LinearLayout &a, const LinearLayout &b) {
  auto join = [](const DimList &x, const DimList &y) {
    DimList joined = x;
    for (SizedDim d : y) {
      int at = LinearLayout::findDim(joined, d.dim);
      if (at >= 0)
        joined[static_cast<size_t>(at)].bits += d.bits;
      else
        joined.push_back(d);
    }
    return joined;
  };
  DimList ins = join(a.inDims, b.inDims), outs = join(a.outDims, b.outDims);
  assert(totalBits(ins) <= LinearLayout::MaxBits && totalBits(outs) <= LinearLayout::MaxBits &&
         "the product has too many bits");

  BitFieldPermutation moveA, moveB;
  unsigned shift = 0;
  for (SizedDim d : outs) {
    moveA.add(a.outShift(d.dim), a.outBits(d.dim), shift);
    moveB.add(b.outShift(d.dim), b.outBits(d.dim), shift + a.outBits(d.dim));
    shift += d.bits;
  }
  BasisList bases;
  for (SizedDim d : ins) {
    for (uint64_t basis : a.bases(d.dim))
      bases.push_back(moveA(basis));
    for (uint64_t basis : b.bases(d.dim))
      bases.push_back(moveB(basis));
  }
  return LinearLayout::fromPacked(ins, outs, bases);
}

LinearLayout operator+(const LinearLayout &a, const LinearLayout &b) {
  assert(a.inDims == b.inDims && a.outDims == b.outDims && "a sum needs equal dimensions");
  LinearLayout sum = a;
  for (size_t i = 0; i < sum.columns.size(); ++i)
    sum.columns[i] ^= b.columns[i];
  return sum;
}

} // namespace tilewright::layout

LinearLayout LinearLayout::compose(const LinearLayout &outer) const {
  assert(outDims.size() == outer.inDims.size() && "dimensions do not match");
  for ([[maybe_unused]] SizedDim d : outDims)
    assert(outer.hasIn(d.dim) && d.bits <= outer.inBits(d.dim) && "dimensions do not match");
  BitFieldPermutation repack = repacking(outs(), outer.ins());
  LinearLayout result;
  result.inDims = inDims;
  result.outDims = outer.outDims;
  result.outBitCount = outer.outBitCount;
  for (uint64_t basis : columns)
    result.columns.push_back(outer.applyFlat(repack(basis)));
  return result;
}

LinearLayout LinearLayout::invert() const {
  assert(isInvertible() && "only a bijection has an inverse");
  return pseudoInvert();
}

LinearLayout LinearLayout::pseudoInvert() const {
  F2Basis span = taggedSpan(bases());
  LinearLayout result;
  result.inDims = outDims;
  result.outDims = inDims;
  result.outBitCount = totalInBits();
  for (unsigned bit = 0; bit < outBitCount; ++bit)
    result.columns.push_back(span.reduce(uint64_t(1) << bit).tag);
  return result;
}

LinearLayout LinearLayout::invertAndCompose(const LinearLayout &dst) const {
  assert(imageWithin(dst) && "an output of this layout is not reached by the other one");
  F2Basis span = taggedSpan(dst.bases());
  BitFieldPermutation repack = repacking(outs(), dst.outs());
  LinearLayout result;
  result.inDims = inDims;
  result.outDims = dst.inDims;
  result.outBitCount = dst.totalInBits();
  for (uint64_t basis : columns)
    result.columns.push_back(span.reduce(repack(basis)).tag);
  return result;
}

bool LinearLayout::imageWithin(const LinearLayout &other) const {
  if (outDims.size() != other.outDims.size())
    return false;
  for (SizedDim d : outDims)
    if (!other.hasOut(d.dim) || other.outBits(d.dim) != d.bits)
      return false;
  F2Basis span(other.bases());
  BitFieldPermutation repack = repacking(outs(), other.outs());
  return std::all_of(columns.begin(), columns.end(),
                     [&](uint64_t basis) { return span.contains(repack(basis)); });
}

namespace {

/// The common part of both divisions: each dimension of the whole is cut into the bits of the
/// divisor and those of the quotient.
struct Division {
  DimList ins, outs;              // of the quotient
  BitFieldPermutation toDivisor;  // the divisor's part of a packed output of the whole
  BitFieldPermutation toQuotient; // and the quotient's
  uint64_t divisorBits = 0;       // the divisor's bits in the whole's output
  bool possible = true;

  Division(const LinearLayout &whole, const LinearLayout &divisor, bool divisorIsLow) {
    for (SizedDim d : divisor.ins())
      possible &= whole.hasIn(d.dim);
    for (SizedDim d : divisor.outs())
      possible &= whole.hasOut(d.dim);
    for (SizedDim d : whole.ins()) {
      unsigned bits = divisor.inBits(d.dim);
      possible &= bits <= d.bits;
      ins.push_back({d.dim, d.bits - std::min(bits, d.bits)});
    }
    unsigned shift = 0, quotientShift = 0;
    for (SizedDim d : whole.outs()) {
      unsigned bits = divisor.outBits(d.dim);
      possible &= bits <= d.bits;
      if (!possible)
        return;
      unsigned rest = d.bits - bits;
      unsigned divisorAt = divisorIsLow ? shift : shift + rest;
      toDivisor.add(divisorAt, bits, divisor.outShift(d.dim));
      toQuotient.add(divisorIsLow ? shift + bits : shift, rest, quotientShift);
      divisorBits |= depositField(lowBits(bits), bits, divisorAt);
      outs.push_back({d.dim, rest});
      shift += d.bits;
      quotientShift += rest;
    }
  }
};

std::optional<LinearLayout> divide(const LinearLayout &whole, const LinearLayout &divisor,
                                   bool divisorIsLow) {
  Division division(whole, divisor, divisorIsLow);
  if (!division.possible)
    return std::nullopt;
  BasisList bases;
  for (SizedDim d : whole.ins()) {
    std::span<const uint64_t> all = whole.bases(d.dim), part = divisor.bases(d.dim);
    size_t partAt = divisorIsLow ? 0 : all.size() - part.size();
    for (size_t i = 0; i < all.size(); ++i) {
      if (i >= partAt && i < partAt + part.size()) {
        if ((all[i] & ~division.divisorBits) || division.toDivisor(all[i]) != part[i - partAt])
          return std::nullopt;
      } else {
        if (all[i] & division.divisorBits)
          return std::nullopt;
        bases.push_back(division.toQuotient(all[i]));
      }
    }
  }
  return LinearLayout::fromPacked(division.ins, division.outs, bases);
}

} // namespace

std::optional<LinearLayout> LinearLayout::divideLeft(const LinearLayout &a) const {
  return divide(*this, a, /*divisorIsLow=*/true);
}

std::optional<LinearLayout> LinearLayout::divideRight(const LinearLayout &a) const {
  return divide(*this, a, /*divisorIsLow=*/false);
}

//===- LinearLayoutDims.cpp - Renaming, reordering and slicing of dimensions --===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/Fields.h"
#include "tilewright/layout/LinearLayout.h"

using namespace tilewright;
using namespace tilewright::layout;

namespace {

bool contains(std::span<const Dim> list, Dim dim) {
  return std::find(list.begin(), list.end(), dim) != list.end();
}

} // namespace

LinearLayout LinearLayout::reshapeIns(std::span<const SizedDim> newIns) const {
  LinearLayout result = *this;
  result.inDims = DimList(newIns);
  assert(totalBits(result.inDims) == totalInBits() && "reshaping keeps the number of bits");
  return result;
}

LinearLayout LinearLayout::reshapeOuts(std::span<const SizedDim> newOuts) const {
  LinearLayout result = *this;
  result.outDims = DimList(newOuts);
  assert(totalBits(result.outDims) == outBitCount && "reshaping keeps the number of bits");
  return result;
}

LinearLayout LinearLayout::transposeIns(std::span<const Dim> order) const {
  assert(order.size() == inDims.size() && "the order names each dimension once");
  LinearLayout result;
  result.outDims = outDims;
  result.outBitCount = outBitCount;
  for (Dim dim : order) {
    assert(hasIn(dim) && !result.hasIn(dim) && "the order names each dimension once");
    result.inDims.push_back({dim, inBits(dim)});
    for (uint64_t basis : bases(dim))
      result.columns.push_back(basis);
  }
  return result;
}

LinearLayout LinearLayout::transposeOuts(std::span<const Dim> order) const {
  assert(order.size() == outDims.size() && "the order names each dimension once");
  LinearLayout result = *this;
  result.outDims.clear();
  for (Dim dim : order) {
    assert(hasOut(dim) && !result.hasOut(dim) && "the order names each dimension once");
    result.outDims.push_back({dim, outBits(dim)});
  }
  BitFieldPermutation repack = repacking(outs(), result.outs());
  for (uint64_t &basis : result.columns)
    basis = repack(basis);
  return result;
}

LinearLayout LinearLayout::renameIn(Dim from, Dim to) const {
  assert(hasIn(from) && (from == to || !hasIn(to)) && "the new name is taken or the old unknown");
  LinearLayout result = *this;
  result.inDims[static_cast<size_t>(findDim(inDims, from))].dim = to;
  return result;
}

LinearLayout LinearLayout::renameOut(Dim from, Dim to) const {
  assert(hasOut(from) && (from == to || !hasOut(to)) && "the new name is taken or the old unknown");
  LinearLayout result = *this;
  result.outDims[static_cast<size_t>(findDim(outDims, from))].dim = to;
  return result;
}

LinearLayout LinearLayout::sublayout(std::span<const Dim> ins, std::span<const Dim> outs) const {
  LinearLayout result;
  for (SizedDim d : outDims)
    if (contains(outs, d.dim)) {
      result.outDims.push_back(d);
      result.outBitCount += d.bits;
    }
  BitFieldPermutation repack = repacking(this->outs(), result.outs());
  for (SizedDim d : inDims)
    if (contains(ins, d.dim)) {
      result.inDims.push_back(d);
      for (uint64_t basis : bases(d.dim))
        result.columns.push_back(repack(basis));
    }
  return result;
}

bool LinearLayout::sublayoutIsZero(std::span<const Dim> ins, std::span<const Dim> outs) const {
  uint64_t mask = 0;
  for (Dim dim : outs)
    mask |= outMask(dim);
  for (Dim dim : ins)
    for (uint64_t basis : bases(dim))
      if (basis & mask)
        return false;
  return true;
}

LinearLayout LinearLayout::resizeIn(Dim dim, uint64_t size) const {
  DimList ins = inDims;
  int at = findDim(ins, dim);
  if (at < 0) {
    at = static_cast<int>(ins.size());
    ins.push_back({dim, 0});
  }
  ins[static_cast<size_t>(at)].bits = bitsOf(size);
  LinearLayout result;
  result.inDims = ins;
  result.outDims = outDims;
  result.outBitCount = outBitCount;
  for (SizedDim d : ins)
    for (unsigned i = 0; i < d.bits; ++i)
      result.columns.push_back(i < inBits(d.dim) ? basis(d.dim, i) : 0);
  return result;
}

LinearLayout LinearLayout::resizeOut(Dim dim, uint64_t size) const {
  LinearLayout result = *this;
  int at = findDim(outDims, dim);
  if (at < 0) {
    at = static_cast<int>(outDims.size());
    result.outDims.push_back({dim, 0});
  }
  result.outDims[static_cast<size_t>(at)].bits = bitsOf(size);
  result.outBitCount = totalBits(result.outDims);
  assert(result.outBitCount <= MaxBits && "more output bits than a word has");
  BitFieldPermutation repack = repacking(outs(), result.outs());
  for (uint64_t &basis : result.columns)
    basis = repack(basis);
  return result;
}

LinearLayout LinearLayout::removeZeroBasesAlong(Dim in) const {
  uint64_t mask = 0;
  std::span<const uint64_t> all = bases(in);
  for (size_t i = 0; i < all.size(); ++i)
    if (!all[i])
      mask |= uint64_t(1) << i;
  return removeInBits(in, mask);
}

LinearLayout LinearLayout::removeInBits(Dim in, uint64_t mask) const {
  LinearLayout result;
  result.outDims = outDims;
  result.outBitCount = outBitCount;
  for (SizedDim d : inDims) {
    size_t before = result.columns.size();
    for (unsigned i = 0; i < d.bits; ++i)
      if (!(d.dim == in && (mask >> i & 1)))
        result.columns.push_back(basis(d.dim, i));
    result.inDims.push_back({d.dim, static_cast<unsigned>(result.columns.size() - before)});
  }
  return result;
}

LinearLayout LinearLayout::permuteInBits(Dim in, std::span<const unsigned> order) const {
  assert(order.size() == inBits(in) && "the order names each bit once");
  LinearLayout result = *this;
  unsigned shift = inShift(in);
  for (size_t i = 0; i < order.size(); ++i)
    result.columns[shift + i] = columns[shift + order[i]];
  return result;
}

LinearLayout LinearLayout::dropIn(Dim dim) const {
  FixedVector<Dim, MaxDims> keptIns, keptOuts;
  for (SizedDim d : inDims)
    if (d.dim != dim)
      keptIns.push_back(d.dim);
  for (SizedDim d : outDims)
    keptOuts.push_back(d.dim);
  return sublayout(keptIns, keptOuts);
}

LinearLayout LinearLayout::dropOut(Dim dim) const {
  FixedVector<Dim, MaxDims> keptIns, keptOuts;
  for (SizedDim d : inDims)
    keptIns.push_back(d.dim);
  for (SizedDim d : outDims)
    if (d.dim != dim)
      keptOuts.push_back(d.dim);
  return sublayout(keptIns, keptOuts);
}

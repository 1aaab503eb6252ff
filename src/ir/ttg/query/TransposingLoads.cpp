//===- TransposingLoads.cpp - Loads after which lanes exchange elements -------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "ir/ttg/query/TransposingLoads.h"

#include "ir/ttg/encoding/Inference.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using layout::LinearLayout;
using target::AccessForm;
using target::CopyAtom;
namespace dims = layout::dims;

const CopyAtom *ttg::findTransposingLoad(const target::Target &target, unsigned bits) {
  const auto loads =
      target::copiesBetween(target.copies(), target::Space::Global, target::Space::Registers);
  for (const CopyAtom &atom : target::warpCopiesOf(loads))
    if (atom.elementBits == bits &&
        bits << atom.form(bits / 8)->registerBits == target::laneCopiesOf(loads).back().bits())
      return &atom;
  return nullptr;
}

Attribute ttg::getTransposedLayout(RankedTensorType type, const CopyAtom &atom) {
  const AccessForm &form = *atom.form(atom.elementBits / 8);
  const LinearLayout map = toLinearLayout(type);
  const auto registers = map.bases(dims::Register), lanes = map.bases(dims::Lane);
  if (registers.size() < form.contiguous.size() || lanes.size() != form.addressed.size())
    return {};
  const bool areNeighbors =
      llvm::any_of(llvm::seq<int64_t>(0, type.getRank()), [&](int64_t number) {
        const auto dim = layout::Dim::tensor(number);
        return beginAlike(map, dims::Register,
                          LinearLayout::identity1D(map.outSize(dim), dims::Register, dim),
                          dims::Register, form.contiguous.size());
      });
  if (!areNeighbors)
    return {};
  std::vector<uint64_t> bases(map.bases().begin(), map.bases().end());
  auto set = [&](AccessForm::ThreadBit bit, uint64_t basis) {
    const auto own = bit.isLane ? lanes : registers;
    bases[own.data() - map.bases().data() + bit.bit] = basis;
  };
  for (auto [i, bit] : llvm::enumerate(form.contiguous))
    set(bit, registers[i]);
  for (auto [i, bit] : llvm::enumerate(form.addressed))
    set(bit, lanes[i]);
  return encodingOf(type.getContext(),
                    LinearLayout::fromPacked(LinearLayout::DimList(map.ins()),
                                             LinearLayout::DimList(map.outs()), bases));
}

bool ttg::beginAlike(const LinearLayout &map, layout::Dim dim, const LinearLayout &other,
                     layout::Dim otherDim, unsigned bits) {
  const auto bases = map.bases(dim), others = other.bases(otherDim);
  if (bases.size() < bits || others.size() < bits)
    return false;
  auto valueOf = [](const LinearLayout &of, uint64_t basis, layout::Dim out) -> uint64_t {
    return of.hasOut(out) ? of.outValue(basis, out) : 0;
  };
  for (unsigned i = 0; i < bits; ++i)
    for (const layout::SizedDim &out : map.outs())
      if (map.outValue(bases[i], out.dim) != valueOf(other, others[i], out.dim))
        return false;
  return true;
}

/// Whether lanes that are masked off get zero, or whatever the load gives.
static bool givesZeroElsewhere(tt::LoadOp load) {
  return !load.getOther() || matchPattern(load.getOther(), m_Zero()) ||
         matchPattern(load.getOther(), m_AnyZeroFloat());
}

/// Whether nothing but a store takes what `load` gives, and it loads in the usual way.
static bool mayTranspose(tt::LoadOp load) {
  return load->hasOneUse() && !load.getIsVolatile() && givesZeroElsewhere(load) &&
         load.getCache() == tt::CacheModifier::NONE &&
         load.getEvict() == tt::EvictionPolicy::NORMAL;
}

Attribute ttg::findTransposedStore(LocalStoreOp store, unsigned elements,
                                   const target::Target &target) {
  auto load = store.getSrc().getDefiningOp<tt::LoadOp>();
  if (!load || !mayTranspose(load))
    return {};
  auto type = cast<RankedTensorType>(load.getType());
  const CopyAtom *atom = findTransposingLoad(target, tt::getStorageBits(type.getElementType()));
  if (!atom)
    return {};
  const AccessForm &form = *atom->form(atom->elementBits / 8);
  if (elements != 1u << form.contiguous.size())
    return {};
  Attribute transposed = getTransposedLayout(type, *atom);
  if (!transposed)
    return {};
  const LinearLayout memory = store.getDst().getType().toLinearLayout(),
                     map = toLinearLayout(
                         RankedTensorType::get(type.getShape(), type.getElementType(), transposed));
  return beginAlike(map, dims::Register, memory, dims::Offset, form.registerBits) ? transposed
                                                                                  : Attribute();
}

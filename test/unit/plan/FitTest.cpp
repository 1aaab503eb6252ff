//===- FitTest.cpp - Atoms fitted to layouts, against trying all ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/shared/Fit.h"

#include "plan/block2d/BlockMessages.h"
#include "target/Target.h"
#include "test/support/RandomLayouts.h"

#include <functional>
#include <gtest/gtest.h>
#include <stdexcept>

using namespace tilewright;
using namespace tilewright::plan;

namespace {

const CopyAtom &copy(std::string_view target, std::string_view name) {
  for (const CopyAtom &atom : Target::find(target)->copies())
    if (atom.name == name)
      return atom;
  throw std::runtime_error("no atom " + std::string(name));
}

/// A layout of 32 lanes whose registers and lanes move these elements.
LayoutBases sideOf(const F2Vectors &registers, const F2Vectors &lanes, unsigned bits) {
  F2Vectors bases = registers;
  for (uint64_t lane : lanes)
    bases.push_back(lane);
  LinearLayout layout =
      LinearLayout::fromPacked({SizedDim{dims::Register, static_cast<unsigned>(registers.size())},
                                SizedDim{dims::Lane, static_cast<unsigned>(lanes.size())}},
                               {SizedDim{dims::Dim0, bits}}, bases);
  return layoutBasesOf(layout, layout);
}

// The example of Fit.h: v0, v1, v2 are elements 1, 2, 4; a to d are 8 to 64.
TEST(Fit, MatricesInLayouts) {
  const F2Vectors low = {1, 2, 4};
  LayoutBases rows = sideOf({1, 8}, {2, 4, 16, 32, 64}, 7);
  LayoutBases columns = sideOf({8, 64}, {16, 32, 1, 2, 4}, 7);
  const CopyAtom &plain = copy("cuda:90", "ldmatrix"), &trans = copy("cuda:90", "ldmatrix.trans");

  std::optional<AccessShape> shape = fit(FitSide(rows), plain, 2, {low});
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->registers, F2Vectors{1});
  EXPECT_EQ(addressedElements(rows, *shape), (F2Vectors{16, 32, 64}));
  EXPECT_FALSE(fit(FitSide(rows), trans, 2, {low}));

  shape = fit(FitSide(columns), trans, 2, {low});
  ASSERT_TRUE(shape);
  // The lowest register that is left is the row's lowest bit.
  EXPECT_EQ(shape->registers, F2Vectors{8});
  EXPECT_EQ(addressedElements(columns, *shape), (F2Vectors{8, 16, 32}));
  EXPECT_FALSE(fit(FitSide(columns), plain, 2, {low}));
  // Elements of a byte: pairs of them would have to be in registers.
  EXPECT_FALSE(fit(FitSide(columns), trans, 1, {low}));
}

TEST(Fit, RegistersInAnyOrderAndSums) {
  const F2Vectors low = {1, 2};
  const CopyAtom &vector = copy("cuda:90", "ld.shared.b32");
  F2Vectors lanes = {4, 8, 16, 32, 64};
  EXPECT_TRUE(fit(FitSide(sideOf({2, 1}, lanes, 7)), vector, 1, {low}));
  EXPECT_TRUE(fit(FitSide(sideOf({3, 1}, lanes, 7)), vector, 1, {low}));
  EXPECT_FALSE(fit(FitSide(sideOf({6, 1}, {2, 8, 16, 32, 64}, 7)), vector, 1, {low}));
}

TEST(Fit, SaysWhatIsInTheWay) {
  // Two elements in a register, four lanes in a row; rows of the other lanes are anywhere.
  const AccessForm &form = *copy("cuda:90", "ldmatrix").form(2);
  const F2Vectors low = {1, 2, 4};
  Misfit misfit;
  auto sideFits = [&](F2Vectors registers, F2Vectors lanes) {
    LayoutBases side = sideOf(registers, lanes, 7);
    return fit(FitSide(side), form, {low}, &misfit).has_value();
  };
  EXPECT_TRUE(sideFits({1}, {2, 4, 8, 16, 32}));
  EXPECT_FALSE(sideFits({1}, {2, 8, 4, 16, 32}));
  EXPECT_EQ(misfit.lanes, 1u);
  EXPECT_FALSE(misfit.element);
  EXPECT_FALSE(sideFits({64}, {2, 4, 8, 16, 32}));
  EXPECT_EQ(misfit.lanes, 5u);
  EXPECT_EQ(misfit.element, 1u);
}

/// Whether any choice of elements for the registers makes the atom agree with side and memory.
bool fitsByTrying(const LayoutBases &side, const AccessForm &form, const F2Vectors &low) {
  if (side.lanes.size() != form.laneBits && form.laneBits)
    return false;
  F2Vectors span{0};
  for (uint64_t v : side.registers)
    for (size_t i = 0, n = span.size(); i < n; ++i)
      span.push_back(span[i] ^ v);
  std::vector<uint64_t> chosen(form.registerBits);
  std::function<bool(unsigned)> choose = [&](unsigned bit) {
    if (bit < form.registerBits) {
      for (uint64_t v : span) {
        chosen[bit] = v;
        if (choose(bit + 1))
          return true;
      }
      return false;
    }
    F2Basis taken;
    for (uint64_t v : chosen)
      if (!taken.insert(v).vector)
        return false;
    for (size_t i = 0; i < form.contiguous.size(); ++i) {
      AccessForm::ThreadBit at = form.contiguous[i];
      if ((at.isLane ? side.lanes[at.bit] : chosen[at.bit]) != low[i])
        return false;
      if (at.isLane && !taken.insert(low[i]).vector)
        return false;
    }
    return true;
  };
  return choose(0);
}

TEST(Fit, AgainstTryingAll) {
  RandomLayouts random(21);
  unsigned fitted = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    const unsigned registers = 1 + random.below(3), bits = 5 + registers;
    const std::vector<uint64_t> basis = random.basis(bits);
    F2Vectors own, lanes, low;
    for (unsigned k = 0; k < bits; ++k)
      (k < registers ? own : lanes).push_back(basis[k]);
    // Lowest bits that often are what the layout has in the atoms' places.
    const unsigned bytes = 1u << random.below(3);
    for (const CopyAtom &atom : Target::find("cuda:90")->copies()) {
      const AccessForm *form =
          atom.isBetween(Space::Global, Space::Shared) ? nullptr : atom.form(bytes);
      if (!form)
        continue;
      low.clear();
      for (AccessForm::ThreadBit bit : form->contiguous)
        low.push_back(!random.below(8) ? basis[random.below(bits)]
                      : bit.isLane     ? lanes[bit.bit]
                                       : own[bit.bit % registers] ^ own[random.below(registers)]);
      LayoutBases side = sideOf(own, lanes, bits);
      std::optional<AccessShape> shape = fit(FitSide(side), atom, bytes, {low});
      ASSERT_EQ(shape.has_value(), fitsByTrying(side, *form, low)) << atom.name;
      fitted += shape.has_value();
      // What it says is so: a register bit of the form moves an element of the registers' span,
      // and positions and places agree.
      if (shape) {
        for (size_t k = 0; k < low.size(); ++k) {
          AccessForm::ThreadBit at = form->contiguous[k];
          EXPECT_EQ(at.isLane ? lanes[at.bit] : shape->registers[at.bit], low[k]);
        }
        for (uint64_t v : shape->registers)
          EXPECT_TRUE(F2Basis(own).contains(v));
      }
    }
  }
  EXPECT_GT(fitted, 2000u);
}

/// The layout of a sub-group that has just the atom's elements, in registers shuffled by
/// `random`; two lanes change places if `isBroken`.
LinearLayout layoutOf(const CopyAtom &atom, RandomLayouts &random, bool isBroken) {
  const LinearLayout &map = atom.registers().map;
  F2Vectors registers(map.bases(dims::Register)), lanes(map.bases(dims::Lane));
  for (size_t i = registers.size(); i-- > 1;)
    std::swap(registers[i], registers[random.below(static_cast<unsigned>(i + 1))]);
  if (isBroken)
    std::swap(lanes[0], lanes[3]);
  for (uint64_t lane : lanes)
    registers.push_back(lane);
  return LinearLayout::fromPacked({SizedDim{dims::Register, map.inBits(dims::Register)},
                                   SizedDim{dims::Lane, map.inBits(dims::Lane)}},
                                  LinearLayout::DimList(map.outs()), registers);
}

// The planner of block messages and the question of the algebra agree: a layout with the elements
// of an atom is one message of its bytes exactly if the atom fits.
TEST(Fit, BlockMessages) {
  RandomLayouts random(22);
  const block2d::BlockMessageLimits *limits = block2d::blockMessageLimits(*Target::find("xpu:bmg"));
  ASSERT_TRUE(limits);
  unsigned atoms = 0;
  for (const CopyAtom &atom : Target::find("xpu:bmg")->copies()) {
    if (atom.issuer != Issuer::Warp)
      continue;
    SCOPED_TRACE(atom.name);
    ++atoms;
    for (bool isBroken : {false, true}) {
      LinearLayout layout = layoutOf(atom, random, isBroken);
      F2Vectors row, pitch;
      for (unsigned i = 0; i < layout.outBits(dims::Dim1); ++i)
        row.push_back(unit(layout.outShift(dims::Dim1) + i));
      for (unsigned i = 0; i < layout.outBits(dims::Dim0); ++i)
        pitch.push_back(unit(layout.outShift(dims::Dim0) + i));
      LayoutBases side = layoutBasesOf(layout, layout);
      EXPECT_EQ(fit(FitSide(side), atom, atom.elementBits / 8, {row, pitch}).has_value(),
                !isBroken);

      block2d::BlockMessageRequest request;
      request.layout = layout;
      request.elementBits = atom.elementBits;
      request.access = atom.isLoad() ? block2d::BlockAccess::Load : block2d::BlockAccess::Store;
      request.limits = *limits;
      request.wordBits = atom.name.ends_with(".vnni") ? 32 : 0;
      Result<block2d::BlockMessagePlan> plan = block2d::planBlockMessages(request);
      ASSERT_TRUE(plan) << plan.error();
      const bool isOne = plan->hasMessages() && plan->messageCount() == 1;
      EXPECT_EQ(isOne, !isBroken);
      if (isOne)
        EXPECT_EQ(plan->message.bytes() * 8, atom.bits()) << plan->message.toString();
    }
  }
  // Loads by rows, in VNNI form and transposed; stores.
  EXPECT_EQ(atoms, 9u + 6 + 2 + 4);
}

} // namespace

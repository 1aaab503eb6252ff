//===- ProductBuilderTest.cpp - Products as ops of their units ----------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "transform/matrix/ProductBuilder.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::transform;
using target::Issuer;
using target::Space;

namespace {

constexpr Space R = Space::Registers, S = Space::Shared, T = Space::TensorMemory;

TEST(ProductForm, HasAnOpForEachAtomOfEachTarget) {
  for (const target::Target &target : target::Target::all())
    for (const target::MmaAtom &atom : target.products())
      // Of a left operand in tensor memory nobody makes products yet.
      EXPECT_EQ(ProductForm(atom).hasOp(), atom.aOperand.space != target::Space::TensorMemory)
          << target.name << " " << atom.name;
}

TEST(ProductForm, HasNoOpForOtherSpaces) {
  EXPECT_FALSE(ProductForm(Issuer::Warp, S, R, R).hasOp());
  EXPECT_FALSE(ProductForm(Issuer::Warp, R, S, R).hasOp());
  EXPECT_FALSE(ProductForm(Issuer::WarpGroup, R, R, R).hasOp());
  EXPECT_FALSE(ProductForm(Issuer::WarpGroup, T, S, R).hasOp());
  EXPECT_FALSE(ProductForm(Issuer::WarpGroup, S, S, T).hasOp());
  EXPECT_FALSE(ProductForm(Issuer::Lane, R, R, R).hasOp());
}

} // namespace

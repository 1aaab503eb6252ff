//===- ProductTiling.h - Products of tiles, cut into instructions ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A product D[m, n] += A[m, k] * B[k, n] of distributed tensors is done by instructions if each
// thread holds what the instruction wants of it. An atom (target/Atom.h) says which element of its
// own small product a register of a lane holds; the layouts say which element of the tensors. The
// two agree if the bits of the atom's coordinates are bits of the tensors', one to one, for M, N
// and K each:
//
//   lanes       a lane's bit moves the tensor's coordinates by the bits that stand for those by
//               which it moves the atom's;
//   registers   for each of the atom's there is one of the tensor that holds the element.
//
// What stands for what is free otherwise: sums do not depend on the order of K, as long as A and B
// have the same. So operands whose threads hold more elements side by side than one instruction
// takes (`kWidth`) fit as well. For f16 with kWidth 4, K of the tensor has the bits k0 k1
// (register) k2 k3 (lane) k4 (register), that of the atom k0 (register) k1 k2 (lane) k3 (register):
// the atom's are the tensor's k0, k2, k3, k1, and the tensor's k4 counts the instructions.
//
// A dimension of the tensor may be shorter than the atom's along M and N: elements beyond it are
// copies, computed twice. Along K it may not: they would be added twice.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_PLAN_MATRIX_PRODUCTTILING_H
#define TILEWRIGHT_PLAN_MATRIX_PRODUCTTILING_H

#include "plan/Namespaces.h"
#include "target/Atom.h"

#include <optional>
#include <vector>

namespace tilewright::plan {

/// The layouts of the operands [M, K] and [K, N] and of the result [M, N] of a product, each with
/// the batch as a further dimension before these or without.
struct ProductLayouts {
  LinearLayout a, b, result;
};

/// The product of the transposed matrices, B^T A^T: those of the layouts of a product in which
/// threads hold columns where the atom has rows.
ProductLayouts transpose(const ProductLayouts &layouts);

struct ProductTiling {
  /// For each register of the atom's operand, the tensor's.
  using Fragment = std::vector<unsigned>;
  std::vector<Fragment> a, b, accumulators;

  /// One instruction: fragments by their numbers.
  struct Step {
    unsigned a, b, accumulator;
  };
  /// In an order in which they may be done; those with the same accumulator are not neighbours
  /// where there are several accumulators.
  std::vector<Step> steps;
};

/// The product as instructions of `atom`, whose operands are in registers and which a warp issues;
/// nothing if the layouts do not fit it.
std::optional<ProductTiling> tileProduct(const ProductLayouts &layouts, const MmaAtom &atom);

} // namespace tilewright::plan

#endif // TILEWRIGHT_PLAN_MATRIX_PRODUCTTILING_H

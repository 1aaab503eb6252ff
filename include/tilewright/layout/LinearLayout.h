//===- LinearLayout.h - Layouts as linear maps over F2 --------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Element (row, column) of a tile is held in some register of some lane of
// some warp. A layout is the map in the other direction, from a *hardware location*
// to the element that it holds. It is a function
//
//     L : (register, lane, warp, block) -> (dim0, dim1, ...)
//
// and every layout that GPU kernels use is of one simple kind: a linear one.
//
// The definition
// --------------
// All sizes are powers of two, so a location is a string of bits and so is an element's
// coordinate. Bit strings of one length are a vector space over F2, the field of the
// two numbers 0 and 1: adding is XOR (written +), multiplying is AND. L is linear if
//
//     L(0) = 0     and     L(a + b) = L(a) + L(b)      for all locations a, b.
//
// Such a map is determined by its values on the unit vectors, the locations with a single
// bit set. Their images are called the *bases* of L: one output for each input bit.
// The image of any location is the XOR of the bases of its set bits.
//
// A first table
// -------------
// Four lanes hold a 4x2 tile, two registers each: lane l has row l, register r has
// column r. Input bits: r0 of register, l0 and l1 of lane. The bases, as (dim0, dim1):
//
//     register: r0 -> (0,1)         lane: l0 -> (1,0), l1 -> (2,0)
//
//                  lane 0   lane 1   lane 2   lane 3
//     register 0   (0,0)    (1,0)    (2,0)    (3,0)
//     register 1   (0,1)    (1,1)    (2,1)    (3,1)
//
// Lane 3 is l0 + l1, so with register 1 it holds (0,1) + (1,0) + (2,0) = (3,1).
// In text: {register = [[0, 1]], lane = [[1, 0], [2, 0]]} -> {dim0 = 4, dim1 = 2}.
//
// A swizzle
// ---------
// Swizzles by XOR are linear. Take offset -> (row, column) of a 4x4 tile in
// shared memory, with bases o0 -> (0,1), o1 -> (0,2), o2 -> (1,1), o3 -> (2,2):
//
//     offset  0..3    (0,0) (0,1) (0,2) (0,3)
//     offset  4..7    (1,1) (1,0) (1,3) (1,2)
//     offset  8..11   (2,2) (2,3) (2,0) (2,1)
//     offset 12..15   (3,3) (3,2) (3,1) (3,0)
//
// Column 0 now lies at offsets 0, 5, 10, 15: in four different banks of four.
//
// Broadcast
// ---------
// A basis of zero means that the bit does not matter: both locations hold the same
// element. {lane = [[1], [0]]} -> {dim0 = 2} puts element 0 into lanes 0 and 2 and
// element 1 into lanes 1 and 3. More generally the locations that hold element 0 are
// the *kernel* of L, a vector space; each element that is held at all is held by
// exactly as many locations as the kernel has vectors.
//
// The operations
// --------------
//   product   A * B    side by side: bits of a shared dimension are concatenated, A's
//                      below B's. {register = [[1]]} * {register = [[1]]} over dim0 is
//                      {register = [[1], [2]]}: B's outputs move up past A's.
//   compose   B o A    first A, then B: (B o A)(x) = B(A(x)).
//   invert    A^-1     of a bijection: A^-1 o A = A o A^-1 = identity.
//   pseudo-inverse G   of any map: A G A = A and G A G = G. If A broadcasts, G picks
//                      one of the locations: that in which the free bits are zero.
//   conversion         D^-1 o S for layouts S and D of one tensor: the location in D of
//                      the element that a location in S holds: how data moves.
//   division  L / A    the B with L = A * B (left) or L = B * A (right), if any.
//
// How it is stored
// ----------------
// A basis is one machine word: the output dimensions' bits side by side, the first
// dimension lowest. An input is such a word too, the first input dimension lowest.
// There are at most 63 bits in either, so that every size fits a word, too. All algebra
// is XOR on words, no heap memory. "Flat" and "packed" mean such a word everywhere below.
//
// Sources: the idea of layouts as F2-linear maps is described in "Linear Layouts:
// Robust Code Generation of Efficient Tensor Computation Using F2" (Zhou et al.,
// 2025, arXiv:2505.23819). The algebra is that of any textbook on linear algebra.
// docs/layouts.md states the laws that the tests check.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_LINEARLAYOUT_H
#define TILEWRIGHT_LAYOUT_LINEARLAYOUT_H

#include "tilewright/layout/Dim.h"
#include "tilewright/support/FixedVector.h"
#include "tilewright/support/Result.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewright::layout {

/// A dimension and its size as a number of bits: it has 2^bits values.
struct SizedDim {
  Dim dim;
  unsigned bits;

  uint64_t size() const { return uint64_t(1) << bits; }
  friend bool operator==(const SizedDim &, const SizedDim &) = default;
};

/// The value of one dimension.
struct DimValue {
  Dim dim;
  uint64_t value;

  friend bool operator==(const DimValue &, const DimValue &) = default;
};

/// The bases of one input dimension, unpacked: for each of its bits, lowest first, the
/// value of each output dimension, in the order of the output dimensions.
struct InputBases {
  Dim dim;
  std::vector<std::vector<uint64_t>> bases;
};

class LinearLayout {
public:
  static constexpr unsigned MaxBits = 63;
  static constexpr unsigned MaxDims = 16;
  using DimList = FixedVector<SizedDim, MaxDims>;
  using BasisList = FixedVector<uint64_t, MaxBits>;

  //===------------------------------------------------------------------------===//
  // Construction. Sizes are powers of two.
  //===------------------------------------------------------------------------===//

  /// No dimensions at all: the neutral element of the product.
  LinearLayout() = default;

  /// x -> x, from `in` of `size` values to `out` of `size` values.
  static LinearLayout identity1D(uint64_t size, Dim in, Dim out);

  /// x -> 0, from `in` of `size` values to `out` of `outSize` values.
  static LinearLayout zeros1D(uint64_t size, Dim in, Dim out, uint64_t outSize = 1);

  /// x -> stride * x, from `in` of `size` values to `out` of `size * stride` values.
  static LinearLayout strided1D(uint64_t size, uint64_t stride, Dim in, Dim out);

  /// From bases given one by one and the sizes of the output dimensions. An error if a
  /// dimension is named twice, a size is no power of two, a basis has not one value for
  /// each output dimension or one that does not fit its size, or there are more than
  /// MaxBits bits or MaxDims dimensions on a side.
  static Result<LinearLayout> fromBases(std::span<const InputBases> bases,
                                        std::span<const std::pair<Dim, uint64_t>> outSizes);

  /// The same with each output dimension's size the smallest power of two that holds
  /// all its values.
  static Result<LinearLayout> fromBases(std::span<const InputBases> bases,
                                        std::span<const Dim> outs);

  /// From packed bases, one for each bit of `ins`; they must fit `outs`.
  static LinearLayout fromPacked(const DimList &ins, const DimList &outs,
                                 std::span<const uint64_t> bases);

  //===------------------------------------------------------------------------===//
  // Dimensions and bases.
  //===------------------------------------------------------------------------===//

  std::span<const SizedDim> ins() const { return {inDims.data(), inDims.size()}; }
  std::span<const SizedDim> outs() const { return {outDims.data(), outDims.size()}; }
  bool hasIn(Dim dim) const { return findDim(inDims, dim) >= 0; }
  bool hasOut(Dim dim) const { return findDim(outDims, dim) >= 0; }

  /// Number of bits, and of values, of a dimension. One that the layout does not have
  /// has no bits: size 1.
  unsigned inBits(Dim dim) const;
  unsigned outBits(Dim dim) const;
  uint64_t inSize(Dim dim) const { return uint64_t(1) << inBits(dim); }
  uint64_t outSize(Dim dim) const { return uint64_t(1) << outBits(dim); }
  unsigned totalInBits() const { return static_cast<unsigned>(columns.size()); }
  unsigned totalOutBits() const { return outBitCount; }

  /// The lowest bit of a dimension in a flat input or output.
  unsigned inShift(Dim dim) const;
  unsigned outShift(Dim dim) const;
  /// The bits of a dimension in a flat output; 0 for one it does not have.
  uint64_t outMask(Dim dim) const;

  /// All bases, packed, in the order of the input bits.
  std::span<const uint64_t> bases() const [[clang::lifetimebound]] {
    return {columns.data(), columns.size()};
  }
  /// The bases of one input dimension, packed; none for a dimension it does not have.
  std::span<const uint64_t> bases(Dim in) const [[clang::lifetimebound]];
  /// The packed basis of bit `bit` of `in`, or its value in the one dimension `out`.
  uint64_t basis(Dim in, unsigned bit) const { return bases(in)[bit]; }
  uint64_t basis(Dim in, unsigned bit, Dim out) const;

  /// Equal: the same dimensions in the same order, the same sizes, the same bases.
  friend bool operator==(const LinearLayout &, const LinearLayout &);
  /// Equal but for the order of the dimensions.
  bool sameMapAs(const LinearLayout &other) const;

  //===------------------------------------------------------------------------===//
  // Application.
  //===------------------------------------------------------------------------===//

  /// The packed output of a flat input.
  uint64_t applyFlat(uint64_t input) const;

  /// The outputs, in the order of outs(). An input dimension that is not given is 0;
  /// one that the layout does not have must be given as 0 if at all.
  std::vector<DimValue> apply(std::span<const DimValue> inputs) const;
  std::vector<DimValue> apply(std::initializer_list<DimValue> inputs) const {
    return apply(std::span<const DimValue>(inputs.begin(), inputs.size()));
  }

  /// Packs and unpacks: values to a flat input, a packed output to its values.
  uint64_t packInput(std::span<const DimValue> inputs) const;
  std::vector<DimValue> unpackInput(uint64_t input) const;
  std::vector<DimValue> unpackOutput(uint64_t output) const;
  /// The value of one dimension within a flat input or output; 0 if it has no such one.
  uint64_t inValue(uint64_t input, Dim dim) const;
  uint64_t outValue(uint64_t output, Dim dim) const;

  //===------------------------------------------------------------------------===//
  // Properties.
  //===------------------------------------------------------------------------===//

  /// The dimension of the image: of 2^totalOutBits outputs 2^rank are reached.
  unsigned rank() const;
  bool isSurjective() const { return rank() == totalOutBits(); }
  bool isInjective() const { return rank() == totalInBits(); }
  bool isInvertible() const { return isSurjective() && isInjective(); }
  /// All bases are zero.
  bool isZero() const;
  /// A basis of the kernel {x : L(x) = 0} as flat inputs. Each has exactly one of the
  /// free bits (see below) set, in increasing order.
  BasisList kernelBasis() const;
  /// A basis of the image, as packed outputs: the bases of the bits that are not free.
  BasisList imageBasis() const;

  /// The free bits as a mask of a flat input: going up from bit 0, each bit whose basis
  /// is a sum of those before it. Every output that is reached is reached by exactly
  /// one input whose free bits are zero, the *canonical* one. Where data is broadcast,
  /// storing from the canonical locations alone stores each element once.
  uint64_t freeMask() const;
  /// The free bits of each input dimension, in the order of ins().
  std::vector<DimValue> freeVariableMasks() const;

  /// The largest power of two n such that the first n values of the first input
  /// dimension are n consecutive packed outputs, aligned to n, for any value of the
  /// other bits: what one vector access can take. 1 if there are no dimensions.
  uint64_t getNumConsecutiveInOut() const;

  //===------------------------------------------------------------------------===//
  // Algebra.
  //===------------------------------------------------------------------------===//

  /// The product: dimensions of `a`, then those that only `b` has. In a shared input
  /// dimension b's bits follow a's; in a shared output dimension b's values are
  /// multiplied by a's size. The sum of bits must not exceed MaxBits.
  friend LinearLayout operator*(const LinearLayout &a, const LinearLayout &b);
  LinearLayout &operator*=(const LinearLayout &b) { return *this = *this * b; }

  /// outer o this. The input dimensions of `outer` are the output dimensions of this
  /// one, in any order, and at least as large.
  LinearLayout compose(const LinearLayout &outer) const;

  /// The inverse of an invertible layout.
  LinearLayout invert() const;

  /// The pseudo-inverse G: L G L = L, G L G = G. On an output that is reached it gives
  /// the canonical input. Outputs that are not reached are first projected onto the
  /// image along the output bits that are no pivots of the elimination.
  LinearLayout pseudoInvert() const;

  /// dst^-1 o this: from inputs of this layout to inputs of `dst` such that
  /// dst(result(x)) = this(x). Both have the same output dimensions (in any order) and
  /// sizes, and each output that this one reaches is reached by `dst`. Where `dst`
  /// broadcasts, the result is its canonical input.
  LinearLayout invertAndCompose(const LinearLayout &dst) const;
  /// Whether every output that this layout reaches is reached by `other`, and the
  /// output dimensions are the same but for order.
  bool imageWithin(const LinearLayout &other) const;

  /// The B with *this = a * B, or nothing. B has all dimensions of this layout, some
  /// of them perhaps of size 1, so a * B equals this one but for the order of
  /// dimensions. All dimensions of `a` must be dimensions of this layout.
  std::optional<LinearLayout> divideLeft(const LinearLayout &a) const;
  /// The same with *this = B * a.
  std::optional<LinearLayout> divideRight(const LinearLayout &a) const;

  /// The sum of two layouts with the same dimensions: x -> a(x) + b(x).
  friend LinearLayout operator+(const LinearLayout &a, const LinearLayout &b);

  //===------------------------------------------------------------------------===//
  // Renaming, reordering and slicing of dimensions.
  //===------------------------------------------------------------------------===//

  /// The same bits under other dimensions: the flat input (or output) is cut anew, the
  /// first dimension lowest. The number of bits stays the same.
  LinearLayout reshapeIns(std::span<const SizedDim> newIns) const;
  LinearLayout reshapeOuts(std::span<const SizedDim> newOuts) const;
  LinearLayout reshapeIns(std::initializer_list<SizedDim> newIns) const {
    return reshapeIns(std::span<const SizedDim>(newIns.begin(), newIns.size()));
  }
  LinearLayout reshapeOuts(std::initializer_list<SizedDim> newOuts) const {
    return reshapeOuts(std::span<const SizedDim>(newOuts.begin(), newOuts.size()));
  }
  /// All inputs (or outputs) as one dimension, which is named `dim`.
  LinearLayout flattenIns(Dim dim) const { return reshapeIns({{dim, totalInBits()}}); }
  LinearLayout flattenOuts(Dim dim) const { return reshapeOuts({{dim, totalOutBits()}}); }

  /// The dimensions in another order, which names each exactly once.
  LinearLayout transposeIns(std::span<const Dim> order) const;
  LinearLayout transposeOuts(std::span<const Dim> order) const;
  LinearLayout transposeIns(std::initializer_list<Dim> order) const {
    return transposeIns(std::span<const Dim>(order.begin(), order.size()));
  }
  LinearLayout transposeOuts(std::initializer_list<Dim> order) const {
    return transposeOuts(std::span<const Dim>(order.begin(), order.size()));
  }

  /// One dimension under another name, which no other has.
  LinearLayout renameIn(Dim from, Dim to) const;
  LinearLayout renameOut(Dim from, Dim to) const;

  /// The map from these inputs (the others 0) to these outputs (the others ignored).
  /// Names that the layout does not have are ignored; the order is the layout's.
  LinearLayout sublayout(std::span<const Dim> ins, std::span<const Dim> outs) const;
  LinearLayout sublayout(std::initializer_list<Dim> ins, std::initializer_list<Dim> outs) const {
    return sublayout(std::span<const Dim>(ins.begin(), ins.size()),
                     std::span<const Dim>(outs.begin(), outs.size()));
  }
  /// Whether these inputs never change these outputs.
  bool sublayoutIsZero(std::span<const Dim> ins, std::span<const Dim> outs) const;
  bool sublayoutIsZero(std::initializer_list<Dim> ins, std::initializer_list<Dim> outs) const {
    return sublayoutIsZero(std::span<const Dim>(ins.begin(), ins.size()),
                           std::span<const Dim>(outs.begin(), outs.size()));
  }

  /// Input `dim` with `size` values: bits above are dropped, missing ones are added
  /// with a basis of zero. A dimension that is missing is added as the last.
  LinearLayout resizeIn(Dim dim, uint64_t size) const;
  /// Output `dim` with `size` values: bits above are dropped from every basis (values
  /// wrap around). A dimension that is missing is added as the last.
  LinearLayout resizeOut(Dim dim, uint64_t size) const;

  /// Without the bits of `in` whose basis is zero; `in` shrinks accordingly.
  LinearLayout removeZeroBasesAlong(Dim in) const;
  /// Without those bits of `in` that `mask` has set (bit i of the mask: bit i of `in`).
  LinearLayout removeInBits(Dim in, uint64_t mask) const;
  /// Input `in` with its bits reordered: bit i of the result is bit order[i] of `in`.
  LinearLayout permuteInBits(Dim in, std::span<const unsigned> order) const;
  /// Without input (or output) dimension `dim`: as if it were 0 (as if not looked at).
  LinearLayout dropIn(Dim dim) const;
  LinearLayout dropOut(Dim dim) const;

  //===------------------------------------------------------------------------===//
  // Text.
  //===------------------------------------------------------------------------===//

  /// {register = [[0, 1]], lane = [[1, 0], [2, 0]]} -> {dim0 = 4, dim1 = 2}
  std::string toString() const;
  /// Reads what toString writes; blanks do not matter. The error names the column.
  static Result<LinearLayout> parse(std::string_view text);
  /// {"in": {"register": 2, "lane": 4}, "out": {"dim0": 4, "dim1": 2},
  ///  "bases": {"register": [[0, 1]], "lane": [[1, 0], [2, 0]]}}, in one line.
  std::string toJson() const;

private:
  static int findDim(const DimList &list, Dim dim) {
    for (size_t i = 0; i < list.size(); ++i)
      if (list[i].dim == dim)
        return static_cast<int>(i);
    return -1;
  }

  DimList inDims;
  DimList outDims;
  /// One packed output a bit of the flat input.
  BasisList columns;
  unsigned outBitCount = 0;
};

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_LINEARLAYOUT_H

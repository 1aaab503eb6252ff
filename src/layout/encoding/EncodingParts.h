//===- EncodingParts.h - Helpers to build encodings' maps -----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The pieces that the maps of encodings, the vendors' included, have in common. For
// those who define encodings; those who use them need only Encodings.h.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_ENCODING_ENCODINGPARTS_H
#define TILEWRIGHT_LAYOUT_ENCODING_ENCODINGPARTS_H

#include "layout/encoding/Encodings.h"
#include "support/Bits.h"

#include <functional>

namespace tilewright::layout {

// Together these keep every map within LinearLayout::MaxBits: a tile repeated over a
// tensor has at most the bits of both.
constexpr unsigned MaxTensorBits = 30;
constexpr unsigned MaxTileBits = 26;
constexpr unsigned MaxClusterBits = 6;

/// dim0, dim1, ...
std::vector<Dim> standardDims(unsigned rank);

/// rank - 1, rank - 2, ..., 0: the last dimension is the fastest.
std::vector<unsigned> rowMajorOrder(unsigned rank);

/// The identity from `in` to a tile of this shape, counting along order[0] first.
LinearLayout identityND(Dim in, std::span<const unsigned> shape, std::span<const unsigned> order);

/// The same, but whoever counts along dimension `shared` gets the same: that output has
/// size 1.
LinearLayout identitySharedAlong(unsigned shared, Dim in, std::span<const unsigned> shape,
                                 std::span<const unsigned> order);

/// A distributed layout from the tile of one block: spread over the cluster's blocks,
/// within each of them repeated (in registers, dimension order[0] first) or wrapped.
LinearLayout coverTensor(const LinearLayout &tile, std::span<const unsigned> order,
                         const ClusterBases &cluster, std::span<const int64_t> shape);

/// The cluster for an operand of a matrix product whose result has the cluster `parent`:
/// blocks that differ along the operand's contracted dimension `contracted` hold the same.
ClusterBases operandCluster(const ClusterBases &parent, unsigned contracted);

/// The dimension of an operand of a matrix product that is summed over: the last of the
/// left one (opIdx 0), the last but one of the right one.
inline unsigned contractedDim(unsigned opIdx, unsigned rank) { return rank - 1 - opIdx; }

/// The dimensions of such an operand in the order in which instructions are repeated over it: the
/// contracted one, the other one, and the batch if there is one.
std::vector<unsigned> operandOrder(unsigned opIdx, unsigned rank);

/// Shared memory of one block's part, row by row along order[0], order[1] numbering the rows: where
/// row r has column c XOR columnXor(r), modulo the columns, at its place c. Spread over the
/// cluster's blocks. `columnXor` is linear; what is asked of it are powers of two.
LinearLayout swizzledRows(std::span<const unsigned> order, const ClusterBases &cluster,
                          std::span<const int64_t> shape,
                          const std::function<uint64_t(uint64_t row)> &columnXor);

/// The map with these bases; the sizes of its `rank` outputs are what they span. Fails
/// if a basis has not `rank` values or the whole is too large for a map.
Result<LinearLayout> literalMap(std::initializer_list<std::pair<Dim, const LiteralBases *>> inputs,
                                unsigned rank);

/// `list` has `rank` entries, all powers of two; their bits are added to `bits`. What is
/// wrong is said of `name`.
Result<void> verifyPowersOfTwo(const char *name, std::span<const unsigned> list, unsigned rank,
                               unsigned &bits);

/// "[1, 16, 8]", for errors.
std::string listText(std::span<const unsigned> list);

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_ENCODING_ENCODINGPARTS_H

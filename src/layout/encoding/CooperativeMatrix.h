//===- CooperativeMatrix.h - Cooperative matrices of a sub-group ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A cooperative matrix of M rows and N columns is held by the S lanes of a sub-group in equal
// shares: each lane has a vector of V components. M and S are powers of two; N is any number,
// so the shares may be filled up with padding, which is 0.
//
// From the matrix to the tensor A*
// --------------------------------
// Rows come in K parts of I, columns are filled up to J of them:
//
//     I = min(M, S)        K = M / I = K1 * K2        J = ceil(I * N / S) * S / I
//
// The row is i + k1 * I + k2 * I * K1, the column j. A* has the shape (I, K1, J, K2) and is 0
// where j >= N. Its elements are numbered, i fastest,
//
//     L(i, k1, j, k2) = i + k1 * I + j * I * K1 + k2 * I * K1 * J,
//
// and number p + v * S is component v of lane p: V = I * K * J / S of them a lane.
//
// K1 is 1, but for matrix_b with M > S, where it is omega = max(1, 2 / bytes of an element):
// 2 for 8-bit elements.
//
// A first table: 4 x 15, S = 16, so I = 4, K = 1, J = 16, V = 4. A cell is row,column:
//
//     lane           0    1    2    3    4    5   ...  11    12    13    14    15
//     component 0   0,0  1,0  2,0  3,0  0,1  1,1  ...  3,2   0,3   1,3   2,3   3,3
//     component 1   0,4  1,4  2,4  3,4  0,5  1,5  ...  3,6   0,7   1,7   2,7   3,7
//     component 2   0,8  1,8  2,8  3,8  0,9  1,9  ...  3,10  0,11  1,11  2,11  3,11
//     component 3   0,12 1,12 2,12 3,12 0,13 1,13 ...  3,14   -     -     -     -
//
// Packing: the tensor A**
// -----------------------
// Where an element of matrix_a has less than 4 bytes and N is a multiple of
// omega = 4 / bytes of an element, omega neighbours of a row are the channels of one 32-bit
// entry, the first in its lowest bits (VNNI: what a systolic array reads). The entries are those
// of the tensor A** of shape (omega, I, K1, ceil(J / omega), K2),
//
//     A**(c, i, k1, j, k2) = A*(i, k1, c + j * omega, k2),
//
// numbered and shared out to the lanes as the elements of A* are, number p + e * S being entry e
// of lane p. With M >= S, channel c of entry e is component c + e * omega of the same lane.
// With M < S a lane's entries hold neighbouring columns, its components do not:
//
//     8 x 16 of 16 bits, S = 16      component v of lane p   column p / 8 + 2 * v
//                                    entry e, channel c      column 2 * (p / 8) + 4 * e + c
//
// Source: the layout of cooperative matrices in the tile language of the Tiny Tensor Compiler
// (tinytc), chapter "Coopmatrix layout" of its manual; the letters are the chapter's.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_LAYOUT_ENCODING_COOPERATIVEMATRIX_H
#define TILEWRIGHT_LAYOUT_ENCODING_COOPERATIVEMATRIX_H

#include "tilewright/layout/LinearLayout.h"
#include "tilewright/support/Result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::layout {

/// The role of a cooperative matrix in D = A * B + C; C and D are accumulators.
enum class MatrixUse { A, B, Accumulator };

/// "matrix_a", "matrix_b", "matrix_acc".
std::string_view name(MatrixUse use);
/// The use with this name, if there is one.
std::optional<MatrixUse> parseMatrixUse(std::string_view name);

class CooperativeMatrix {
public:
  /// A row and a column of the matrix.
  struct Element {
    int64_t row, column;
    friend bool operator==(const Element &, const Element &) = default;
  };
  /// A component of a lane's vector.
  struct Location {
    int64_t lane, component;
    friend bool operator==(const Location &, const Location &) = default;
  };
  /// A channel of a lane's entry. What is not packed has the one channel 0.
  struct PackedLocation {
    int64_t lane, entry, channel;
    friend bool operator==(const PackedLocation &, const PackedLocation &) = default;
  };
  /// An index of A*.
  struct TensorIndex {
    int64_t i, k1, j, k2;
    friend bool operator==(const TensorIndex &, const TensorIndex &) = default;
  };
  /// An index of A**.
  struct PackedIndex {
    int64_t c, i, k1, j, k2;
    friend bool operator==(const PackedIndex &, const PackedIndex &) = default;
  };

  /// Errors, one sentence each: rows or the sub-group's size not a power of two, no column, an
  /// element of other than 8, 16, 32, 64 or 128 bits, more than 2^30 elements with padding.
  static Result<CooperativeMatrix> create(int64_t rows, int64_t columns, unsigned elementBits,
                                          MatrixUse use, int64_t subgroupSize);
  /// Only the check of the same arguments.
  static Result<void> verify(int64_t rows, int64_t columns, unsigned elementBits, MatrixUse use,
                             int64_t subgroupSize);

  //===------------------------------------------------------------------------===//
  // The sizes, by the letters of the comment above.
  //===------------------------------------------------------------------------===//

  int64_t rows() const { return m; }
  int64_t columns() const { return n; }
  int64_t subgroupSize() const { return s; }
  unsigned elementBits() const { return bits; }
  MatrixUse use() const { return usedAs; }

  int64_t sizeI() const { return m < s ? m : s; }
  int64_t sizeJ() const { return (sizeI() * n + s - 1) / s * s / sizeI(); }
  int64_t sizeK() const { return m / sizeI(); }
  int64_t sizeK1() const { return usedAs == MatrixUse::B && m > s ? omega() : 1; }
  int64_t sizeK2() const { return sizeK() / sizeK1(); }
  /// V: components a lane.
  int64_t componentCount() const { return m * sizeJ() / s; }
  /// Operands in a channel of 32 bits for matrix_a, of 16 bits for matrix_b; 1 for matrix_acc.
  int64_t omega() const;

  /// Whether some components are padding.
  bool needsMask() const { return sizeJ() > n; }
  /// Whether neighbours of a row are packed into 32-bit entries.
  bool isPacked() const { return usedAs == MatrixUse::A && omega() > 1 && n % omega() == 0; }
  /// Channels of an entry: omega where the matrix is packed, otherwise 1.
  int64_t channelCount() const { return isPacked() ? omega() : 1; }
  /// Entries a lane: V where the matrix is not packed.
  int64_t entryCount() const;

  //===------------------------------------------------------------------------===//
  // Matrix, A*, A** and numbers. Arguments are within the shapes.
  //===------------------------------------------------------------------------===//

  TensorIndex toTensor(Element element) const;
  /// Nothing where A* is filled up.
  std::optional<Element> toElement(TensorIndex index) const;

  /// L and its inverse.
  int64_t linearize(TensorIndex index) const;
  TensorIndex delinearize(int64_t number) const;

  PackedIndex pack(TensorIndex index) const;
  TensorIndex unpack(PackedIndex index) const;

  //===------------------------------------------------------------------------===//
  // Elements and their locations.
  //===------------------------------------------------------------------------===//

  /// The element that a component of a lane holds; nothing for padding.
  std::optional<Element> element(Location location) const;
  /// The one component that holds an element.
  Location location(Element element) const;

  /// The same with entries and channels: of A** where the matrix is packed, else of A*.
  std::optional<Element> element(PackedLocation location) const;
  PackedLocation packedLocation(Element element) const;

  //===------------------------------------------------------------------------===//
  // Registers: register r of a lane is channel r % channelCount() of entry r / channelCount().
  // What it holds is the sum of two elements, of the lane and of the register. The row is one of
  // the matrix; a column from columns() on means padding.
  //===------------------------------------------------------------------------===//

  int64_t registerCount() const { return entryCount() * channelCount(); }
  /// The element in register 0 of a lane.
  Element laneElement(int64_t lane) const;
  /// The element in a register of lane 0.
  Element registerElement(int64_t reg) const;
  /// Whether a register is an element in all lanes, or in none.
  bool isWhole(int64_t reg) const;
  bool isPadding(int64_t reg) const { return registerElement(reg).column >= n; }

  struct Register {
    int64_t lane, reg;
    friend bool operator==(const Register &, const Register &) = default;
  };
  /// The register that holds an element. Of a column that is not one of the matrix only the lane
  /// has a meaning: the sums above hold for it.
  Register registerOf(Element element) const;

  /// (register, lane, warp, block) -> (dim0, dim1), register being the component and warp and
  /// block of size 1. An error with the reason where the map is not linear: a number of columns
  /// that is no power of two, or padding.
  Result<LinearLayout> toLinearLayout() const;
  /// The same with register = entry * channels + channel.
  Result<LinearLayout> toPackedLinearLayout() const;

private:
  CooperativeMatrix() = default;
  std::string whyNotLinear(const char *what) const;

  int64_t m = 1, n = 1, s = 1;
  unsigned bits = 32;
  MatrixUse usedAs = MatrixUse::Accumulator;
};

} // namespace tilewright::layout

#endif // TILEWRIGHT_LAYOUT_ENCODING_COOPERATIVEMATRIX_H

//===- CooperativeMatrix.cpp - Cooperative matrices of a sub-group ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "layout/encoding/CooperativeMatrix.h"

#include "support/Bits.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tilewright::layout {

namespace {

constexpr unsigned LogMaxElements = 30;
constexpr int64_t MaxElements = int64_t(1) << LogMaxElements;

constexpr std::pair<MatrixUse, std::string_view> UseNames[] = {
    {MatrixUse::A, "matrix_a"},
    {MatrixUse::B, "matrix_b"},
    {MatrixUse::Accumulator, "matrix_acc"},
};

/// The number of elements that fill the last lanes: 0 where M >= S.
int64_t paddingOf(int64_t rows, int64_t columns, int64_t subgroupSize) {
  int64_t rest = rows * columns % subgroupSize;
  return rest ? subgroupSize - rest : 0;
}

/// The number of an element in a box whose first dimension is the fastest.
int64_t number(std::initializer_list<std::pair<int64_t, int64_t>> indexAndSize) {
  int64_t result = 0, stride = 1;
  for (auto [index, size] : indexAndSize) {
    assert(index >= 0 && index < size && "an index outside its tensor");
    result += index * stride;
    stride *= size;
  }
  return result;
}

} // namespace

std::string_view name(MatrixUse use) {
  for (auto [value, text] : UseNames)
    if (value == use)
      return text;
  return "";
}

std::optional<MatrixUse> parseMatrixUse(std::string_view name) {
  for (auto [value, text] : UseNames)
    if (text == name)
      return value;
  return std::nullopt;
}

//===----------------------------------------------------------------------------===//
// Making one
//===----------------------------------------------------------------------------===//

Result<void> CooperativeMatrix::verify(int64_t rows, int64_t columns, unsigned elementBits,
                                       MatrixUse use, int64_t subgroupSize) {
  if (!isPowerOfTwo(rows))
    return Failure("the rows of a cooperative matrix are a power of two, not " +
                   std::to_string(rows));
  if (columns < 1)
    return Failure("a cooperative matrix has at least one column, not " + std::to_string(columns));
  if (!isPowerOfTwo(subgroupSize))
    return Failure("the size of a sub-group is a power of two, not " +
                   std::to_string(subgroupSize));
  if (elementBits < 8 || elementBits > 128 || !isPowerOfTwo(elementBits))
    return Failure("an element of a cooperative matrix has 8, 16, 32, 64 or 128 bits, not " +
                   std::to_string(elementBits));
  if (rows > MaxElements || columns > MaxElements || subgroupSize > MaxElements ||
      rows * columns > MaxElements ||
      rows * columns + paddingOf(rows, columns, subgroupSize) > MaxElements)
    return Failure("a cooperative matrix has at most 2^" + std::to_string(LogMaxElements) +
                   " elements together with its padding");
  return {};
}

Result<CooperativeMatrix> CooperativeMatrix::create(int64_t rows, int64_t columns,
                                                    unsigned elementBits, MatrixUse use,
                                                    int64_t subgroupSize) {
  if (Result<void> valid = verify(rows, columns, elementBits, use, subgroupSize); !valid)
    return Failure(valid.error());
  CooperativeMatrix matrix;
  matrix.m = rows;
  matrix.n = columns;
  matrix.s = subgroupSize;
  matrix.bits = elementBits;
  matrix.usedAs = use;
  return matrix;
}

//===----------------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------------===//

int64_t CooperativeMatrix::omega() const {
  switch (usedAs) {
  case MatrixUse::A:
    return std::max<int64_t>(1, 32 / bits);
  case MatrixUse::B:
    return std::max<int64_t>(1, 16 / bits);
  case MatrixUse::Accumulator:
    return 1;
  }
  return 1;
}

int64_t CooperativeMatrix::entryCount() const {
  // J is a multiple of omega where N is: both are multiples of the smaller of omega and S / I.
  return (m * (sizeJ() / channelCount()) + s - 1) / s;
}

//===----------------------------------------------------------------------------===//
// Matrix, A*, A** and numbers
//===----------------------------------------------------------------------------===//

CooperativeMatrix::TensorIndex CooperativeMatrix::toTensor(Element element) const {
  int64_t part = element.row / sizeI();
  return {element.row % sizeI(), part % sizeK1(), element.column, part / sizeK1()};
}

std::optional<CooperativeMatrix::Element> CooperativeMatrix::toElement(TensorIndex index) const {
  if (index.j >= n)
    return std::nullopt;
  return Element{index.i + (index.k1 + index.k2 * sizeK1()) * sizeI(), index.j};
}

int64_t CooperativeMatrix::linearize(TensorIndex index) const {
  return number(
      {{index.i, sizeI()}, {index.k1, sizeK1()}, {index.j, sizeJ()}, {index.k2, sizeK2()}});
}

CooperativeMatrix::TensorIndex CooperativeMatrix::delinearize(int64_t number) const {
  int64_t perColumn = sizeI() * sizeK1();
  return {number % sizeI(), number / sizeI() % sizeK1(), number / perColumn % sizeJ(),
          number / (perColumn * sizeJ())};
}

CooperativeMatrix::PackedIndex CooperativeMatrix::pack(TensorIndex index) const {
  int64_t channels = channelCount();
  return {index.j % channels, index.i, index.k1, index.j / channels, index.k2};
}

CooperativeMatrix::TensorIndex CooperativeMatrix::unpack(PackedIndex index) const {
  return {index.i, index.k1, index.c + index.j * channelCount(), index.k2};
}

//===----------------------------------------------------------------------------===//
// Who holds what
//===----------------------------------------------------------------------------===//

std::optional<CooperativeMatrix::Element> CooperativeMatrix::element(Location location) const {
  return toElement(delinearize(location.lane + location.component * s));
}

CooperativeMatrix::Location CooperativeMatrix::location(Element element) const {
  int64_t number = linearize(toTensor(element));
  return {number % s, number / s};
}

std::optional<CooperativeMatrix::Element>
CooperativeMatrix::element(PackedLocation location) const {
  // The entries are numbered in the tensor of packedColumns columns instead of J.
  int64_t packedColumns = sizeJ() / channelCount(), perColumn = sizeI() * sizeK1();
  int64_t number = location.lane + location.entry * s;
  if (number >= perColumn * packedColumns * sizeK2())
    return std::nullopt;
  return toElement(
      unpack({location.channel, number % sizeI(), number / sizeI() % sizeK1(),
              number / perColumn % packedColumns, number / (perColumn * packedColumns)}));
}

CooperativeMatrix::PackedLocation CooperativeMatrix::packedLocation(Element element) const {
  PackedIndex at = pack(toTensor(element));
  int64_t entry = number(
      {{at.i, sizeI()}, {at.k1, sizeK1()}, {at.j, sizeJ() / channelCount()}, {at.k2, sizeK2()}});
  return {entry % s, entry / s, at.c};
}

//===----------------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------------===//

CooperativeMatrix::Element CooperativeMatrix::laneElement(int64_t lane) const {
  return {lane % sizeI(), lane / sizeI() * channelCount()};
}

// With M >= S the lanes fill a column of I rows at each entry: k1, then j, then k2 count the
// entries. With M < S there is one k, and an entry takes the lanes through S / I columns.
CooperativeMatrix::Element CooperativeMatrix::registerElement(int64_t reg) const {
  const int64_t entry = reg / channelCount(), perPart = entryCount() / sizeK();
  const int64_t k1 = entry % sizeK1(), u = entry / sizeK1() % perPart,
                k2 = entry / (sizeK1() * perPart);
  return {(k1 + k2 * sizeK1()) * sizeI(),
          reg % channelCount() + u * (s / sizeI()) * channelCount()};
}

bool CooperativeMatrix::isWhole(int64_t reg) const {
  return registerElement(reg).column + laneElement(s - 1).column < n;
}

CooperativeMatrix::Register CooperativeMatrix::registerOf(Element element) const {
  const int64_t part = element.row / sizeI(), column = element.column / channelCount(),
                perEntry = s / sizeI(), perPart = entryCount() / sizeK();
  const int64_t entry =
      part % sizeK1() + (column / perEntry + part / sizeK1() * perPart) * sizeK1();
  return {element.row % sizeI() + column % perEntry * sizeI(),
          entry * channelCount() + element.column % channelCount()};
}

//===----------------------------------------------------------------------------===//
// As a linear map
//===----------------------------------------------------------------------------===//

std::string CooperativeMatrix::whyNotLinear(const char *what) const {
  if (!isPowerOfTwo(n))
    return "the layout of a cooperative matrix with " + std::to_string(n) +
           " columns, which is no power of two, is not a linear map";
  return "the layout of a cooperative matrix with padding is not a linear map: " +
         std::to_string(m) + "x" + std::to_string(n) + " " + what + " do not fill " +
         std::to_string(s) + " lanes";
}

namespace {

/// (register, lane, warp, block) -> (dim0, dim1) from what the locations with one bit set hold.
template <typename ElementAt>
LinearLayout layoutFromUnits(int64_t registers, int64_t lanes, int64_t rows, int64_t columns,
                             ElementAt elementAt) {
  auto bits = [](int64_t size) { return log2Of(static_cast<uint64_t>(size)); };
  LinearLayout::BasisList bases;
  auto add = [&](int64_t lane, int64_t reg) {
    auto [row, column] = elementAt(lane, reg);
    bases.push_back(static_cast<uint64_t>(row) | static_cast<uint64_t>(column) << bits(rows));
  };
  for (int64_t reg = 1; reg < registers; reg *= 2)
    add(0, reg);
  for (int64_t lane = 1; lane < lanes; lane *= 2)
    add(lane, 0);
  LinearLayout::DimList ins, outs;
  ins.push_back({dims::Register, bits(registers)});
  ins.push_back({dims::Lane, bits(lanes)});
  ins.push_back({dims::Warp, 0});
  ins.push_back({dims::Block, 0});
  outs.push_back({dims::Dim0, bits(rows)});
  outs.push_back({dims::Dim1, bits(columns)});
  return LinearLayout::fromPacked(ins, outs, bases);
}

} // namespace

// The digits (i, k1, j, k2) of a number are runs of its bits where their sizes are powers of two:
// then each bit of the number is one bit of the row or of the column. I, K1 and K2 always are; J
// is N where there is no padding.
Result<LinearLayout> CooperativeMatrix::toLinearLayout() const {
  if (!isPowerOfTwo(n) || needsMask())
    return Failure(whyNotLinear("elements"));
  return layoutFromUnits(componentCount(), s, m, n, [&](int64_t lane, int64_t component) {
    return *element(Location{lane, component});
  });
}

Result<LinearLayout> CooperativeMatrix::toPackedLinearLayout() const {
  int64_t channels = channelCount();
  if (!isPowerOfTwo(n) || m * n != s * entryCount() * channels)
    return Failure(whyNotLinear("elements in entries of 32 bits"));
  return layoutFromUnits(entryCount() * channels, s, m, n, [&](int64_t lane, int64_t component) {
    return *element(PackedLocation{lane, component / channels, component % channels});
  });
}

} // namespace tilewright::layout

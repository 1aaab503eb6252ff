//===- TensorRegisters.cpp - Builtins of Gluon: registers of tensor memory ----===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Layouts in which instructions read and write tensor memory (PTX ISA, tcgen05.ld). A variant says
// which rows and words of 32 bits the lanes and the first registers of a warp have; further
// registers have further columns, and further groups of four warps what then is highest. As
// Triton 3.6 has it.
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/gluon/Gluon.h"

#include "ir/ttng/TensorMemory.h"
#include "layout/encoding/TensorMemory.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;
using namespace tilewright::frontend;
using mlir::Attribute;
using Basis = std::vector<unsigned>;

namespace {

/// Coordinates in the tensor of the rows 1, 2, 4 .. of tensor memory, and of its words' columns.
struct Places {
  layout::LiteralBases rows, columns;
  /// The elements of a word, which are neighbours.
  layout::LiteralBases inWord;
};

/// Those of the first lanes and registers, as powers of two of rows and of words.
struct Variant {
  llvm::SmallVector<std::pair<bool, unsigned>, 5> lanes;
  llvm::SmallVector<std::pair<bool, unsigned>, 2> registers;
  unsigned words;
};

bool isZero(const Basis &basis) {
  return llvm::all_of(basis, [](unsigned x) { return x == 0; });
}

} // namespace

static std::optional<Variant> variantOf(llvm::StringRef name) {
  constexpr bool row = true, word = false;
  if (name == "16x64b")
    return Variant{{{row, 3}, {word, 0}, {row, 0}, {row, 1}, {row, 2}}, {}, 1};
  if (name == "16x128b")
    return Variant{{{word, 0}, {word, 1}, {row, 0}, {row, 1}, {row, 2}}, {{row, 3}}, 2};
  if (name == "16x256b")
    return Variant{{{word, 1}, {word, 2}, {row, 0}, {row, 1}, {row, 2}}, {{word, 0}, {row, 3}}, 3};
  return std::nullopt;
}

static Places placesOf(ttg::MemDescType type) {
  const layout::LinearLayout map = ttng::toTensorMemoryLayout(type);
  auto bases = [&](layout::Dim in) {
    layout::LiteralBases result;
    for (unsigned bit = 0; bit < map.inBits(in); ++bit)
      result.push_back({static_cast<unsigned>(map.basis(in, bit, layout::Dim::tensor(0))),
                        static_cast<unsigned>(map.basis(in, bit, layout::Dim::tensor(1)))});
    return result;
  };
  Places places{bases(layout::nvidia::rowDim()), bases(layout::nvidia::columnDim()), {}};
  // The elements of a word are neighbours, or one to a word: then its other parts are nothing's.
  const unsigned parts =
      llvm::Log2_32(ttng::tensorMemoryWordBits / ttng::getTensorMemoryElementBits(type));
  const size_t count = std::min<size_t>(parts, places.columns.size());
  for (const Basis &basis : llvm::ArrayRef(places.columns).take_front(count))
    if (!isZero(basis))
      places.inWord.push_back(basis);
  const bool isUnpacked = parts == 1 && places.inWord.empty() && places.columns.size() > 1;
  places.columns.erase(places.columns.begin(), places.columns.begin() + count);
  // A register has two halves that are each in a word of its own.
  if (isUnpacked) {
    places.inWord.push_back(places.columns.front());
    places.columns.erase(places.columns.begin());
  }
  return places;
}

/// The layout of a variant besides 32x32b; nothing where the instruction does not fit the memory.
static std::optional<layout::Linear> layoutByVariant(const Variant &variant, const Places &places,
                                                     unsigned warps) {
  if (places.columns.size() < variant.words)
    return std::nullopt;
  layout::Linear linear;
  linear.registers = places.inWord;
  bool isInjective = true;
  auto add = [&](layout::LiteralBases &list, std::pair<bool, unsigned> at) {
    list.push_back((at.first ? places.rows : places.columns)[at.second]);
    isInjective &= !isZero(list.back());
  };
  for (auto at : variant.registers)
    add(linear.registers, at);
  for (auto at : variant.lanes)
    add(linear.lanes, at);
  if (!isInjective)
    return std::nullopt;
  // The rows from 16 on of each warp: of further warps, or else in a register.
  constexpr unsigned row16 = 4, row32 = 5, row64 = 6;
  const bool hasRow16 = !isZero(places.rows[row16]), byWarps = hasRow16 && warps > 4;
  const unsigned others = llvm::Log2_32(warps / (byWarps ? 8 : 4));
  const auto left = static_cast<unsigned>(places.columns.size()) - variant.words;
  const unsigned spread = std::min(others, left);
  for (unsigned i = 0; i < left - spread; ++i)
    linear.registers.push_back(places.columns[variant.words + i]);
  if (hasRow16 && !byWarps)
    linear.registers.push_back(places.rows[row16]);
  linear.warps = {places.rows[row32], places.rows[row64]};
  if (byWarps)
    linear.warps.push_back(places.rows[row16]);
  for (unsigned i = left - spread; i < left; ++i)
    linear.warps.push_back(places.columns[variant.words + i]);
  linear.warps.insert(linear.warps.end(), others - spread, Basis{0, 0});
  return linear;
}

/// Makes the last register one of the second half of the columns, as tl.split takes it; false,
/// after an error, where that cannot be.
static bool splitColumns(const Arguments &arguments, layout::Linear &linear, unsigned columns,
                         unsigned elementBits) {
  const Basis half{0, columns / 2};
  if (linear.registers.empty()) {
    if (linear.lanes.back() != half)
      return arguments.reject(1, "has too few columns for two halves");
    linear.registers.push_back(half);
    linear.lanes.back() = {0, 0};
    return true;
  }
  if (linear.registers.back() == half)
    return true;
  if ((1u << linear.registers.size()) * elementBits <= ttng::tensorMemoryWordBits)
    return arguments.reject(1, "leaves one register to a thread, and halves need two",
                            "load by \"32x32b\", and convert with gl.convert_layout");
  for (layout::LiteralBases *list : {&linear.lanes, &linear.warps})
    for (Basis &basis : *list)
      if (basis == half) {
        std::swap(basis, linear.registers.back());
        return true;
      }
  return arguments.reject(1, "has no thread with the second half of the columns");
}

/// The instruction of the variant 32x32b gives a lane a row, of which its registers are the
/// columns; the four warps have the rows of a block, further warps what then is highest. Of blocks
/// of 64 rows lanes 16 to 31 have every second one, or the upper half of the columns where there is
/// one block. False after an error.
static bool layoutByRows(const Arguments &arguments, ttng::TensorMemoryEncodingAttr encoding,
                         llvm::ArrayRef<unsigned> shape, unsigned warps, layout::Linear &linear) {
  const unsigned blockM = encoding.getBlockM(), blockN = encoding.getBlockN();
  for (unsigned column = 1; column < std::min(shape[1], blockN); column *= 2)
    linear.registers.push_back({0, column});
  // The blocks stand side by side, those of further rows first.
  layout::LiteralBases blocks;
  for (unsigned row = blockM; row < shape[0]; row *= 2)
    blocks.push_back({row, 0});
  for (unsigned column = blockN; column < shape[1]; column *= 2)
    blocks.push_back({0, column});
  const unsigned laneRows = blockM / 4;
  for (unsigned row = 1; row < laneRows; row *= 2)
    linear.lanes.push_back({row, 0});
  if (blockM == 64 && !blocks.empty()) {
    linear.lanes.push_back(blocks.front());
    blocks.erase(blocks.begin());
  }
  linear.registers.insert(linear.registers.end(), blocks.begin(), blocks.end());
  linear.warps = {{laneRows, 0}, {2 * laneRows, 0}};
  const unsigned more = llvm::Log2_32(warps / 4) + (linear.lanes.size() < 5 ? 1 : 0);
  if (linear.registers.size() < more)
    return arguments.reject(1, "has too few columns for " + llvm::Twine(warps) + " warps");
  const auto firstOfWarps = linear.registers.end() - llvm::Log2_32(warps / 4);
  linear.warps.insert(linear.warps.end(), firstOfWarps, linear.registers.end());
  linear.registers.erase(firstOfWarps, linear.registers.end());
  if (linear.lanes.size() < 5) {
    linear.lanes.push_back(linear.registers.back());
    linear.registers.pop_back();
  }
  return true;
}

/// element_ty, shape, layout, num_warps, instr_variant, cga_layout.
Value frontend::tensorRegisterLayout(Arguments &arguments) {
  std::vector<unsigned> shape;
  std::optional<DType> element = arguments.type(0);
  std::optional<unsigned> warps = element ? numberOf(arguments, 3) : std::nullopt;
  std::optional<std::string> variant = warps ? arguments.string(4) : std::nullopt;
  if (!variant || !numbersOf(arguments, 1, shape))
    return {};
  auto encoding = llvm::dyn_cast_if_present<ttng::TensorMemoryEncodingAttr>(arguments[2].layout);
  if (!encoding)
    return arguments.fail(2, "must be a TensorMemoryLayout, not " + arguments[2].describe());
  const bool isSplit = *variant == "32x32b_splitn";
  const std::optional<Variant> other = variantOf(*variant);
  if (!variant->empty() && *variant != "32x32b" && !isSplit && !other)
    return arguments.fail(4, "is \"" + llvm::Twine(*variant) + "\", which is no variant",
                          "write \"32x32b\", \"16x64b\", \"16x128b\", \"16x256b\" or "
                          "\"32x32b_splitn\"");
  const Value &cluster = arguments[5];
  if (cluster.isTuple() && !cluster.elements->empty())
    return arguments.fail(5, "is not supported yet: layouts are of one block");
  if (shape.size() != 2 || !llvm::isPowerOf2_32(shape[0]) || !llvm::isPowerOf2_32(shape[1]) ||
      shape[0] < encoding.getBlockM())
    return arguments.fail(1, "is no shape of tensor memory in " + arguments[2].repr());
  if (*warps < 4 || *warps > 16 || !llvm::isPowerOf2_32(*warps))
    return arguments.fail(3, "is " + llvm::Twine(*warps) + "; 4, 8 and 16 warps are supported");
  layout::Linear linear;
  if (other) {
    const int64_t sizes[] = {shape[0], shape[1]};
    ttg::MemDescType type = tensorMemoryType(arguments, *element, sizes, encoding, sizes);
    std::optional<layout::Linear> found =
        type ? layoutByVariant(*other, placesOf(type), *warps) : std::nullopt;
    if (!found)
      return arguments.tb.failed() ? Value()
                                   : arguments.fail(4, "is an instruction that does not fit memory "
                                                       "of the shape " +
                                                           describeShape(sizes));
    linear = std::move(*found);
  } else if (!layoutByRows(arguments, encoding, shape, *warps, linear) ||
             (isSplit && !splitColumns(arguments, linear, shape[1], element->bits()))) {
    return {};
  }
  return layoutIf(arguments, layout::verify(linear, 2), [&] {
    return ttg::LinearEncodingAttr::get(arguments.tb.builder.getContext(), 2, linear);
  });
}

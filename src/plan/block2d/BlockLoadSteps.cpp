//===- BlockLoadSteps.cpp - Block loads of a DPAS operand ---------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "plan/block2d/BlockLoadSteps.h"

#include "layout/encoding/EncodingParts.h"

#include <algorithm>
#include <bit>

namespace tilewright::plan::block2d {

using layout::Dim;
using layout::LinearLayout;
namespace dims = layout::dims;

namespace {

using Positions = std::vector<MemoryPosition>;

/// A size as the tensor counts it.
struct TensorSize {
  uint64_t dim0, dim1;
};

std::string sizeText(TensorSize size) {
  return std::to_string(size.dim0) + "x" + std::to_string(size.dim1);
}

MemoryPosition inMemory(TensorSize size, MemoryOrder memory) {
  return memory == MemoryOrder::RowMajor ? MemoryPosition{size.dim0, size.dim1}
                                         : MemoryPosition{size.dim1, size.dim0};
}

Result<void> verifyTensor(unsigned elementBits, std::span<const int64_t> shape) {
  if (shape.size() != 2)
    return Failure("a 2D block load brings a matrix, but the tensor has " +
                   std::to_string(shape.size()) + " dimensions");
  if (elementBits != 8 && elementBits != 16 && elementBits != 32)
    return Failure("DPAS reads elements of 8, 16 or 32 bits, but those of the tensor have " +
                   std::to_string(elementBits));
  return layout::verifyShape(shape);
}

/// The part of the tensor that one of a cluster of work-groups has.
TensorSize workGroupPart(const layout::intel::Dpas &dpas, unsigned opIdx,
                         std::span<const int64_t> shape) {
  std::vector<int64_t> part = layout::shapePerBlock(
      shape, layout::operandCluster(dpas.cluster, layout::contractedDim(opIdx, 2)));
  return {static_cast<uint64_t>(part[0]), static_cast<uint64_t>(part[1])};
}

/// `map` with rows and columns of memory as its outputs, for a map onto a matrix.
LinearLayout ontoMemory(const LinearLayout &map, MemoryOrder memory) {
  if (memory == MemoryOrder::RowMajor)
    return map;
  Dim other = Dim::get("other");
  return map.renameOut(dims::Dim0, other)
      .renameOut(dims::Dim1, dims::Dim0)
      .renameOut(other, dims::Dim1)
      .transposeOuts({dims::Dim0, dims::Dim1});
}

Positions basesOf(const LinearLayout &map, Dim in) {
  Positions result;
  for (unsigned bit = 0; bit < map.inBits(in); ++bit)
    result.push_back({map.basis(in, bit, dims::Dim0), map.basis(in, bit, dims::Dim1)});
  return result;
}

/// The operand of one instruction and how it is repeated, all in elements of memory.
struct Operand {
  unsigned opIdx;
  unsigned elementBits;
  unsigned opsPerChan;
  /// The size for one instruction.
  MemoryPosition instruction;
  /// Bases: of the lanes and registers of one instruction, and of the registers that hold the
  /// operands of further instructions; those that hold copies are left out.
  Positions lanes, registers, repetitions;

  std::string name() const { return opIdx == 0 ? "operand A" : "operand B"; }
};

Operand describe(const layout::intel::Dpas &parent, unsigned opIdx, unsigned elementBits,
                 const LinearLayout &map, MemoryPosition instruction) {
  Operand operand{opIdx, elementBits, parent.opsPerChan, instruction, basesOf(map, dims::Lane),
                  {},    {}};
  uint64_t perLane = instruction.row * instruction.col / parent.threadsPerWarp;
  auto registerBits = static_cast<size_t>(std::countr_zero(perLane));
  Positions all = basesOf(map, dims::Register);
  for (size_t bit = 0; bit < all.size(); ++bit) {
    if (bit < registerBits)
      operand.registers.push_back(all[bit]);
    else if (all[bit] != MemoryPosition{})
      operand.repetitions.push_back(all[bit]);
  }
  return operand;
}

// Only elements of 32 bits are transposed here, and VNNI packs rows into as many.
constexpr unsigned WordBits = 32;

/// The operand of one instruction, as a message sees it.
struct Tile {
  /// Elements of a slot, and slots.
  MemoryPosition slot{1, 1};
  MemoryPosition size;
  /// Of this tile alone.
  BlockMessage message;
};

bool holds(const Positions &places, MemoryPosition place) {
  return std::find(places.begin(), places.end(), place) != places.end();
}

/// Lanes along the rows of memory are what a message gives; lanes along its columns need one
/// that transposes.
Result<Tile> chooseTile(const Operand &operand) {
  Tile tile;
  BlockMessage &message = tile.message;
  message.transpose = operand.lanes.front().col == 0;
  if (message.transpose) {
    tile.slot.col = WordBits / operand.elementBits;
    for (uint64_t col = 1; col < tile.slot.col; col *= 2)
      if (!holds(operand.registers, {0, col}))
        return Failure("a transposing load moves 32 bits at once, but no lane of " +
                       operand.name() + " holds " + std::to_string(tile.slot.col) +
                       " elements of " + std::to_string(operand.elementBits) +
                       " bits that are neighbours in memory");
  } else {
    for (MemoryPosition basis : operand.registers) {
      if (basis != MemoryPosition{0, tile.slot.col})
        break;
      tile.slot.col *= 2;
    }
    message.vnni = operand.opIdx == 1 && operand.opsPerChan > 1 &&
                   operand.opsPerChan * operand.elementBits == WordBits;
    if (message.vnni)
      tile.slot.row = operand.opsPerChan;
  }
  tile.size = {operand.instruction.row / tile.slot.row, operand.instruction.col / tile.slot.col};
  message.elementBits = operand.elementBits * static_cast<unsigned>(tile.slot.col);
  message.width = static_cast<unsigned>(tile.size.col);
  message.height = static_cast<unsigned>(operand.instruction.row);
  return tile;
}

/// Whether a message that brings this tile alone, or the first of several, gives each lane what
/// it reads: consecutive slots go to consecutive lanes, in a transposed block down its columns.
bool feedsLanes(const Tile &tile, const Operand &operand) {
  for (size_t bit = 0; bit < operand.lanes.size(); ++bit) {
    uint64_t at = uint64_t(1) << bit;
    if (at >= tile.size.row * tile.size.col)
      return false;
    MemoryPosition slot = tile.message.transpose
                              ? MemoryPosition{at % tile.size.row, at / tile.size.row}
                              : MemoryPosition{at / tile.size.col, at % tile.size.col};
    if (operand.lanes[bit] != MemoryPosition{slot.row * tile.slot.row, slot.col * tile.slot.col})
      return false;
  }
  return true;
}

/// A message that grows from one tile, as far as the limits go.
class GrowingLoad {
public:
  GrowingLoad(const Tile &tile, unsigned threadsPerWarp, const BlockMessageLimits &limits)
      : tile(tile), limits(limits), load(tile.message),
        // Below a transposed column that leaves lanes over come the next columns, not more of
        // its rows: those lanes are theirs.
        growsDown(!load.transpose || tile.size.row >= threadsPerWarp) {}

  /// Takes in the operands that lie `step` elements further, if they touch what there is from
  /// below and if the message may be so large.
  bool takeDown(MemoryPosition step) {
    BlockMessage larger = load;
    larger.height *= 2;
    return growsDown && step == MemoryPosition{load.height, 0} && replaceBy(larger);
  }
  /// The same to the right. Lanes keep their columns: an ordinary load gets further blocks.
  bool takeRight(MemoryPosition step) {
    BlockMessage larger = load;
    (load.transpose ? larger.width : larger.blocks) *= 2;
    // A block that does not fill registers leaves a gap to the next.
    bool hasGaps = larger.blocks > 1 && load.blockRowBytes() * load.height < limits.registerBytes;
    return step == MemoryPosition{0, slots().col * tile.slot.col} && !hasGaps && replaceBy(larger);
  }

  const BlockMessage &message() const { return load; }
  MemoryPosition slots() const { return {load.height / tile.slot.row, load.width * load.blocks}; }

private:
  bool replaceBy(const BlockMessage &larger) {
    if (!isLegalMessage(larger, limits))
      return false;
    load = larger;
    return true;
  }

  const Tile &tile;
  const BlockMessageLimits &limits;
  BlockMessage load;
  bool growsDown;
};

/// The map from inputs, each with its bases, to places within `size`.
LinearLayout mapOf(std::span<const std::pair<Dim, const Positions *>> ins, MemoryPosition size) {
  std::vector<layout::InputBases> bases;
  for (auto [dim, places] : ins) {
    bases.push_back({dim, {}});
    for (MemoryPosition place : *places)
      bases.back().bases.push_back({place.row, place.col});
  }
  std::pair<Dim, uint64_t> outs[] = {{dims::Dim0, size.row}, {dims::Dim1, size.col}};
  return *LinearLayout::fromBases(bases, outs);
}

/// 1, 2, 4, ... columns, then rows.
Positions rowByRow(MemoryPosition size) {
  Positions result;
  for (uint64_t col = 1; col < size.col; col *= 2)
    result.push_back({0, col});
  for (uint64_t row = 1; row < size.row; row *= 2)
    result.push_back({row, 0});
  return result;
}

BlockLoadSteps growLoad(const Operand &operand, const Tile &tile, MemoryPosition tensor,
                        unsigned threadsPerWarp, const BlockMessageLimits &limits) {
  GrowingLoad load(tile, threadsPerWarp, limits);
  // Downwards first: how many blocks a load may have depends on their height.
  std::vector<bool> taken;
  for (MemoryPosition step : operand.repetitions)
    taken.push_back(load.takeDown(step));
  for (size_t i = 0; i < taken.size(); ++i)
    if (!taken[i])
      taken[i] = load.takeRight(operand.repetitions[i]);

  Positions offsets = rowByRow(tile.size), iterations, loads;
  for (size_t i = 0; i < taken.size(); ++i) {
    MemoryPosition step = operand.repetitions[i];
    if (taken[i])
      iterations.push_back({step.row / tile.slot.row, step.col / tile.slot.col});
    else
      loads.push_back(step);
  }
  std::pair<Dim, const Positions *> ins[] = {
      {dims::Offset, &offsets}, {iterationDim(), &iterations}, {loadDim(), &loads}};
  auto first = [&](size_t count) {
    return std::span<const std::pair<Dim, const Positions *>>(ins, count);
  };
  return {mapOf(first(1), tile.size),
          mapOf(first(2), load.slots()),
          mapOf(first(3), loads.empty() ? load.slots() : tensor),
          tile.slot,
          load.message(),
          {},
          threadsPerWarp};
}

} // namespace

Dim iterationDim() {
  static const Dim dim = Dim::get("iteration");
  return dim;
}

Dim loadDim() {
  static const Dim dim = Dim::get("load");
  return dim;
}

std::vector<MemoryPosition> BlockLoadSteps::elements(uint64_t load, uint64_t iteration,
                                                     uint64_t offset) const {
  auto place = [](const LinearLayout &map, std::initializer_list<layout::DimValue> in) {
    std::vector<layout::DimValue> out = map.apply(in);
    return MemoryPosition{out[0].value, out[1].value};
  };
  MemoryPosition start = place(loads, {{loadDim(), load}});
  MemoryPosition at = place(iterations, {{dims::Offset, offset}, {iterationDim(), iteration}});
  std::vector<MemoryPosition> result;
  for (uint64_t row = 0; row < slot.row; ++row)
    for (uint64_t col = 0; col < slot.col; ++col)
      result.push_back({start.row + at.row * slot.row + row, start.col + at.col * slot.col + col});
  return result;
}

Result<BlockLoadSteps> planBlockLoadSteps(const layout::intel::Dpas &parent, unsigned opIdx,
                                          unsigned elementBits, std::span<const int64_t> shape,
                                          MemoryOrder memory, const BlockMessageLimits &limits) {
  if (Result<void> valid = verifyTensor(elementBits, shape); !valid)
    return Failure(valid.error());
  auto [rows, cols] = layout::intel::instructionOperand(parent, opIdx);
  TensorSize instruction{rows, cols};
  TensorSize part = workGroupPart(parent, opIdx, shape);
  if (part.dim0 < instruction.dim0 || part.dim1 < instruction.dim1)
    return Failure("the tensor's part of a work-group is " + sizeText(part) +
                   ", smaller than operand " + (opIdx == 0 ? "A" : "B") +
                   " of one instruction, which is " + sizeText(instruction));

  LinearLayout map = ontoMemory(
      operandLayout(parent, opIdx, layout::intel::operandKWidth(parent, opIdx), shape), memory);
  Operand operand = describe(parent, opIdx, elementBits, map, inMemory(instruction, memory));
  Result<Tile> tile = chooseTile(operand);
  if (!tile)
    return Failure(tile.error());
  if (!feedsLanes(*tile, operand))
    return Failure(std::string("a load gives consecutive lanes consecutive ") +
                   (tile->message.transpose ? "rows" : "columns") +
                   " of memory, which is not what the " + std::to_string(parent.threadsPerWarp) +
                   " lanes hold of " + operand.name() + " of " + std::to_string(elementBits) +
                   "-bit elements with opsPerChan " + std::to_string(parent.opsPerChan));
  if (Result<void> legal = verifyMessage(tile->message, limits); !legal)
    return Failure(operand.name() + " of one instruction needs a " + legal.error());
  BlockLoadSteps steps =
      growLoad(operand, *tile, inMemory(part, memory), parent.threadsPerWarp, limits);
  steps.origins = map.sublayout({dims::Warp, dims::Block}, {dims::Dim0, dims::Dim1});
  return steps;
}

} // namespace tilewright::plan::block2d

//===- WarpGroupOperands.h - What products of warpgroups take -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_LOWER_WARPGROUPOPERANDS_H
#define TILEWRIGHT_VENDOR_NVIDIA_LOWER_WARPGROUPOPERANDS_H

#include "lower/core/builder/LoweringBuilder.h"
#include "lower/shared/LocalTransfer.h"
#include "vendor/nvidia/lower/WarpGroupTiles.h"
#include "vendor/nvidia/plan/WarpGroupOperand.h"

#include <map>

namespace tilewright::lower::nvidia {

/// Registers of 32 bits or fewer as words, the first lowest.
llvm::SmallVector<mlir::Value> packWords(LoweringBuilder &e, mlir::ValueRange values);
/// The way back, to values of `type`.
llvm::SmallVector<mlir::Value> unpackWords(LoweringBuilder &e, mlir::ValueRange words,
                                           mlir::Type type);

/// An operand in shared memory, and the descriptors of its tiles.
class DescribedOperand {
public:
  /// `opIdx` 0: M x K; 1: K x N. `groupOfWarp`: to which row (column) of it each bit of a warp's
  /// number moves the warpgroup. Fails, and says why, where no descriptor names the tiles.
  static Result<DescribedOperand> create(LoweringBuilder &e, ttg::MemDescType type, LocalView view,
                                         unsigned opIdx, const target::MmaAtom &atom,
                                         llvm::ArrayRef<uint64_t> groupOfWarp);

  bool alongRows() const { return plan.alongRows; }

  /// The descriptor of the tile of the warpgroup whose rows and depth begin there.
  mlir::Value get(uint64_t row, uint64_t depth);

private:
  explicit DescribedOperand(LoweringBuilder &e) : e(e) {}

  uint64_t startOf(uint64_t row, uint64_t depth) const;
  void emitBase(mlir::Value pointer, const ThreadBases &groups);

  LoweringBuilder &e;
  vendor::nvidia::OperandInMemory memory;
  unsigned elementBytes = 0;
  vendor::nvidia::WarpGroupOperand plan;
  vendor::nvidia::DescriptorFormat format = vendor::nvidia::DescriptorFormat::WarpGroup;
  /// The number that the beginning of the part adds to every start.
  uint64_t partStart = 0;
  /// The descriptor of the warpgroup's first tile, but for that.
  mlir::Value base;
};

/// The left operand: in memory, or in registers by the tiles' first rows and depths.
struct LeftOperand {
  std::optional<DescribedOperand> memory;
  std::map<std::pair<uint64_t, uint64_t>, llvm::SmallVector<mlir::Value>> words;

  /// The operand of an instruction for a tile.
  llvm::SmallVector<mlir::Value> get(uint64_t row, uint64_t depth) {
    return memory ? llvm::SmallVector<mlir::Value>{memory->get(row, depth)}
                  : words.at({row, depth});
  }

  /// Packs the registers of all tiles. False where a thread does not have what wgmma takes.
  bool pack(LoweringBuilder &e, mlir::RankedTensorType type, mlir::ValueRange registers,
            const target::MmaAtom &atom, const vendor::nvidia::AccumulatorTiles &tiles);
};

} // namespace tilewright::lower::nvidia

#endif // TILEWRIGHT_VENDOR_NVIDIA_LOWER_WARPGROUPOPERANDS_H

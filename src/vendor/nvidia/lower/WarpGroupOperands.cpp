//===- WarpGroupOperands.cpp - What products of warpgroups take ---------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "vendor/nvidia/lower/WarpGroupOperands.h"

#include "lower/core/builder/Scratch.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;
using namespace tilewright::lower::nvidia;
using namespace tilewright::vendor::nvidia;
using target::MmaAtom;
namespace dims = layout::dims;

//===----------------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------------===//

SmallVector<Value> lower::nvidia::packWords(LoweringBuilder &e, ValueRange values) {
  Type i32 = e.builder.getI32Type();
  const unsigned bits = values.front().getType().getIntOrFloatBitWidth(), inWord = 32 / bits;
  SmallVector<Value> words;
  for (size_t i = 0; i < values.size(); i += inWord) {
    Value word = inWord == 1 ? values[i] : e.packVector(values.slice(i, inWord));
    words.push_back(e.create<LLVM::BitcastOp>(i32, word));
  }
  return words;
}

SmallVector<Value> lower::nvidia::unpackWords(LoweringBuilder &e, ValueRange words, Type type) {
  auto vector = VectorType::get(32 / type.getIntOrFloatBitWidth(), type);
  SmallVector<Value> values;
  for (Value word : words)
    llvm::append_range(values, e.unpackVector(e.create<LLVM::BitcastOp>(vector, word)));
  return values;
}

bool LeftOperand::pack(LoweringBuilder &e, RankedTensorType type, ValueRange registers,
                       const MmaAtom &atom, const AccumulatorTiles &tiles) {
  const RegisterTiles own(ttg::toLinearLayout(type));
  if (!own.hasThreadsOf(atom.aOperand))
    return false;
  for (unsigned i = 0; i < tiles.rowTiles; ++i)
    for (uint64_t depth = 0; depth < static_cast<uint64_t>(type.getShape()[1]); depth += atom.k) {
      const uint64_t row = i * tiles.rowStep;
      SmallVector<Value> values;
      for (unsigned r : own.registersOf(atom.aOperand, row, depth))
        values.push_back(registers[r]);
      if (values.empty())
        return false;
      words[{row, depth}] = packWords(e, values);
    }
  return true;
}

//===----------------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------------===//

/// `word` (i32), which is computed from a warp's number, in a form from which ptxas sees that its
/// lanes have it in common. An instruction takes descriptors from registers that a warp has once;
/// what is computed for each lane has to be moved there again for each of them.
static Value makeUniform(LoweringBuilder &e, Value word) {
  OpBuilder::InsertionGuard guard(e.builder);
  e.builder.setInsertionPointAfterValue(word);
  Type i32 = e.builder.getI32Type();
  auto constant = [&](int32_t value) -> Value {
    return LLVM::ConstantOp::create(e.builder, e.loc, i32, value);
  };
  return NVVM::ShflOp::create(e.builder, e.loc, i32, constant(-1), word, /*offset=*/constant(0),
                              /*mask_and_clamp=*/constant(31), NVVM::ShflKind::idx, UnitAttr());
}

Result<DescribedOperand> DescribedOperand::create(LoweringBuilder &e, ttg::MemDescType type,
                                                  LocalView view, unsigned opIdx,
                                                  const MmaAtom &atom,
                                                  ArrayRef<uint64_t> groupOfWarp) {
  DescribedOperand operand(e);
  operand.elementBytes = getLocalElementBytes(type);
  ttg::SharedLayoutEncoding encoding = type.getSharedEncoding();
  operand.memory = {.offsets = type.toOffsets(),
                    .elementBits = 8 * operand.elementBytes,
                    .alignment = std::max<uint64_t>(encoding.getAlignment(), sharedMemoryAlignment),
                    .rowDim = opIdx == 0 ? dims::Dim0 : dims::Dim1,
                    .depthDim = opIdx == 0 ? dims::Dim1 : dims::Dim0,
                    .tileRows = opIdx == 0 ? atom.m : atom.n,
                    .tileDepth = atom.k,
                    .takesBytesAlongRows = atom.issuer == target::Issuer::Block};
  operand.format = atom.issuer == target::Issuer::Block ? DescriptorFormat::TensorMemory
                                                        : DescriptorFormat::WarpGroup;
  if (operand.memory.offsets.outBits(dims::Block))
    return Failure("it is spread over the blocks of a cluster");
  if (type.getBufferStride() != type.toLinearLayout().inSize(dims::Offset))
    return Failure("its layout has holes");
  Result<WarpGroupOperand> planned = planOperand(operand.memory);
  if (!planned)
    return Failure(planned.error());
  operand.plan = *planned;

  // The part that the type is of its memory begins somewhere only if it is not the whole.
  std::optional<uint64_t> part = view.constantOffset();
  if (!part && type.getShape() == type.getAllocShape().take_back(type.getShape().size()))
    part = 0;
  if (!part)
    return Failure("it is a part of its memory that is chosen while the kernel runs");
  operand.partStart = operand.plan.startOf(*part * operand.elementBytes);

  ThreadBases bases(e.threadBits());
  uint64_t groupBits = 0;
  for (auto [bit, rows] : llvm::enumerate(groupOfWarp)) {
    const uint64_t start = operand.startOf(rows, 0);
    bases[e.context.laneBits + bit] = start;
    groupBits |= start;
  }
  if (operand.partStart & (operand.plan.tileMask | groupBits))
    return Failure("the part of its memory begins within the rows of one instruction");
  operand.emitBase(view.pointer, bases);
  return operand;
}

Value DescribedOperand::get(uint64_t row, uint64_t depth) {
  const uint64_t start = startOf(row, depth) ^ partStart;
  if (!start)
    return base;
  return e.create<LLVM::AddOp>(
      base, e.getInt(e.builder.getI64Type(), static_cast<int64_t>(start / descriptorUnitBytes)));
}

uint64_t DescribedOperand::startOf(uint64_t row, uint64_t depth) const {
  uint64_t offset = 0;
  auto add = [&](layout::Dim dim, uint64_t value) {
    for (unsigned bit = 0; value >> bit; ++bit)
      if (value >> bit & 1)
        offset ^= memory.offsets.basis(dim, bit, dims::Offset);
  };
  add(memory.rowDim, row);
  add(memory.depthDim, depth);
  return plan.startOf(offset * elementBytes);
}

void DescribedOperand::emitBase(Value pointer, const ThreadBases &groups) {
  Type i32 = e.builder.getI32Type(), i64 = e.builder.getI64Type();
  Value address = e.create<LLVM::PtrToIntOp>(i32, pointer);
  if (Value group = e.getThreadValue(groups))
    address = e.create<LLVM::AddOp>(address, makeUniform(e, group));
  address = e.create<LLVM::AndOp>(address, e.getI32((1 << descriptorAddressBits) - 1));
  address = e.create<LLVM::LShrOp>(address, e.getI32(log2Of(descriptorUnitBytes)));
  base = e.create<LLVM::OrOp>(e.create<LLVM::ZExtOp>(i64, address),
                              e.getInt(i64, static_cast<int64_t>(plan.form.encode(format))));
}

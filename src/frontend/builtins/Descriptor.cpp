//===- Descriptor.cpp - Builtins: tensor descriptors --------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A descriptor is a tensor in global memory, known by its address, shape and strides, that
// is accessed in blocks of one shape. What lies outside of the tensor is not written, and
// read as zeros or NaNs.
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/TensorInMemory.h"
#include "frontend/value/Layouts.h"

#include "ir/tt/Dialect.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;

static constexpr size_t maxRank = 5;
/// The hardware's units that copy blocks move rows of no fewer bytes, and gather no fewer rows.
static constexpr int64_t leastRowBytes = 16;
static constexpr int64_t leastGatheredRows = 8;

static void append(llvm::ArrayRef<Value> from, llvm::SmallVectorImpl<mlir::Value> &to) {
  for (const Value &value : from)
    to.push_back(value.ssa);
}

//===--------------------------------------------------------------------------===//
// Making one
//===--------------------------------------------------------------------------===//

tt::TensorDescType frontend::descriptorType(mlir::MLIRContext *context, DType type,
                                            llvm::ArrayRef<int64_t> block, mlir::Attribute layout) {
  mlir::Type element = type.toMLIR(context);
  if (type.isInteger())
    element =
        mlir::IntegerType::get(context, type.bits(),
                               type.isUnsigned() || type.isBool() ? mlir::IntegerType::Unsigned
                                                                  : mlir::IntegerType::Signed);
  return tt::TensorDescType::get(mlir::RankedTensorType::get(block, element, layout));
}

Value frontend::makeDescriptorIn(Arguments &arguments, size_t layoutIndex, size_t paddingIndex) {
  enum { Base, Shape, Strides, BlockShape };
  TritonBuilder &tb = arguments.tb;
  Value base = baseArgument(arguments, Base);
  if (!base)
    return {};
  size_t rank = sequenceOf(arguments[Shape]).size();
  if (rank < 1 || rank > maxRank)
    return arguments.fail(Shape, "has " + llvm::Twine(rank) + " sizes",
                          "a descriptor has 1 to " + std::to_string(maxRank) + " dimensions");
  for (size_t index : {Strides, BlockShape})
    if (sequenceOf(arguments[index]).size() != rank)
      return arguments.fail(index,
                            "has " + llvm::Twine(sequenceOf(arguments[index]).size()) +
                                " entries, but 'shape' has " + llvm::Twine(rank),
                            "give one for each dimension");

  llvm::SmallVector<int64_t> block;
  if (!arguments.shape(BlockShape, block) || !checkTileShape(arguments, BlockShape, block))
    return {};
  DType type = base.type.pointee();
  int64_t rowBytes = block.back() * std::max(1u, type.bits() / 8);
  if (rowBytes < leastRowBytes)
    return arguments.fail(
        BlockShape,
        "has rows of " + llvm::Twine(rowBytes) + " bytes, " + llvm::Twine(block.back()) + " of " +
            type.str() + ": Descriptor block shape must have at least " +
            llvm::Twine(leastRowBytes) + " bytes in the last dimension",
        "make its last size " + std::to_string(leastRowBytes / std::max(1u, type.bits() / 8)) +
            " or more");
  const Value &last = sequenceOf(arguments[Strides]).back();
  if (!last.isIntegral() || last.integer != 1)
    return arguments.fail(Strides, "must end with the constant 1, not " + last.describe(),
                          "the elements of a row lie side by side");
  std::optional<std::string> padding = arguments.string(paddingIndex);
  if (!padding)
    return {};
  if (!arguments.given(paddingIndex))
    padding = "zero";
  if (*padding != "zero" && *padding != "nan")
    return arguments.fail(paddingIndex, "is '" + llvm::Twine(*padding) + "'",
                          "write \"zero\" or \"nan\"");
  if (*padding == "nan" && !type.isFloat())
    return arguments.fail(paddingIndex, "is \"nan\", which " + type.str() + " does not have",
                          "leave it out");

  auto shape = scalarsArgument(arguments, Shape, {ScalarKind::Int32});
  auto strides = shape ? scalarsArgument(arguments, Strides, {ScalarKind::Int64}) : std::nullopt;
  if (!strides)
    return {};
  mlir::Attribute layout;
  if (layoutIndex) {
    layout = arguments[layoutIndex].layout;
    if (!isHardwareLayout(layout))
      return arguments.fail(
          layoutIndex, "must be an NVMMASharedLayout, not " + arguments[layoutIndex].describe(),
          "gl.NVMMASharedLayout.get_default_for(block_shape, dtype) makes one");
  }
  return tb.makeDescriptor(base, block, *shape, *strides, *padding == "nan", layout);
}

static Value makeTensorDescriptor(Arguments &arguments) {
  return makeDescriptorIn(arguments, /*layoutIndex=*/0, /*paddingIndex=*/4);
}

Value TritonBuilder::makeDescriptor(const Value &base, llvm::ArrayRef<int64_t> block,
                                    llvm::ArrayRef<Value> shape, llvm::ArrayRef<Value> strides,
                                    bool padsWithNan, mlir::Attribute layout) {
  DType type = base.type.pointee();
  llvm::SmallVector<mlir::Value> shapeValues, strideValues;
  append(shape, shapeValues);
  append(strides, strideValues);
  auto op = tt::MakeTensorDescOp::create(
      builder, loc(), descriptorType(builder.getContext(), type, block, layout), base.ssa,
      shapeValues, strideValues,
      padsWithNan ? tt::PaddingOption::PAD_NAN : tt::PaddingOption::PAD_ZERO);
  return Value::descriptor(op, type, tupleOfIntegers(block),
                           Value::tuple({shape.begin(), shape.end()}),
                           Value::tuple({strides.begin(), strides.end()}));
}

//===--------------------------------------------------------------------------===//
// Blocks
//===--------------------------------------------------------------------------===//

static bool isDescriptor(Arguments &arguments) {
  if (arguments[0].isDescriptor())
    return true;
  arguments.fail(0, "must be a tensor descriptor, not " + arguments[0].describe(),
                 "make one with tl.make_tensor_descriptor");
  return false;
}

/// One offset: a constant, or a scalar of 32 bits.
static Value offsetOf(Arguments &arguments, size_t index, const Value &offset) {
  if (!offset.isIntegral() && (!offset.isTensor() || offset.isBlock() || !offset.type.isInteger()))
    return arguments.fail(index, "must be an integer, not " + offset.describe());
  if (offset.isTensor() && offset.type.bits() == 64)
    return arguments.fail(index, "must have 32 bits, not " + offset.type.str(),
                          "write .to(tl.int32)");
  if (offset.isIntegral() && (offset.integer < INT32_MIN || offset.integer > INT32_MAX))
    return arguments.fail(index, "is " + offset.repr() + ", which does not fit into 32 bits");
  return arguments.tb.cast(offset, {ScalarKind::Int32});
}

/// The element where a block begins: one offset for each dimension.
static bool offsetsOf(Arguments &arguments, size_t index,
                      llvm::SmallVectorImpl<mlir::Value> &offsets) {
  llvm::ArrayRef<Value> given = sequenceOf(arguments[index]);
  size_t rank = arguments[0].blockShape().size();
  if (given.size() != rank)
    return arguments.reject(index,
                            "has " + llvm::Twine(given.size()) +
                                " entries, but the descriptor has " + llvm::Twine(rank) +
                                (rank == 1 ? " dimension" : " dimensions"),
                            "give one offset for each dimension");
  for (const Value &element : given) {
    Value offset = offsetOf(arguments, index, element);
    if (!offset)
      return false;
    offsets.push_back(offset.ssa);
  }
  return true;
}

/// A value of the descriptor's type that has a given shape.
static Value blockOf(Arguments &arguments, size_t index, llvm::ArrayRef<int64_t> shape) {
  Value value = arguments.tensor(index);
  if (!value)
    return {};
  if (value.shape() != shape)
    return arguments.fail(index, "is " + value.describe() + ", but the block has the shape " +
                                     describeShape(shape));
  if (value.type.isPointer())
    return arguments.fail(index, "is a tensor of pointers, which cannot be stored");
  return arguments.tb.cast(value, arguments[0].type);
}

static mlir::Type tensorType(Arguments &arguments, llvm::ArrayRef<int64_t> shape) {
  return mlir::RankedTensorType::get(shape,
                                     arguments[0].type.toMLIR(arguments.tb.builder.getContext()));
}

static Value loadBlock(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  llvm::SmallVector<mlir::Value> offsets;
  if (!isDescriptor(arguments) || !offsetsOf(arguments, 1, offsets))
    return {};
  auto op = tt::DescriptorLoadOp::create(tb.builder, tb.loc(),
                                         tensorType(arguments, arguments[0].blockShape()),
                                         arguments[0].ssa, offsets);
  return Value::tensor(op, arguments[0].type);
}

static Value storeBlock(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  llvm::SmallVector<mlir::Value> offsets;
  if (!isDescriptor(arguments) || !offsetsOf(arguments, 1, offsets))
    return {};
  Value value = blockOf(arguments, 2, arguments[0].blockShape());
  if (!value)
    return {};
  tt::DescriptorStoreOp::create(tb.builder, tb.loc(), arguments[0].ssa, value.ssa, offsets);
  return Value::none();
}

/// Which types the units that combine blocks in memory compute with.
static bool canReduce(tt::DescriptorReduceKind kind, DType type) {
  using Kind = tt::DescriptorReduceKind;
  const bool isWord = type.isInteger() && type.bits() >= 32;
  const bool isHalf = type.is(ScalarKind::FP16) || type.is(ScalarKind::BF16);
  if (kind == Kind::ADD)
    return (isWord && !type.is(ScalarKind::Int64)) || type.is(ScalarKind::FP32) || isHalf;
  return isWord || (isHalf && (kind == Kind::MIN || kind == Kind::MAX));
}

template <tt::DescriptorReduceKind kind> static Value reduceBlock(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  llvm::SmallVector<mlir::Value> offsets;
  if (!offsetsOf(arguments, 1, offsets))
    return {};
  if (!canReduce(kind, arguments[0].type))
    return tb.fail("a descriptor has no " + arguments.builtin.name + " of " +
                       arguments[0].type.str(),
                   "use tl." + arguments.builtin.name + " with pointers");
  Value value = blockOf(arguments, 2, arguments[0].blockShape());
  if (!value)
    return {};
  tt::DescriptorReduceOp::create(tb.builder, tb.loc(), kind, arguments[0].ssa, value.ssa, offsets);
  return Value::none();
}

//===--------------------------------------------------------------------------===//
// Rows by their indices
//===--------------------------------------------------------------------------===//

/// The rows and the first column of a gather or scatter, as i32, and the shape of the result.
struct Rows {
  Value indices;
  Value column;
  llvm::SmallVector<int64_t> shape;
};

static std::optional<Rows> rowsOf(Arguments &arguments, size_t index) {
  llvm::SmallVector<int64_t> block = arguments[0].blockShape();
  auto fail = [&](const llvm::Twine &message, const llvm::Twine &remedy) {
    arguments.tb.fail(arguments.builtin.name + message, remedy);
    return std::nullopt;
  };
  if (block.size() != 2 || block[0] != 1)
    return fail(" of single rows needs a descriptor of blocks [1, n], not " + describeShape(block),
                "make a descriptor with block_shape [1, n]");
  DType type = arguments[0].type;
  int64_t leastColumns = 32 / type.bits() * 8;
  if (block[1] < leastColumns)
    return fail(" of " + type.str() + " needs at least " + llvm::Twine(leastColumns) +
                    " columns, but the descriptor's blocks are " + describeShape(block),
                "make the block wider");
  const Value &given = arguments[index];
  if (!given.isBlock() || given.shape().size() != 1 || !given.type.isInteger()) {
    arguments.fail(index,
                   "must be a tensor of integers with one dimension, not " + given.describe());
    return std::nullopt;
  }
  if (given.shape()[0] < leastGatheredRows) {
    arguments.fail(index, "has " + llvm::Twine(given.shape()[0]) + " rows",
                   "take " + std::to_string(leastGatheredRows) + " rows or more");
    return std::nullopt;
  }
  Rows rows;
  rows.indices = arguments.tb.cast(given, {ScalarKind::Int32});
  rows.column = offsetOf(arguments, index + 1, arguments[index + 1]);
  rows.shape = {given.shape()[0], block[1]};
  if (!rows.indices || !rows.column)
    return std::nullopt;
  return rows;
}

static Value gatherRows(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<Rows> rows = rowsOf(arguments, 1);
  if (!rows)
    return {};
  auto op = tt::DescriptorGatherOp::create(tb.builder, tb.loc(), tensorType(arguments, rows->shape),
                                           arguments[0].ssa, rows->indices.ssa, rows->column.ssa);
  return Value::tensor(op, arguments[0].type);
}

static Value scatterRows(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<Rows> rows = rowsOf(arguments, 2);
  Value value = rows ? blockOf(arguments, 1, rows->shape) : Value();
  if (!value)
    return {};
  tt::DescriptorScatterOp::create(tb.builder, tb.loc(), arguments[0].ssa, rows->indices.ssa,
                                  rows->column.ssa, value.ssa);
  return Value::none();
}

llvm::ArrayRef<Builtin> frontend::descriptorBuiltins() {
  static constexpr Builtin builtins[] = {
      {"make_tensor_descriptor", "base shape strides block_shape padding_option?",
       makeTensorDescriptor},
      {"load_tensor_descriptor", "desc offsets", loadBlock},
      {"store_tensor_descriptor", "desc offsets value", storeBlock},
  };
  return builtins;
}

llvm::ArrayRef<Builtin> frontend::descriptorMethods() {
  using Kind = tt::DescriptorReduceKind;
  static constexpr Builtin builtins[] = {
      {"load", "desc offsets", loadBlock},
      {"store", "desc offsets value", storeBlock},
      {"gather", "desc x_offsets y_offset", gatherRows},
      {"scatter", "desc value x_offsets y_offset", scatterRows},
      {"atomic_add", "desc offsets value", reduceBlock<Kind::ADD>},
      {"atomic_min", "desc offsets value", reduceBlock<Kind::MIN>},
      {"atomic_max", "desc offsets value", reduceBlock<Kind::MAX>},
      {"atomic_and", "desc offsets value", reduceBlock<Kind::AND>},
      {"atomic_or", "desc offsets value", reduceBlock<Kind::OR>},
      {"atomic_xor", "desc offsets value", reduceBlock<Kind::XOR>},
  };
  return builtins;
}

//===- TensorMemory.cpp - Builtins of Gluon: Blackwell's tensor memory --------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/gluon/Gluon.h"

#include "ir/ttng/Dialect.h"

using namespace tilewright;
using namespace tilewright::frontend;
using mlir::Attribute;

//===--------------------------------------------------------------------------===//
// Layouts
//===--------------------------------------------------------------------------===//

/// block, col_stride, cta_split_num, two_ctas.
static Value tensorMemoryLayout(Arguments &arguments) {
  std::vector<unsigned> block, split{1, 1};
  std::optional<unsigned> stride = numberOf(arguments, 1);
  std::optional<bool> twoCTAs = stride ? arguments.flag(3, false) : std::nullopt;
  if (!twoCTAs || !numbersOf(arguments, 0, block))
    return {};
  if (!arguments[2].isNone()) {
    split.clear();
    if (!numbersOf(arguments, 2, split))
      return {};
  }
  if (block.size() != 2 || split.size() != 2)
    return arguments.fail(block.size() != 2 ? 0 : 2, "must be two numbers: rows and columns");
  mlir::MLIRContext *context = arguments.tb.builder.getContext();
  Attribute made;
  const std::string wrong = messageOf(arguments, [&](auto emitError) {
    made = ttng::TensorMemoryEncodingAttr::getChecked(emitError, context, block[0], block[1],
                                                      *stride, llvm::ArrayRef<unsigned>(), split[0],
                                                      split[1], *twoCTAs, /*fp4Padded=*/false);
  });
  return made ? Value::ofLayout(made) : arguments.tb.fail(arguments.builtin.name + ": " + wrong);
}

static Value scalesLayout(Arguments &arguments) {
  if (!arguments[0].isNone())
    return arguments.fail(0, "is not supported yet: scales of one block have none");
  return Value::ofLayout(ttng::TensorMemoryScalesEncodingAttr::get(
      arguments.tb.builder.getContext(), llvm::ArrayRef<unsigned>(), 1, 1, ""));
}

static bool isTensorMemoryLayout(Attribute layout) {
  return llvm::isa_and_nonnull<ttng::TensorMemoryEncodingAttr,
                               ttng::TensorMemoryScalesEncodingAttr>(layout);
}

//===--------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------===//

static ttg::MemDescType typeOf(const Value &view) {
  return llvm::cast<ttg::MemDescType>(view.ssa.getType());
}

ttg::MemDescType frontend::tensorMemoryType(const Arguments &arguments, DType element,
                                            llvm::ArrayRef<int64_t> shape, Attribute layout,
                                            llvm::ArrayRef<int64_t> allocShape) {
  mlir::MLIRContext *context = arguments.tb.builder.getContext();
  ttg::MemDescType type;
  const Attribute space = ttng::TensorMemorySpaceAttr::get(context);
  const std::string wrong = messageOf(arguments, [&](auto emitError) {
    if (succeeded(ttg::MemDescType::verify(emitError, shape, element.toMLIR(context), layout, space,
                                           /*mutableMemory=*/true, allocShape)))
      type = ttg::MemDescType::get(shape, element.toMLIR(context), layout, space,
                                   /*mutableMemory=*/true, allocShape);
  });
  if (!type)
    arguments.tb.fail(arguments.builtin.name + ": " + wrong);
  return type;
}

/// The argument as a layout of tensor memory; null after an error.
static Attribute memoryLayout(const Arguments &arguments, size_t index) {
  const Value &value = arguments[index];
  if (value.isLayout() && isTensorMemoryLayout(value.layout))
    return value.layout;
  arguments.fail(index, "must be a TensorMemoryLayout, not " + value.describe());
  return {};
}

/// The memory that three arguments from number `first` on say, its elements, shape and layout, with
/// the language's type of the elements; nothing after an error.
static std::optional<std::pair<ttg::MemDescType, DType>> memoryGiven(const Arguments &arguments,
                                                                     size_t first) {
  std::optional<DType> element = arguments.type(first);
  llvm::SmallVector<int64_t> shape;
  if (!element || !arguments.shape(first + 1, shape))
    return std::nullopt;
  const Attribute layout = memoryLayout(arguments, first + 2);
  ttg::MemDescType type =
      layout ? tensorMemoryType(arguments, *element, shape, layout, shape) : ttg::MemDescType();
  if (!type)
    return std::nullopt;
  return std::pair(type, *element);
}

/// element_ty, shape, layout, value.
static Value allocate(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  const auto given = memoryGiven(arguments, 0);
  if (!given)
    return {};
  const auto [type, element] = *given;
  const Value &initial = arguments[3];
  if (!initial.isNone() &&
      (!initial.isBlock() || initial.shape() != type.getShape() || initial.type != element))
    return arguments.fail(3, "must be a tensor " + describeShape(type.getShape()) + " of " +
                                 element.str() + ", not " + initial.describe());
  auto op = ttng::TMEMAllocOp::create(tb.builder, tb.loc(), type, mlir::Type(), initial.ssa);
  return verifyMade(arguments, op) ? Value::memDesc(op.getResult(), element) : Value();
}

/// self, layout.
static Value load(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  const Value &self = arguments[0];
  std::optional<Attribute> layout = distributedLayout(arguments, 1);
  if (!layout || !checkLayoutFits(arguments, 1, *layout, self.shape()))
    return {};
  auto op = ttng::TMEMLoadOp::create(
      tb.builder, tb.loc(), tb.tensorType(self.shape(), self.type, *layout), mlir::Type(),
      mlir::Type(), self.ssa, mlir::Value(), ttng::TMEMLoadReduceAttr(), mlir::BoolAttr(),
      mlir::BoolAttr());
  return verifyMade(arguments, op) ? Value::tensor(op.getResult(), self.type) : Value();
}

/// self, value, pred.
static Value store(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  const Value &self = arguments[0], &value = arguments[1];
  if (!value.isBlock() || value.shape() != self.shape() || value.type != self.type)
    return arguments.fail(1, "must be a tensor " + describeShape(self.shape()) + " of " +
                                 self.type.str() + ", not " + value.describe());
  Value predicate = predicateArgument(arguments, 2);
  if (!predicate)
    return {};
  auto op = ttng::TMEMStoreOp::create(tb.builder, tb.loc(), mlir::Type(), self.ssa, mlir::Value(),
                                      value.ssa, predicate.ssa);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

/// self, start, length: some columns.
static Value slice(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  const Value &self = arguments[0];
  std::optional<unsigned> start = numberOf(arguments, 1),
                          length = start ? numberOf(arguments, 2) : std::nullopt;
  auto layout = llvm::dyn_cast<ttng::TensorMemoryEncodingAttr>(self.encoding());
  if (!length)
    return {};
  if (!layout)
    return arguments.fail(0, "is memory of scales, which has no slices");
  llvm::SmallVector<int64_t> shape(self.shape());
  if (*length < 1 || *start + *length > shape.back())
    return arguments.fail(2, "and 'start' take the columns " + llvm::Twine(*start) + " to " +
                                 llvm::Twine(*start + *length - 1) + " of " +
                                 llvm::Twine(shape.back()));
  shape.back() = *length;
  Attribute part = ttng::TensorMemoryEncodingAttr::get(
      layout.getContext(), layout.getBlockM(), std::min(layout.getBlockN(), *length),
      layout.getColStride(), layout.getCGALayout(), layout.getCTASplitM(), layout.getCTASplitN(),
      layout.getTwoCTAs(), layout.getFp4Padded());
  ttg::MemDescType type =
      tensorMemoryType(arguments, self.type, shape, part, typeOf(self).getAllocShape());
  if (!type)
    return {};
  auto op = ttng::TMEMSubSliceOp::create(tb.builder, tb.loc(), type, self.ssa, mlir::IntegerAttr(),
                                         tb.builder.getI32IntegerAttr(static_cast<int32_t>(*start)),
                                         mlir::IntegerAttr());
  return verifyMade(arguments, op) ? Value::memDesc(op, self.type) : Value();
}

/// self, index.
static Value index(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  const Value &self = arguments[0];
  Value which = indexArgument(arguments, 1);
  if (!which)
    return {};
  llvm::ArrayRef<int64_t> shape = self.shape().drop_front();
  ttg::MemDescType type = tensorMemoryType(arguments, self.type, shape, self.encoding(), shape);
  if (!type)
    return {};
  auto op = ttg::MemDescIndexOp::create(tb.builder, tb.loc(), type, self.ssa, which.ssa);
  return verifyMade(arguments, op) ? Value::memDesc(op, self.type) : Value();
}

/// self, dtype, shape, layout.
static Value reinterpret(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  const auto given = memoryGiven(arguments, 1);
  if (!given)
    return {};
  const auto [type, element] = *given;
  auto op = ttg::MemDescReinterpretOp::create(tb.builder, tb.loc(), type, arguments[0].ssa);
  return verifyMade(arguments, op) ? Value::memDesc(op, element) : Value();
}

llvm::ArrayRef<Builtin> frontend::tensorMemoryMethods() {
  static constexpr Builtin builtins[] = {
      {"load", "self layout", load},
      {"store", "self value pred?", store},
      {"slice", "self start length", slice},
      {"index", "self index", index},
      {"_reinterpret", "self dtype shape layout", reinterpret},
  };
  return builtins;
}

//===--------------------------------------------------------------------------===//
// Products
//===--------------------------------------------------------------------------===//

/// src, dst.
static Value copyToTensorMemory(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value source = memDescArgument(arguments, 0);
  Value target = source ? memDescArgument(arguments, 1) : Value();
  if (!target)
    return {};
  auto op = ttng::TMEMCopyOp::create(tb.builder, tb.loc(), source.ssa, target.ssa, mlir::Value());
  return verifyMade(arguments, op) ? Value::none() : Value();
}

/// The barriers at `index` and their predicates after them; False where there are none.
static bool barriersArgument(const Arguments &arguments, size_t index,
                             llvm::SmallVectorImpl<mlir::Value> &barriers,
                             llvm::SmallVectorImpl<mlir::Value> &predicates) {
  TritonBuilder &tb = arguments.tb;
  if (!memDescArguments(arguments, index, barriers))
    return false;
  const Value &given = arguments[index + 1];
  if (given.isNone()) {
    if (!barriers.empty())
      predicates.assign(barriers.size(), tb.constant(Value::boolean(true), {ScalarKind::Int1}).ssa);
    return true;
  }
  if (!given.isTuple() || given.elements->size() != barriers.size())
    return arguments.reject(index + 1, "must be one predicate for each barrier");
  for (const Value &one : *given.elements) {
    Value predicate = tb.toBool(one);
    if (!predicate)
      return false;
    predicates.push_back(predicate.ssa);
  }
  return true;
}

/// a, b, acc, use_acc, pred, mbarriers, mbarrier_preds.
static Value product(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  for (size_t index : {0, 1, 2})
    if (!memDescArgument(arguments, index))
      return {};
  Value useAcc = predicateArgument(arguments, 3);
  Value predicate = useAcc ? predicateArgument(arguments, 4) : Value();
  llvm::SmallVector<mlir::Value> barriers, predicates;
  if (!predicate || !barriersArgument(arguments, 5, barriers, predicates))
    return {};
  auto layout = llvm::dyn_cast<ttng::TensorMemoryEncodingAttr>(arguments[2].encoding());
  if (!layout)
    return arguments.fail(2, "must be tensor memory, not " + arguments[2].describe());
  auto op = ttng::TCGen5MMAOp::create(
      tb.builder, tb.loc(), ttg::AsyncTokenType::get(tb.builder.getContext()), arguments[0].ssa,
      arguments[1].ssa, arguments[2].ssa, mlir::Value(), useAcc.ssa, predicate.ssa, barriers,
      predicates,
      /*is_async=*/!barriers.empty(), /*two_ctas=*/layout.getTwoCTAs(), /*multicast=*/false);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

/// a, b, acc, a_scale, b_scale, a_type, b_type, use_acc, pred, mbarriers, mbarrier_preds.
static Value scaledProduct(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  for (size_t index = 0; index < 5; ++index)
    if (!memDescArgument(arguments, index))
      return {};
  tt::ScaleDotElemType formats[2];
  for (size_t side : {0, 1}) {
    std::optional<std::string> name = arguments.string(5 + side);
    if (!name)
      return {};
    if (*name != "e2m1" && *name != "e4m3" && *name != "e5m2")
      return arguments.fail(5 + side, "is \"" + *name + "\", which is no format",
                            "write \"e2m1\", \"e4m3\" or \"e5m2\"");
    formats[side] = *tt::symbolizeScaleDotElemType(*name);
  }
  Value useAcc = predicateArgument(arguments, 7);
  Value predicate = useAcc ? predicateArgument(arguments, 8) : Value();
  llvm::SmallVector<mlir::Value> barriers, predicates;
  if (!predicate || !barriersArgument(arguments, 9, barriers, predicates))
    return {};
  auto op = ttng::TCGen5MMAScaledOp::create(
      tb.builder, tb.loc(), ttg::AsyncTokenType::get(tb.builder.getContext()), arguments[0].ssa,
      arguments[1].ssa, arguments[2].ssa, mlir::Value(), arguments[3].ssa, arguments[4].ssa,
      formats[0], formats[1], useAcc.ssa, predicate.ssa, barriers, predicates,
      /*is_async=*/!barriers.empty(), /*two_ctas=*/false,
      /*multicast=*/false);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

static Value commit(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value barrier = memDescArgument(arguments, 0);
  if (!barrier)
    return {};
  auto op = ttng::TCGen5CommitOp::create(tb.builder, tb.loc(), barrier.ssa, mlir::Value(),
                                         mlir::ValueRange(), /*two_ctas=*/false);
  return verifyMade(arguments, op) ? Value::none() : Value();
}

llvm::ArrayRef<Builtin> frontend::gluonBlackwellBuiltins() {
  static constexpr Builtin builtins[] = {
      {"TensorMemoryLayout", "block col_stride cta_split_num? two_ctas?", tensorMemoryLayout,
       ConstantOnly},
      {"TensorMemoryScalesLayout", "cta_split_num?", scalesLayout, ConstantOnly},
      {"allocate_tensor_memory", "element_ty shape layout value?", allocate},
      {"get_tmem_reg_layout", "element_ty shape layout num_warps instr_variant? cga_layout?",
       tensorRegisterLayout, ConstantOnly},
      {"tcgen05_copy", "src dst", copyToTensorMemory},
      {"tcgen05_mma", "a b acc use_acc? pred? mbarriers? mbarrier_preds?", product},
      {"tcgen05_mma_scaled",
       "a b acc a_scale b_scale a_type b_type use_acc? pred? mbarriers? mbarrier_preds?",
       scaledProduct},
      {"tcgen05_commit", "barrier", commit},
  };
  return builtins;
}

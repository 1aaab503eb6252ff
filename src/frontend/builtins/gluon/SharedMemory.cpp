//===- SharedMemory.cpp - Builtins of Gluon: shared memory --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/gluon/Gluon.h"

#include "ir/ttg/encoding/Inference.h"
#include "plan/shared/SharedAccessCost.h"

using namespace tilewright;
using namespace tilewright::frontend;
using mlir::Attribute;

static ttg::MemDescType typeOf(const Value &view) {
  return llvm::cast<ttg::MemDescType>(view.ssa.getType());
}

/// A view that `Op` makes of another one.
template <typename Op, typename... Parts>
static Value makeView(const Arguments &arguments, DType element, mlir::Type type, Parts... parts) {
  TritonBuilder &tb = arguments.tb;
  if (!type)
    return {};
  auto op = Op::create(tb.builder, tb.loc(), type, parts...);
  return verifyMade(arguments, op) ? Value::memDesc(op.getResult(), element) : Value();
}

/// The argument as a tensor in the shape and of the element type of the memory at argument 0.
static Value storedTensor(const Arguments &arguments, size_t index, llvm::ArrayRef<int64_t> shape,
                          DType element) {
  const Value &value = arguments[index];
  if (!value.isBlock())
    return arguments.fail(index, "must be a tensor, not " + value.describe(),
                          value.isNumber() ? "gl.full makes a tensor of it" : "");
  if (value.shape() != shape)
    return arguments.fail(index, "has the shape " + describeShape(value.shape()) +
                                     ", but the memory has " + describeShape(shape));
  if (value.type != element)
    return arguments.fail(
        index, "has elements of " + value.type.str() + ", but the memory of " + element.str(),
        "convert it with .to(..)");
  return value;
}

/// element_ty, shape, layout, value.
static Value allocate(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<DType> element = arguments.type(0);
  llvm::SmallVector<int64_t> shape;
  if (!element || !arguments.shape(1, shape))
    return {};
  std::optional<Attribute> layout = sharedLayout(arguments, 2);
  ttg::MemDescType type =
      layout ? sharedMemoryType(arguments, *element, shape, *layout) : ttg::MemDescType();
  if (!type)
    return {};
  mlir::Value initial;
  if (!arguments[3].isNone()) {
    Value stored = storedTensor(arguments, 3, shape, *element);
    if (!stored)
      return {};
    initial = stored.ssa;
  }
  auto op = ttg::LocalAllocOp::create(tb.builder, tb.loc(), type, initial);
  return verifyMade(arguments, op) ? Value::memDesc(op, *element) : Value();
}

/// self, layout.
static Value load(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  const Value &self = arguments[0];
  std::optional<Attribute> layout = distributedLayout(arguments, 1);
  if (!layout || !checkLayoutFits(arguments, 1, *layout, self.shape()))
    return {};
  auto op = ttg::LocalLoadOp::create(tb.builder, tb.loc(),
                                     tb.tensorType(self.shape(), self.type, *layout), self.ssa);
  return verifyMade(arguments, op) ? Value::tensor(op, self.type) : Value();
}

/// self, value.
static Value store(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  const Value &self = arguments[0];
  Value value = storedTensor(arguments, 1, self.shape(), self.type);
  if (!value)
    return {};
  return verifyMade(arguments, ttg::LocalStoreOp::create(tb.builder, tb.loc(), value.ssa, self.ssa))
             ? Value::none()
             : Value();
}

/// self, start, length, dim.
static Value slice(Arguments &arguments) {
  const Value &self = arguments[0];
  std::optional<int64_t> start = arguments.integer(1), length = arguments.integer(2);
  if (!start || !length)
    return {};
  const auto rank = static_cast<unsigned>(self.shape().size());
  std::optional<unsigned> dim = arguments.given(3) ? arguments.axis(3, rank) : 0;
  if (!dim)
    return {};
  llvm::SmallVector<int64_t> shape(self.shape());
  if (*start < 0 || *length < 1 || *start + *length > shape[*dim])
    return arguments.fail(2,
                          "and 'start' take the elements " + llvm::Twine(*start) + " to " +
                              llvm::Twine(*start + *length - 1) + " of dimension " +
                              llvm::Twine(*dim) + ", which has " + llvm::Twine(shape[*dim]),
                          "a slice must lie within the memory that it is of");
  shape[*dim] = *length;
  llvm::SmallVector<int32_t> offsets(rank, 0);
  offsets[*dim] = static_cast<int32_t>(*start);
  return makeView<ttg::MemDescSubsliceOp>(
      arguments, self.type,
      sharedMemoryType(arguments, self.type, shape, self.encoding(), typeOf(self).getAllocShape()),
      self.ssa, llvm::ArrayRef<int32_t>(offsets));
}

/// The type of one of several buffers, whose shape comes without the first dimension.
static mlir::Type bufferType(const Value &self) {
  ttg::MemDescType type = typeOf(self);
  llvm::ArrayRef<int64_t> shape = type.getShape().drop_front();
  return ttg::MemDescType::get(shape, type.getElementType(), type.getEncoding(),
                               type.getMemorySpace(), /*mutableMemory=*/true, shape);
}

/// self, index.
static Value index(Arguments &arguments) {
  const Value &self = arguments[0];
  if (self.shape().size() < 2)
    return arguments.fail(0, "has one dimension, and no buffers to choose from",
                          "slice takes a part of it");
  if (arguments[1].isIntegral() &&
      (arguments[1].integer < 0 || arguments[1].integer >= self.shape().front()))
    return arguments.fail(1, "is " + arguments[1].repr() + ", but there are " +
                                 llvm::Twine(self.shape().front()) + " buffers");
  Value which = indexArgument(arguments, 1);
  if (!which)
    return {};
  return makeView<ttg::MemDescIndexOp>(arguments, self.type, bufferType(self), self.ssa, which.ssa);
}

/// self, order.
static Value permute(Arguments &arguments) {
  const Value &self = arguments[0];
  llvm::SmallVector<int64_t> given;
  if (!arguments.shape(1, given))
    return {};
  const auto rank = static_cast<unsigned>(self.shape().size());
  llvm::SmallVector<int32_t> order(given.begin(), given.end());
  std::vector<unsigned> dims(order.begin(), order.end());
  if (Result<void> isOrder = layout::verifyOrder(dims, rank); !isOrder)
    return arguments.fail(1, "is no order of the dimensions of " + self.describe(),
                          "name each of 0 to " + std::to_string(rank - 1) + " once");
  ttg::MemDescType type = typeOf(self);
  llvm::SmallVector<int64_t> shape, allocShape(type.getAllocShape().drop_back(rank));
  for (int32_t dim : order) {
    shape.push_back(type.getShape()[dim]);
    allocShape.push_back(type.getAllocShape().take_back(rank)[dim]);
  }
  Attribute layout =
      type.getLayoutRank() == rank ? type.getSharedEncoding().inferTrans(order) : Attribute();
  if (!layout)
    return arguments.fail(1, "permutes " + self.describe() + " in " +
                                 reprOfLayout(self.encoding()) +
                                 ", and no layout describes what comes of it");
  TritonBuilder &tb = arguments.tb;
  mlir::Type result = sharedMemoryType(arguments, self.type, shape, layout, allocShape);
  if (!result)
    return {};
  auto op =
      ttg::MemDescTransOp::create(tb.builder, tb.loc(), self.ssa, llvm::ArrayRef<int32_t>(order));
  op.getResult().setType(llvm::cast<ttg::MemDescType>(result));
  return verifyMade(arguments, op) ? Value::memDesc(op, self.type) : Value();
}

/// self, shape.
static Value reshape(Arguments &arguments) {
  const Value &self = arguments[0];
  llvm::SmallVector<int64_t> shape;
  if (!arguments.shape(1, shape))
    return {};
  int64_t elements = 1, own = 1;
  for (int64_t size : shape)
    elements *= size;
  for (int64_t size : self.shape())
    own *= size;
  if (elements != own)
    return arguments.fail(1, "has " + llvm::Twine(elements) + " elements, the memory " +
                                 llvm::Twine(own) + ": " + describeShape(self.shape()) + " -> " +
                                 describeShape(shape));
  Attribute layout = ttg::inferSharedReshape(typeOf(self), shape);
  if (!layout)
    return arguments.fail(1, "is " + describeShape(shape) + ", and no layout describes " +
                                 self.describe() + " in " + reprOfLayout(self.encoding()) + " so");
  return makeView<ttg::MemDescReshapeOp>(
      arguments, self.type, sharedMemoryType(arguments, self.type, shape, layout), self.ssa);
}

/// self, dtype, shape, layout.
static Value reinterpret(Arguments &arguments) {
  std::optional<DType> element = arguments.type(1);
  llvm::SmallVector<int64_t> shape;
  if (!element || !arguments.shape(2, shape))
    return {};
  std::optional<Attribute> layout = sharedLayout(arguments, 3);
  if (!layout)
    return {};
  return makeView<ttg::MemDescReinterpretOp>(
      arguments, *element, sharedMemoryType(arguments, *element, shape, *layout), arguments[0].ssa);
}

static Value keepAlive(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  ttg::LocalDeallocOp::create(tb.builder, tb.loc(), arguments[0].ssa);
  return Value::none();
}

//===--------------------------------------------------------------------------===//
// Types
//===--------------------------------------------------------------------------===//

/// The type of the arguments dtype, shape and layout, a layout of tensors or of shared memory.
static Value typeOfArguments(const Arguments &arguments, bool isShared) {
  std::optional<DType> element = arguments.type(0);
  llvm::SmallVector<int64_t> shape;
  if (!element || !arguments.shape(1, shape))
    return {};
  std::optional<Attribute> layout =
      isShared ? sharedLayout(arguments, 2) : distributedLayout(arguments, 2);
  return layout ? Value::ofType(*element, shape, *layout) : Value();
}

static Value tensorType(Arguments &arguments) { return typeOfArguments(arguments, false); }

/// element_ty, shape, layout, alloc_shape.
static Value viewType(Arguments &arguments) {
  Value type = typeOfArguments(arguments, true);
  llvm::SmallVector<int64_t> allocShape, shape;
  if (!type || !arguments.shape(3, allocShape) || !arguments.shape(1, shape))
    return {};
  type.isPart = llvm::ArrayRef(allocShape).take_back(shape.size()) != llvm::ArrayRef(shape);
  return type;
}

/// distr_ty, shared_ty: how many accesses a warp makes, for each one that it would make without
/// bank conflicts, beyond that one. Triton counts so for accesses of lanes to 32 banks of 4 bytes.
static Value countBankConflicts(Arguments &arguments) {
  for (size_t index : {0, 1})
    if (const Value &type = arguments[index];
        !type.isBlockType() || !type.layout || isSharedLayout(type.layout) != (index == 1))
      return arguments.fail(index,
                            llvm::Twine("must be the type of ") +
                                (index ? "shared memory" : "a tensor with a layout") + ", not " +
                                type.describe(),
                            index ? "gl.bank_conflicts(tensor.type, memory.type)"
                                  : "gl.bank_conflicts(tensor.type, memory.type); Triton's own "
                                    "takes types, too");
  const Value &tensor = arguments[0], &memory = arguments[1];
  llvm::SmallVector<int64_t> shape, memoryShape;
  for (auto [type, sizes] : {std::pair(&tensor, &shape), {&memory, &memoryShape}})
    for (const Value &size : *type->elements)
      sizes->push_back(static_cast<int64_t>(size.integer));
  if (shape != memoryShape)
    return arguments.fail(1, "has the shape " + describeShape(memoryShape) + ", but the tensor " +
                                 describeShape(shape));
  if (tensor.type != memory.type)
    return arguments.fail(1, "has elements of " + memory.type.str() + ", but the tensor of " +
                                 tensor.type.str());
  if (memory.isPart)
    return arguments.fail(1, "is the type of a part of the memory",
                          "count for the whole memory that it is a part of");
  auto registers = llvm::dyn_cast<tt::LayoutEncoding>(tensor.layout);
  auto shared = llvm::dyn_cast<ttg::SharedLayoutEncoding>(memory.layout);
  if (!registers || !registers.isLinear(shape) || shared.hasPadding())
    return arguments.fail(registers ? 1 : 0,
                          "has no bases that describe its layout: " +
                              reprOfLayout(registers ? memory.layout : tensor.layout));
  ttg::MemDescType type = sharedMemoryType(arguments, memory.type, memoryShape, memory.layout);
  if (!type)
    return {};
  Result<plan::SharedAccessCost> cost = plan::sharedAccessCost(
      registers.toLinearLayout(shape), type.toLinearLayout(), memory.type.bits());
  if (!cost)
    return arguments.tb.fail("bank_conflicts: " + cost.error());
  return Value::ofInteger(cost->transactions / cost->idealTransactions - 1);
}

llvm::ArrayRef<Builtin> frontend::gluonMemoryBuiltins() {
  static constexpr Builtin builtins[] = {
      {"allocate_shared_memory", "element_ty shape layout value?", allocate},
      {"bank_conflicts", "distr_ty shared_ty", countBankConflicts, ConstantOnly},
  };
  return builtins;
}

llvm::ArrayRef<Builtin> frontend::sharedMemoryMethods() {
  static constexpr Builtin builtins[] = {
      {"load", "self layout", load},
      {"store", "self value", store},
      {"slice", "self start length dim?", slice},
      {"index", "self index", index},
      {"permute", "self order", permute},
      {"reshape", "self shape", reshape},
      {"_reinterpret", "self dtype shape layout", reinterpret},
      {"_keep_alive", "self", keepAlive},
  };
  return builtins;
}

llvm::ArrayRef<Builtin> frontend::gluonTypeBuiltins() {
  static constexpr Builtin builtins[] = {
      {"distributed_type", "element_ty shape layout", tensorType, ConstantOnly},
      {"shared_memory_descriptor_type", "element_ty shape layout alloc_shape", viewType,
       ConstantOnly},
  };
  return builtins;
}

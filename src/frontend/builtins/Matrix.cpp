//===- Matrix.cpp - Builtins: cooperative matrices ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The functions of tilewright.matrix.
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"
#include "frontend/builtins/TensorInMemory.h"
#include "ir/tt/Dialect.h"
#include "ir/tw/Dialect.h"

using namespace tilewright;
using namespace tilewright::frontend;
using layout::MatrixUse;
using tw::CombineKind;

static tw::CoopMatrixType typeOf(const Value &matrix) {
  return llvm::cast<tw::CoopMatrixType>(matrix.ssa.getType());
}

//===--------------------------------------------------------------------------===//
// Arguments
//===--------------------------------------------------------------------------===//

static bool isMatrix(const Arguments &arguments, size_t index) {
  if (arguments[index].isMatrix())
    return true;
  return arguments.reject(index, "must be a matrix, not " + arguments[index].describe(),
                          "tw.load and tw.full make matrices");
}

static std::optional<MatrixUse> useArgument(const Arguments &arguments, size_t index) {
  std::optional<std::string> text = arguments.string(index);
  if (!text)
    return std::nullopt;
  if (std::optional<MatrixUse> use = layout::parseMatrixUse(*text))
    return use;
  arguments.fail(index, "is '" + llvm::Twine(*text) + "', which is no use of a matrix",
                 "write tw.matrix_a, tw.matrix_b or tw.matrix_acc");
  return std::nullopt;
}

/// The type of a matrix whose shape is the argument `index`; null after an error.
static tw::CoopMatrixType matrixType(const Arguments &arguments, size_t index, DType element,
                                     size_t useIndex) {
  TritonBuilder &tb = arguments.tb;
  llvm::SmallVector<int64_t> shape;
  std::optional<MatrixUse> use = useArgument(arguments, useIndex);
  if (!use || !arguments.shape(index, shape))
    return {};
  if (shape.size() != 2) {
    arguments.fail(index, "is " + describeShape(shape) + ", but a matrix has two sizes");
    return {};
  }
  if (element.isPointer() || element.isBool() || element.isFloat8()) {
    tb.fail("a matrix cannot have elements of " + element.str(),
            "its elements are integers of 8 to 64 bits, fp16, bf16, fp32 or fp64");
    return {};
  }
  mlir::MLIRContext *context = tb.builder.getContext();
  if (auto valid = layout::CooperativeMatrix::verify(shape[0], shape[1], element.bits(), *use,
                                                     tb.facts.threadsPerWarp);
      !valid) {
    arguments.fail(index, "is " + describeShape(shape) + ": " + valid.error(),
                   "choose rows that are a power of two; columns may be any number");
    return {};
  }
  return tw::CoopMatrixType::get(context, shape[0], shape[1], element.toMLIR(context), *use);
}

/// A scalar of the type of the elements; no value after an error.
static Value elementArgument(const Arguments &arguments, size_t index, DType type) {
  const Value &given = arguments[index];
  if (!given.isNumber() && (!given.isTensor() || given.isBlock() || given.type.isPointer()))
    return arguments.fail(index, "must be a number, not " + given.describe());
  TritonBuilder::At at(arguments.tb, arguments.spanOf(index));
  return arguments.tb.cast(given, type);
}

/// How the reductions and updates of elements of `type` are called in IR.
static CombineKind kindFor(CombineKind kind, DType type) {
  if (!type.isUnsigned())
    return kind;
  return kind == CombineKind::Min   ? CombineKind::UMin
         : kind == CombineKind::Max ? CombineKind::UMax
                                    : kind;
}

//===--------------------------------------------------------------------------===//
// Memory
//===--------------------------------------------------------------------------===//

namespace {
/// Where a matrix is in memory.
struct Place {
  Value base;
  llvm::SmallVector<mlir::Value, 2> offsets, strides, bounds;
  bool transposed = false, rowsChecked = false, colsChecked = false;

  template <typename Op> Op mark(Op op) const {
    op.setTransposed(transposed);
    op.setRowsChecked(rowsChecked);
    op.setColsChecked(colsChecked);
    return op;
  }
};
} // namespace

/// Two integers of `type`; of a parameter that was left out, `otherwise` twice.
static bool pairArgument(const Arguments &arguments, size_t index, DType type,
                         llvm::SmallVectorImpl<mlir::Value> &pair) {
  auto scalars = scalarsArgument(arguments, index, type);
  if (!scalars)
    return false;
  if (scalars->size() != 2)
    return arguments.reject(index,
                            "has " + llvm::Twine(scalars->size()) +
                                (scalars->size() == 1 ? " entry" : " entries"),
                            "give two: for rows and for columns");
  for (const Value &scalar : *scalars)
    pair.push_back(scalar.ssa);
  return true;
}

/// The arguments from `first` on: strides offsets? bounds? checked? transposed?.
static std::optional<Place> placeArguments(const Arguments &arguments, size_t first) {
  const size_t offsets = first + 1, bounds = first + 2, checked = first + 3;
  TritonBuilder &tb = arguments.tb;
  Place place;
  place.base = baseArgument(arguments, 0);
  if (!place.base || !pairArgument(arguments, first, {ScalarKind::Int64}, place.strides))
    return std::nullopt;
  if (!arguments[offsets].isNone()) {
    if (!pairArgument(arguments, offsets, {ScalarKind::Int32}, place.offsets))
      return std::nullopt;
  } else {
    place.offsets.assign(2, tb.constant(Value::ofInteger(0), {ScalarKind::Int32}).ssa);
  }
  if (!arguments[bounds].isNone() &&
      !pairArgument(arguments, bounds, {ScalarKind::Int32}, place.bounds))
    return std::nullopt;
  std::optional<std::string> check = arguments.string(checked);
  std::optional<bool> transposed = arguments.flag(first + 4, false);
  if (!check || !transposed)
    return std::nullopt;
  if (!llvm::is_contained({"", "rows", "cols", "both"}, *check)) {
    arguments.fail(checked, "is '" + llvm::Twine(*check) + "', which is no check",
                   R"(write "rows", "cols" or "both", or leave it out)");
    return std::nullopt;
  }
  place.transposed = *transposed;
  place.rowsChecked = *check == "rows" || *check == "both";
  place.colsChecked = *check == "cols" || *check == "both";
  if (!check->empty() && place.bounds.empty()) {
    arguments.fail(checked, "needs 'bounds' to check against",
                   "give the rows and columns of the tensor in memory: bounds=(m, n)");
    return std::nullopt;
  }
  return place;
}

/// The elements of a load or prefetch.
static tw::CoopMatrixType typeAtBase(const Arguments &arguments, const Place &place) {
  return matrixType(arguments, 1, place.base.type.pointee(), 2);
}

template <typename Op> static Value load(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<Place> place = placeArguments(arguments, 3);
  tw::CoopMatrixType type = place ? typeAtBase(arguments, *place) : tw::CoopMatrixType();
  if (!type)
    return {};
  auto op = Op::create(tb.builder, tb.loc(), type, place->base.ssa, place->offsets[0],
                       place->offsets[1], place->strides[0], place->strides[1], place->bounds);
  return Value::matrix(place->mark(op), place->base.type.pointee());
}

static Value prefetch(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<Place> place = placeArguments(arguments, 3);
  tw::CoopMatrixType type = place ? typeAtBase(arguments, *place) : tw::CoopMatrixType();
  if (!type)
    return {};
  place->mark(tw::CoopMatrixPrefetchOp::create(
      tb.builder, tb.loc(), place->base.ssa, place->offsets[0], place->offsets[1],
      place->strides[0], place->strides[1], place->bounds, false, false, false, type));
  return Value::none();
}

/// The place and matrix of a store; nothing after an error.
static std::optional<Place> storedPlace(Arguments &arguments) {
  std::optional<Place> place = placeArguments(arguments, 2);
  if (!place || !isMatrix(arguments, 1))
    return std::nullopt;
  if (arguments[1].type != place->base.type.pointee()) {
    arguments.fail(1,
                   "is " + arguments[1].describe() + ", but the pointer is one to " +
                       place->base.type.pointee().str(),
                   "convert it with tw.cast");
    return std::nullopt;
  }
  return place;
}

template <typename Op> static Value store(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<Place> place = storedPlace(arguments);
  if (!place)
    return {};
  place->mark(Op::create(tb.builder, tb.loc(), arguments[1].ssa, place->base.ssa, place->offsets[0],
                         place->offsets[1], place->strides[0], place->strides[1], place->bounds));
  return Value::none();
}

template <CombineKind kind> static Value update(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<Place> place = storedPlace(arguments);
  if (!place)
    return {};
  const DType type = arguments[1].type;
  if (type.bits() == 8 || (type.isFloat() && type.bits() == 16 && kind != CombineKind::Add))
    return arguments.fail(1,
                          "is " + arguments[1].describe() + ", of which there is no atomic " +
                              (kind == CombineKind::Add ? "addition" : "minimum or maximum"),
                          "convert it with tw.cast");
  place->mark(tw::CoopMatrixAtomicUpdateOp::create(
      tb.builder, tb.loc(), kindFor(kind, type), arguments[1].ssa, place->base.ssa,
      place->offsets[0], place->offsets[1], place->strides[0], place->strides[1], place->bounds));
  return Value::none();
}

//===--------------------------------------------------------------------------===//
// Arithmetic
//===--------------------------------------------------------------------------===//

static Value full(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<DType> element = arguments.type(2);
  tw::CoopMatrixType type = element ? matrixType(arguments, 0, *element, 3) : tw::CoopMatrixType();
  Value value = type ? elementArgument(arguments, 1, *element) : Value();
  if (!value)
    return {};
  return Value::matrix(tw::CoopMatrixSplatOp::create(tb.builder, tb.loc(), type, value.ssa),
                       *element);
}

static Value mulAdd(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  for (size_t i : {0, 1, 2}) {
    if (!isMatrix(arguments, i))
      return {};
    const MatrixUse expected[] = {MatrixUse::A, MatrixUse::B, MatrixUse::Accumulator};
    if (typeOf(arguments[i]).getUse() != expected[i])
      return arguments.fail(i,
                            "must be a " + std::string(layout::name(expected[i])) + ", not " +
                                arguments[i].describe(),
                            typeOf(arguments[i]).getUse() == MatrixUse::Accumulator
                                ? "make an operand of the accumulator: tw.cast(x, use=tw." +
                                      std::string(layout::name(expected[i])) + ")"
                                : "load it as tw." + std::string(layout::name(expected[i])));
  }
  const DType a = arguments[0].type, b = arguments[1].type, c = arguments[2].type;
  const bool areBytes = a.isInteger() && b.isInteger() && a.bits() == b.bits();
  if (a != b && !areBytes)
    return arguments.fail(1, "has " + b.str() + " elements, but 'a' " + a.str(),
                          "convert one with tw.cast");
  const bool canSum = a.isInteger() ? c.isInteger() && c.bits() >= 32
                                    : c == a || (a.bits() == 16 && c.is(ScalarKind::FP32));
  if (!canSum)
    return arguments.fail(
        2, "has " + c.str() + " elements, in which products of " + a.str() + " cannot be summed",
        a.isInteger() ? "sum in tl.int32" : "sum in tl.float32");
  const tw::CoopMatrixType typeA = typeOf(arguments[0]), typeB = typeOf(arguments[1]),
                           typeC = typeOf(arguments[2]);
  if (typeA.getColumns() != typeB.getRows())
    return arguments.fail(1, "has " + llvm::Twine(typeB.getRows()) + " rows, but 'a' " +
                                 llvm::Twine(typeA.getColumns()) + " columns");
  if (typeC.getRows() != typeA.getRows() || typeC.getColumns() != typeB.getColumns())
    return arguments.fail(2, "is " + arguments[2].describe() + ", but the product is " +
                                 describeShape({typeA.getRows(), typeB.getColumns()}));
  return Value::matrix(tw::CoopMatrixMulAddOp::create(tb.builder, tb.loc(), typeC, arguments[0].ssa,
                                                      arguments[1].ssa, arguments[2].ssa,
                                                      a.isUnsigned(), b.isUnsigned()),
                       c);
}

static Value scale(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  if (!isMatrix(arguments, 1))
    return {};
  Value factor = elementArgument(arguments, 0, arguments[1].type);
  if (!factor)
    return {};
  return Value::matrix(tw::CoopMatrixScaleOp::create(tb.builder, tb.loc(),
                                                     arguments[1].ssa.getType(), factor.ssa,
                                                     arguments[1].ssa),
                       arguments[1].type);
}

static Value castMatrix(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  if (!isMatrix(arguments, 0))
    return {};
  const tw::CoopMatrixType from = typeOf(arguments[0]);
  DType element = arguments[0].type;
  MatrixUse use = from.getUse();
  if (!arguments[1].isNone()) {
    std::optional<DType> asked = arguments.type(1);
    if (!asked)
      return {};
    element = *asked;
  }
  if (!arguments[2].isNone()) {
    std::optional<MatrixUse> asked = useArgument(arguments, 2);
    if (!asked)
      return {};
    use = *asked;
  }
  if (element.isPointer() || element.isBool() || element.isFloat8())
    return arguments.fail(1, "is " + element.str() + ", which no matrix has for elements");
  if (use != from.getUse() && from.getUse() != MatrixUse::Accumulator)
    return arguments.fail(2,
                          "asks for a " + std::string(layout::name(use)) + " of " +
                              arguments[0].describe() + ": only an accumulator changes its use",
                          "load the matrix as what it is to be");
  auto type = tw::CoopMatrixType::get(from.getContext(), from.getRows(), from.getColumns(),
                                      element.toMLIR(from.getContext()), use);
  const DType before = arguments[0].type;
  // Of two integers the one that is extended says how.
  const bool isUnsigned = before.isInteger() ? before.isUnsigned() : element.isUnsigned();
  return Value::matrix(
      tb.builder.createOrFold<tw::CoopMatrixCastOp>(tb.loc(), type, arguments[0].ssa, isUnsigned),
      element);
}

template <CombineKind kind> static Value reduce(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  if (!isMatrix(arguments, 0))
    return {};
  std::optional<unsigned> axis = arguments.axis(1, 2);
  if (!axis)
    return {};
  const tw::CoopMatrixType from = typeOf(arguments[0]);
  auto type = tw::CoopMatrixType::get(from.getContext(), *axis == 0 ? 1 : from.getRows(),
                                      *axis == 1 ? 1 : from.getColumns(), from.getElementType(),
                                      from.getUse());
  const DType element = arguments[0].type;
  return Value::matrix(tw::CoopMatrixReduceOp::create(tb.builder, tb.loc(), type,
                                                      kindFor(kind, element), arguments[0].ssa,
                                                      *axis),
                       element);
}

//===--------------------------------------------------------------------------===//
// Components
//===--------------------------------------------------------------------------===//

/// A component that the matrix `matrix` has in each lane.
static std::optional<int64_t> componentArgument(const Arguments &arguments, size_t index,
                                                const Value &matrix) {
  std::optional<int64_t> component = arguments.integer(index);
  if (!component)
    return std::nullopt;
  const int64_t count = typeOf(matrix).getMatrix(arguments.tb.facts.threadsPerWarp).registerCount();
  if (*component >= 0 && *component < count)
    return component;
  arguments.fail(index, "is " + llvm::Twine(*component) + ", but " + matrix.describe() + " has " +
                            llvm::Twine(count) + (count == 1 ? " component" : " components") +
                            " in each of the " + llvm::Twine(arguments.tb.facts.threadsPerWarp) +
                            " lanes");
  return std::nullopt;
}

static Value extract(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  if (!isMatrix(arguments, 0))
    return {};
  std::optional<int64_t> component = componentArgument(arguments, 1, arguments[0]);
  if (!component)
    return {};
  auto type = mlir::RankedTensorType::get({int64_t(tb.facts.threadsPerWarp)},
                                          typeOf(arguments[0]).getElementType());
  return Value::tensor(
      tw::CoopMatrixExtractOp::create(tb.builder, tb.loc(), type, arguments[0].ssa, *component),
      arguments[0].type);
}

static Value insert(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  if (!isMatrix(arguments, 1))
    return {};
  std::optional<int64_t> component = componentArgument(arguments, 2, arguments[1]);
  Value value = component ? arguments.tensor(0) : Value();
  if (!value)
    return {};
  if (value.type.isPointer())
    return arguments.fail(0, "is " + value.describe() + ", which no matrix has for elements");
  TritonBuilder::At at(tb, arguments.spanOf(0));
  value = tb.broadcastTo(tb.cast(value, arguments[1].type), {int64_t(tb.facts.threadsPerWarp)},
                         "insert: 'value', one element for each lane");
  if (!value)
    return {};
  return Value::matrix(tw::CoopMatrixInsertOp::create(tb.builder, tb.loc(),
                                                      arguments[1].ssa.getType(), value.ssa,
                                                      arguments[1].ssa, *component),
                       arguments[1].type);
}

static Value apply(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  if (!isMatrix(arguments, 0) || !arguments.isFunction(1))
    return {};
  const tw::CoopMatrixType from = typeOf(arguments[0]);
  const DType i32{ScalarKind::Int32};
  mlir::Region body;
  DType element;
  {
    mlir::OpBuilder::InsertionGuard guard(tb.builder);
    mlir::Type word = i32.toMLIR(from.getContext());
    llvm::SmallVector<mlir::Type> types = {word, word, from.getElementType()};
    llvm::SmallVector<mlir::Location> locations(types.size(), tb.loc());
    mlir::Block *block = tb.builder.createBlock(&body, {}, types, locations);
    Value returned = arguments.call(1, {Value::tensor(block->getArgument(0), i32),
                                        Value::tensor(block->getArgument(1), i32),
                                        Value::tensor(block->getArgument(2), arguments[0].type)});
    if (!returned)
      return {};
    if (!returned.isNumber() && (!returned.isTensor() || returned.isBlock()))
      return arguments.fail(1, "returns " + returned.describe() + " where it is to return a number",
                            "return the new element");
    returned = tb.toTensor(returned);
    if (!returned)
      return {};
    element = returned.type;
    if (element.isPointer() || element.isBool() || element.isFloat8())
      return arguments.fail(1, "returns " + element.str() + ", which no matrix has for elements",
                            "convert what it returns with .to(..)");
    tw::CoopMatrixApplyReturnOp::create(tb.builder, tb.loc(), returned.ssa);
  }
  auto type = tw::CoopMatrixType::get(from.getContext(), from.getRows(), from.getColumns(),
                                      element.toMLIR(from.getContext()), from.getUse());
  auto op = tw::CoopMatrixApplyOp::create(tb.builder, tb.loc(), type, arguments[0].ssa);
  op.getBody().takeBody(body);
  return Value::matrix(op, element);
}

//===--------------------------------------------------------------------------===//
// The table
//===--------------------------------------------------------------------------===//

llvm::ArrayRef<Builtin> frontend::matrixBuiltins() {
  static constexpr llvm::StringLiteral
      loaded = "base shape use strides offsets? bounds? checked? transposed?",
      stored = "base matrix strides offsets? bounds? checked? transposed?";
  static constexpr Builtin builtins[] = {
      {"load", loaded, load<tw::CoopMatrixLoadOp>},
      {"store", stored, store<tw::CoopMatrixStoreOp>},
      {"atomic_load", loaded, load<tw::CoopMatrixAtomicLoadOp>},
      {"atomic_store", stored, store<tw::CoopMatrixAtomicStoreOp>},
      {"atomic_add", stored, update<CombineKind::Add>},
      {"atomic_min", stored, update<CombineKind::Min>},
      {"atomic_max", stored, update<CombineKind::Max>},
      {"prefetch", loaded, prefetch},
      {"full", "shape value dtype use", full},
      {"mul_add", "a b c", mulAdd},
      {"scale", "factor matrix", scale},
      {"cast", "matrix dtype? use?", castMatrix},
      {"sum", "matrix axis", reduce<CombineKind::Add>},
      {"min", "matrix axis", reduce<CombineKind::Min>},
      {"max", "matrix axis", reduce<CombineKind::Max>},
      {"extract", "matrix component", extract},
      {"insert", "value matrix component", insert},
      {"apply", "matrix function", apply},
  };
  return builtins;
}

llvm::StringRef frontend::closestMatrixName(llvm::StringRef name) {
  return closestOf(name, llvm::map_to_vector(matrixBuiltins(),
                                             [](const Builtin &builtin) { return builtin.name; }));
}

//===- Tensors.cpp - Builtins of Gluon: tensors with layouts ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/gluon/Gluon.h"

#include "ir/gluon/Dialect.h"
#include "ir/ttg/encoding/Inference.h"
#include "llvm/Support/MathExtras.h"

using namespace tilewright;
using namespace tilewright::frontend;
using mlir::Attribute;

static Value arange(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<int64_t> start = arguments.integer(0);
  std::optional<int64_t> end = start ? arguments.integer(1) : std::nullopt;
  std::optional<Attribute> layout = end ? layoutOrAuto(arguments, 2) : std::nullopt;
  if (!layout)
    return {};
  if (*end <= *start || *start < 0 || *end > INT32_MAX)
    return tb.fail("gl.arange needs an end greater than its start, got " + llvm::Twine(*start) +
                       " and " + llvm::Twine(*end),
                   "give the start first, then the end");
  const int64_t length = *end - *start;
  if (!checkTileShape(arguments, 1, length) || !checkLayoutFits(arguments, 2, *layout, length))
    return {};
  const DType type{ScalarKind::Int32};
  return Value::tensor(
      tt::MakeRangeOp::create(tb.builder, tb.loc(), tb.tensorType(length, type, *layout),
                              static_cast<uint32_t>(*start), static_cast<uint32_t>(*end)),
      type);
}

/// A tensor full of the argument `valueIndex`, a number or a scalar; a scalar for the empty shape.
static Value fill(Arguments &arguments, size_t valueIndex, const Value &value, DType type,
                  llvm::ArrayRef<int64_t> shape, size_t layoutIndex, Attribute layout) {
  TritonBuilder &tb = arguments.tb;
  if (!value.isNumber() && (!value.isTensor() || value.isBlock()))
    return arguments.fail(valueIndex, "must be a number or a scalar, not " + value.describe());
  if (!shape.empty() && (!checkTileShape(arguments, 0, shape) ||
                         !checkLayoutFits(arguments, layoutIndex, layout, shape)))
    return {};
  if (value.isNumber()) {
    if (type.isPointer())
      return tb.fail("a tensor of pointers cannot be filled with " + value.describe());
    const bool isFloat = value.kind == ValueKind::Float;
    if (isFloat && !type.isFloat())
      return tb.broadcastTo(tb.cast(value, type), shape, "gl.full", layout);
    return tb.constant(value, type, shape, layout);
  }
  Value scalar = tb.cast(value, type);
  return shape.empty() ? scalar : tb.broadcastTo(scalar, shape, "gl.full", layout);
}

static Value full(Arguments &arguments) {
  llvm::SmallVector<int64_t> shape;
  std::optional<DType> type = arguments.type(2);
  std::optional<Attribute> layout = type ? layoutOrAuto(arguments, 3) : std::nullopt;
  if (!layout || !arguments.shape(0, shape))
    return {};
  return fill(arguments, 1, arguments[1], *type, shape, 3, *layout);
}

static Value zeros(Arguments &arguments) {
  llvm::SmallVector<int64_t> shape;
  std::optional<DType> type = arguments.type(1);
  std::optional<Attribute> layout = type ? layoutOrAuto(arguments, 2) : std::nullopt;
  if (!layout || !arguments.shape(0, shape))
    return {};
  return fill(arguments, 0, Value::ofInteger(0), *type, shape, 2, *layout);
}

/// A tensor like the argument 0 but for the shape, the type and the layout, which the arguments
/// from `shapeIndex` on may say.
static Value fillLike(Arguments &arguments, size_t valueIndex, const Value &value,
                      size_t shapeIndex) {
  const Value &like = arguments[0];
  if (!like.isBlock())
    return arguments.fail(0, "must be a tensor, not " + like.describe());
  auto isGiven = [&](size_t index) { return !arguments[index].isNone(); };
  llvm::SmallVector<int64_t> shape(like.shape());
  if (isGiven(shapeIndex)) {
    shape.clear();
    if (!arguments.shape(shapeIndex, shape))
      return {};
  }
  std::optional<DType> type = like.type;
  if (isGiven(shapeIndex + 1))
    type = arguments.type(shapeIndex + 1);
  std::optional<Attribute> layout = like.encoding();
  if (isGiven(shapeIndex + 2))
    layout = distributedLayout(arguments, shapeIndex + 2);
  if (!type || !layout)
    return {};
  return fill(arguments, valueIndex, value, *type, shape, shapeIndex + 2, *layout);
}

static Value fullLike(Arguments &arguments) { return fillLike(arguments, 1, arguments[1], 2); }
static Value zerosLike(Arguments &arguments) {
  return fillLike(arguments, 0, Value::ofInteger(0), 1);
}

//===--------------------------------------------------------------------------===//
// Layouts
//===--------------------------------------------------------------------------===//

/// A tensor's argument; no value, after an error, if it is none.
static Value tensorArgument(const Arguments &arguments, size_t index) {
  const Value &value = arguments[index];
  if (value.isBlock())
    return value;
  return arguments.fail(index, "must be a tensor, not " + value.describe(),
                        value.isAccumulator() ? "wait for it with warpgroup_mma_wait" : "");
}

/// Whether no value moves to another thread between the two layouts, but for copies that a thread
/// or several have already.
static bool isTrivial(Attribute from, Attribute to, llvm::ArrayRef<int64_t> shape) {
  auto source = llvm::dyn_cast<tt::LayoutEncoding>(from);
  auto target = llvm::dyn_cast<tt::LayoutEncoding>(to);
  if (!source || !target)
    return from == to;
  return source.toLinearLayout(shape).sameMapAs(target.toLinearLayout(shape));
}

static Value convertLayout(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value value = tensorArgument(arguments, 0);
  std::optional<Attribute> layout = value ? distributedLayout(arguments, 1) : std::nullopt;
  std::optional<bool> isAsserted = layout ? arguments.flag(2, false) : std::nullopt;
  if (!isAsserted || !checkLayoutFits(arguments, 1, *layout, value.shape()))
    return {};
  if (*isAsserted && !isTrivial(value.encoding(), *layout, value.shape()))
    return tb.fail("layout conversion from " + reprOfLayout(value.encoding()) + " to " +
                       reprOfLayout(*layout) + " is not trivial",
                   differingBases(value.encoding(), *layout, value.shape()));
  auto type = tb.tensorType(value.shape(), value.type, *layout);
  return Value::tensor(ttg::ConvertLayoutOp::create(tb.builder, tb.loc(), type, value.ssa),
                       value.type);
}

static Value setAutoLayout(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value value = tensorArgument(arguments, 0);
  std::optional<Attribute> layout = value ? distributedLayout(arguments, 1) : std::nullopt;
  if (!layout || !checkLayoutFits(arguments, 1, *layout, value.shape()))
    return {};
  if (!isAutoLayout(value.encoding()))
    return arguments.fail(
        0, "must have AutoLayout, but its layout is " + reprOfLayout(value.encoding()),
        "gl.convert_layout brings a tensor from one layout to another");
  if (isAutoLayout(*layout))
    return arguments.fail(1, "must be a layout that is decided, or CoalescedLayout");
  auto type = tb.tensorType(value.shape(), value.type, *layout);
  return Value::tensor(gluon::SetAutoLayoutOp::create(tb.builder, tb.loc(), type, value.ssa),
                       value.type);
}

/// The layout as one of bases alone.
static Value toLinearLayout(Arguments &arguments) {
  const Value &value = arguments[0];
  llvm::SmallVector<int64_t> shape;
  if (!arguments.shape(1, shape))
    return {};
  if (!value.isLayout())
    return arguments.fail(0, "must be a layout, not " + value.describe());
  if (isAutoLayout(value.layout) || llvm::isa<ttg::LinearEncodingAttr>(value.layout))
    return value;
  mlir::MLIRContext *context = arguments.tb.builder.getContext();
  if (auto encoding = llvm::dyn_cast<tt::LayoutEncoding>(value.layout)) {
    if (encoding.getRank() != shape.size())
      return arguments.fail(1, "has " + llvm::Twine(shape.size()) +
                                   " dimensions, but the layout has " +
                                   llvm::Twine(encoding.getRank()));
    if (encoding.isLinear(shape))
      if (Attribute linear = ttg::encodingOf(context, encoding.toLinearLayout(shape)))
        return Value::ofLayout(linear);
  }
  return arguments.fail(0, "has no bases that describe it: " + reprOfLayout(value.layout));
}

/// src, elem_type, axis: two e2m1 numbers of each byte, the first in its low half.
static Value unpackFloat4(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value source = tensorArgument(arguments, 0);
  std::optional<DType> type = source ? arguments.type(1) : std::nullopt;
  if (!type)
    return {};
  if (!source.type.is(ScalarKind::UInt8) && !source.type.is(ScalarKind::Int8))
    return arguments.fail(0, "must be a tensor of bytes, not " + source.describe());
  if (!type->is(ScalarKind::FP16) && !type->is(ScalarKind::BF16))
    return arguments.fail(1, "must be gl.float16 or gl.bfloat16, not " + type->str());
  std::optional<unsigned> axis = arguments.axis(2, static_cast<unsigned>(source.shape().size()));
  if (!axis)
    return {};
  const Attribute from = source.encoding();
  const Attribute layout =
      isUndecidedLayout(from) ? from : ttg::inferUnpack(source.shape(), from, *axis);
  if (!layout)
    return arguments.fail(0, "is in a layout of which no layout of pairs follows: " +
                                 reprOfLayout(from));
  llvm::SmallVector<int64_t> shape(source.shape());
  shape[*axis] *= 2;
  auto op = ttg::Fp4ToFpOp::create(tb.builder, tb.loc(), tb.tensorType(shape, *type, layout),
                                   source.ssa, static_cast<int32_t>(*axis));
  return verifyMade(arguments, op) ? Value::tensor(op, *type) : Value();
}

static Value histogram(Arguments &arguments) {
  if (arguments[3].isNone())
    return arguments.fail(3, "is missing: the layout of the result", "give layout=..");
  std::optional<Attribute> layout = distributedLayout(arguments, 3);
  return layout ? histogramIn(arguments, *layout) : Value();
}

//===--------------------------------------------------------------------------===//
// Where the code runs
//===--------------------------------------------------------------------------===//

static Value numWarps(Arguments &arguments) {
  return Value::ofInteger(arguments.tb.facts.numWarps);
}

static Value numCTAs(Arguments &arguments) { return Value::ofInteger(arguments.tb.facts.numCTAs); }

static Value threadBarrier(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  ttg::BarrierOp::create(tb.builder, tb.loc(), ttg::BarrierSpace::All);
  return Value::none();
}

/// Who generates the kernel's code does it; this is where there is no kernel.
static Value specializeAlone(Arguments &arguments) {
  return arguments.tb.fail("warp_specialize is called outside of a kernel");
}

llvm::ArrayRef<Builtin> frontend::gluonTensorBuiltins() {
  static constexpr Builtin builtins[] = {
      {"arange", "start end layout?", arange},
      {"full", "shape value dtype layout?", full},
      {"zeros", "shape dtype layout?", zeros},
      {"full_like", "input value shape? dtype? layout?", fullLike},
      {"zeros_like", "input shape? dtype? layout?", zerosLike},
      {"convert_layout", "value layout assert_trivial?", convertLayout},
      {"set_auto_layout", "value layout", setAutoLayout},
      {"to_linear_layout", "layout shape", toLinearLayout, ConstantOnly},
      {"fp4_to_fp", "src elem_type axis", unpackFloat4},
      {"histogram", "input num_bins mask? layout?", histogram},
      {"warp_specialize", "functions_and_args worker_num_warps worker_num_regs", specializeAlone,
       Specializes},
      {"num_warps", "", numWarps, ConstantOnly},
      {"num_ctas", "", numCTAs, ConstantOnly},
      {"thread_barrier", "", threadBarrier},
  };
  return builtins;
}

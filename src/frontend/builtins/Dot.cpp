//===- Dot.cpp - Builtins: matrix products ------------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include "ir/tt/Dialect.h"
#include "target/Atom.h"
#include "target/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tilewright;
using namespace tilewright::frontend;
using llvm::StringRef;
using llvm::Twine;

/// Operand `index` as a tensor with dimensions.
static Value blockArgument(Arguments &arguments, size_t index) {
  const Value &value = arguments[index];
  if (value.isBlock())
    return value;
  return arguments.fail(index, "must be a tensor of at least 2 dimensions, not " + value.describe(),
                        "for a scalar, multiply with `*`");
}

/// The type to sum in: that of the accumulator if only that is given.
static std::optional<DType> outType(Arguments &arguments, size_t typeIndex, const Value &acc) {
  if (arguments.given(typeIndex))
    return arguments.type(typeIndex);
  return acc.isBlock() ? acc.type : DType{ScalarKind::FP32};
}

/// The accumulator, which must have this type and shape; zeros where none is given.
static Value accumulator(Arguments &arguments, size_t index, DType type,
                         llvm::ArrayRef<int64_t> shape) {
  const Value &acc = arguments[index];
  if (acc.isNone())
    return arguments.tb.constant(Value::ofInteger(0), type, shape);
  if (!acc.isBlock() || acc.shape() != shape || acc.type != type)
    return arguments.fail(index,
                          "must be a " + type.str() + " tensor " + describeShape(shape) +
                              " like the product, not " + acc.describe(),
                          "start from tl.zeros(" + describeShape(shape) + ", dtype=tl." +
                              languageName(type.scalar) + ")");
  return acc;
}

//===--------------------------------------------------------------------------===//
// tl.dot
//===--------------------------------------------------------------------------===//

namespace {
/// The parameters of tl.dot, in its order.
enum DotParameter { Input, Other, Acc, Precision, AllowTF32, ImpreciseAcc, OutType };
} // namespace

/// Whether the element types of the operands go together.
static bool checkElementTypes(Arguments &arguments, DType left, DType right) {
  auto isMultiplied = [](DType type) { return type.isFloat() || type.is(ScalarKind::Int8); };
  for (auto [index, type] : {std::pair(Input, left), std::pair(Other, right)})
    if (!isMultiplied(type))
      return arguments.reject(
          index, "has " + type.str() + " elements; tl.dot multiplies i8 and floating-point types",
          "convert with .to(tl.float32), or to tl.int8");
  if (left == right || (left.isFloat8() && right.isFloat8()))
    return true;
  return arguments.reject(Other,
                          "has " + right.str() + " elements but 'input' " + left.str() +
                              "; they must be of one type, or both of 8-bit floats",
                          "convert one with .to(..)");
}

/// The type of the product's elements.
static std::optional<DType> productType(Arguments &arguments, DType element, const Value &acc) {
  std::optional<DType> asked = outType(arguments, OutType, acc);
  if (!asked)
    return std::nullopt;
  if (element.isInteger())
    return DType{ScalarKind::Int32};
  if (element.is(ScalarKind::FP64) || element.is(ScalarKind::FP32))
    return element;
  if (asked->is(ScalarKind::FP32) || (asked->is(ScalarKind::FP16) && !element.is(ScalarKind::BF16)))
    return asked;
  if (asked->is(ScalarKind::FP16))
    return DType{ScalarKind::FP32};
  arguments.fail(arguments.given(OutType) ? OutType : Acc,
                 "asks for sums in " + asked->str() + ", but products of " + element.str() +
                     " are summed in fp32 or fp16",
                 "leave it out, and convert the product with .to(..)");
  return std::nullopt;
}

/// The variable of the environment that has the precision of products which name none.
static constexpr llvm::StringLiteral defaultPrecision = "TRITON_F32_DEFAULT";

static std::optional<tt::InputPrecision> inputPrecision(Arguments &arguments) {
  if (!arguments[Precision].isNone() && !arguments[AllowTF32].isNone()) {
    arguments.fail(AllowTF32, "and 'input_precision' exclude each other",
                   "leave out allow_tf32: it is the older way to say input_precision");
    return std::nullopt;
  }
  std::optional<std::string> name = arguments.string(Precision);
  std::optional<bool> allowTF32 = name ? arguments.flag(AllowTF32, true) : std::nullopt;
  if (!allowTF32)
    return std::nullopt;
  // As in Triton, the variable counts more than allow_tf32.
  const bool isNamed = !name->empty();
  if (!isNamed)
    name = arguments.tb.variableOfEnvironment(defaultPrecision).value_or("");
  if (name->empty())
    return *allowTF32 ? tt::InputPrecision::TF32 : tt::InputPrecision::IEEE;
  std::string lower = StringRef(*name).lower();
  if (std::optional<tt::InputPrecision> precision = tt::symbolizeInputPrecision(lower))
    return precision;
  const std::string is = "is \"" + *name + "\", which is no precision";
  const std::string known = "\"tf32\", \"tf32x3\", \"ieee\", \"bf16x3\" or \"bf16x6\"";
  if (isNamed)
    arguments.fail(Precision, is, "write " + known);
  else
    arguments.tb.fail("the variable " + defaultPrecision + " of the environment " + is,
                      "set it to " + known);
  return std::nullopt;
}

/// Whether the target's matrix units sum 8-bit floats with fewer bits than fp32 has: those of
/// warpgroups do.
static bool sumsFloat8Imprecisely(llvm::StringRef targetName) {
  const target::Target *target = target::Target::find(targetName);
  return target && llvm::any_of(target->products(), [](const target::MmaAtom &atom) {
           return atom.issuer == target::Issuer::WarpGroup && target::bitsOf(atom.a) == 8 &&
                  atom.accumulator == target::MmaType::F32;
         });
}

/// How many elements along K may be summed so before the sum is added in fp32. Where nothing is
/// said there is no limit, which is the default of Triton's back ends.
static std::optional<int64_t> impreciseAccumulations(Arguments &arguments, bool float8, int64_t k) {
  if (arguments[ImpreciseAcc].isNone())
    return float8 && sumsFloat8Imprecisely(arguments.tb.facts.target) ? int64_t(1) << 30 : 0;
  std::optional<int64_t> number = arguments.integer(ImpreciseAcc);
  if (number && float8 && *number > k) {
    arguments.tb.failAt(arguments.spanOf(ImpreciseAcc), "max_num_imprecise_acc (" + Twine(*number) +
                                                            ") must be <= K (" + Twine(k) + ")");
    return std::nullopt;
  }
  if (number && (*number < 0 || *number > INT32_MAX)) {
    arguments.fail(ImpreciseAcc,
                   "is " + Twine(*number) + ", but there are " + Twine(k) + " products to sum");
    return std::nullopt;
  }
  return number;
}

/// Whether the shapes of the operands go together; `shape` becomes that of the product.
static bool checkShapes(Arguments &arguments, llvm::ArrayRef<int64_t> left,
                        llvm::ArrayRef<int64_t> right, llvm::SmallVectorImpl<int64_t> &shape) {
  const char *const remedy = "the product of [.., M, K] and [.., K, N] is [.., M, N]";
  auto differ = [&](const Twine &what) {
    return arguments.reject(
        Other, what + ": 'input' is " + describeShape(left) + " and it is " + describeShape(right),
        remedy);
  };
  if (left.size() < 2 || left.size() != right.size())
    return differ("must have as many dimensions as 'input', and at least 2");
  if (left.back() != right[right.size() - 2])
    return differ("must have as many rows as 'input' has columns");
  if (left.drop_back(2) != right.drop_back(2))
    return differ("must have the batches of 'input'");
  shape.assign(left.begin(), left.end());
  shape.back() = right.back();
  int64_t elements = 1;
  for (int64_t size : shape)
    elements *= size;
  return elements <= tt::maxTensorElements ||
         arguments.tb.fail(arguments.builtin.name + ": the product " + describeShape(shape) +
                               " has more than " + Twine(tt::maxTensorElements) + " elements",
                           "make the tiles smaller");
}

/// Several batch dimensions as one.
static Value withOneBatch(TritonBuilder &tb, const Value &value) {
  llvm::ArrayRef<int64_t> shape = value.shape();
  if (shape.size() <= 3)
    return value;
  int64_t batches = 1;
  for (int64_t size : shape.drop_back(2))
    batches *= size;
  return tb.reshape(value, {batches, shape[shape.size() - 2], shape.back()},
                    /*mayReorder=*/false);
}

static Value dot(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Value left = blockArgument(arguments, Input),
        right = left ? blockArgument(arguments, Other) : left;
  llvm::SmallVector<int64_t> shape;
  if (!right || !checkElementTypes(arguments, left.type, right.type) ||
      !checkShapes(arguments, left.shape(), right.shape(), shape))
    return {};
  const bool float8 = left.type.isFloat8() && right.type.isFloat8();
  std::optional<DType> type = productType(arguments, left.type, arguments[Acc]);
  std::optional<tt::InputPrecision> precision = type ? inputPrecision(arguments) : std::nullopt;
  if (!precision)
    return {};
  std::optional<int64_t> imprecise = impreciseAccumulations(arguments, float8, left.shape().back());
  Value acc = imprecise ? accumulator(arguments, Acc, *type, shape) : Value();
  if (!acc)
    return {};
  // Of 8-bit floats only e4m3 and e5m2 are multiplied as they are; the others are exact in fp16.
  auto isNative = [](DType element) {
    return element.is(ScalarKind::FP8E4NV) || element.is(ScalarKind::FP8E5);
  };
  if (float8 && !(isNative(left.type) && isNative(right.type))) {
    left = tb.cast(left, {ScalarKind::FP16});
    right = tb.cast(right, {ScalarKind::FP16});
    if (!left || !right)
      return {};
  }
  acc = withOneBatch(tb, acc);
  mlir::Value product = tt::DotOp::create(tb.builder, tb.loc(), acc.ssa.getType(),
                                          withOneBatch(tb, left).ssa, withOneBatch(tb, right).ssa,
                                          acc.ssa, *precision, static_cast<uint32_t>(*imprecise));
  return tb.reshape(Value::tensor(product, *type), shape, /*mayReorder=*/false);
}

//===--------------------------------------------------------------------------===//
// tl.dot_scaled
//===--------------------------------------------------------------------------===//

namespace {
/// The parameters of tl.dot_scaled, in its order.
enum ScaledParameter {
  Lhs,
  LhsScale,
  LhsFormat,
  Rhs,
  RhsScale,
  RhsFormat,
  ScaledAcc,
  FastMath,
  LhsKPack,
  RhsKPack,
  ScaledOutType
};

/// One side of the product, elements counted.
struct ScaledOperand {
  Value value;
  tt::ScaleDotElemType format;
  bool alongK = true;
  llvm::SmallVector<int64_t> shape;
};
} // namespace

/// An operand whose format is argument `formatIndex`, with its bits in that format's type.
static std::optional<ScaledOperand> scaledOperand(Arguments &arguments, size_t index,
                                                  size_t formatIndex, size_t packIndex) {
  ScaledOperand operand;
  operand.value = blockArgument(arguments, index);
  std::optional<std::string> name = operand.value ? arguments.string(formatIndex) : std::nullopt;
  std::optional<bool> alongK = name ? arguments.flag(packIndex, true) : std::nullopt;
  if (!alongK)
    return std::nullopt;
  operand.alongK = *alongK;
  using Format = tt::ScaleDotElemType;
  std::optional<Format> format = llvm::StringSwitch<std::optional<Format>>(*name)
                                     .Case("e4m3", Format::E4M3)
                                     .Case("e5m2", Format::E5M2)
                                     .Case("e2m1", Format::E2M1)
                                     .Case("bf16", Format::BF16)
                                     .Case("fp16", Format::FP16)
                                     .Default(std::nullopt);
  if (!format) {
    arguments.fail(formatIndex, "is \"" + *name + "\", which is no format",
                   "write \"e2m1\", \"e4m3\", \"e5m2\", \"bf16\" or \"fp16\"");
    return std::nullopt;
  }
  operand.format = *format;
  if (operand.value.shape().size() < 2 || operand.value.shape().size() > 3) {
    arguments.fail(index,
                   "must have 2 dimensions, or 3 with a batch, not " + operand.value.describe());
    return std::nullopt;
  }
  if (!operand.alongK && *format != Format::E2M1) {
    arguments.fail(packIndex, "is False, but only e2m1 comes packed along another dimension",
                   "leave it out");
    return std::nullopt;
  }

  // The type of the format, and the integers that may hold its bits.
  struct Types {
    ScalarKind own, bits;
  };
  Types types = *format == Format::E4M3   ? Types{ScalarKind::FP8E4NV, ScalarKind::UInt8}
                : *format == Format::E5M2 ? Types{ScalarKind::FP8E5, ScalarKind::UInt8}
                : *format == Format::BF16 ? Types{ScalarKind::BF16, ScalarKind::UInt16}
                : *format == Format::FP16 ? Types{ScalarKind::FP16, ScalarKind::UInt16}
                                          : Types{ScalarKind::UInt8, ScalarKind::UInt8};
  DType given = operand.value.type;
  if (!given.is(types.own) && !given.is(types.bits)) {
    arguments.fail(index,
                   "has " + given.str() + " elements, but the format " + *name + " comes as " +
                       (types.own == types.bits ? "" : DType{types.own}.str() + " or ") +
                       DType{types.bits}.str(),
                   "use .to(.., bitcast=True) if these are its bits");
    return std::nullopt;
  }
  if (given.is(types.bits) && types.own != types.bits)
    operand.value = arguments.tb.bitcast(operand.value, {types.own});
  operand.shape.assign(operand.value.shape().begin(), operand.value.shape().end());
  return operand;
}

/// Whether the scales, if there are any, are [rows, k / group].
static bool checkScale(Arguments &arguments, size_t index, llvm::ArrayRef<int64_t> batches,
                       int64_t rows, int64_t k, mlir::Value &scale) {
  const Value &value = arguments[index];
  if (value.isNone())
    return true;
  const bool isFloat = value.isBlock() && value.type.is(ScalarKind::FP8E4NV);
  const int64_t group = isFloat ? 16 : 32;
  llvm::SmallVector<int64_t> shape(batches);
  shape.append({rows, k / group});
  if (!value.isBlock() || (!isFloat && !value.type.is(ScalarKind::UInt8)))
    return arguments.reject(index, "must be a tensor of u8 exponents (e8m0) or of fp8e4nv, not " +
                                       value.describe());
  if (k % group || value.shape() != llvm::ArrayRef(shape))
    return arguments.reject(index,
                            "must be " + describeShape(shape) + ", one scale for each " +
                                Twine(group) + " elements along K, not " +
                                describeShape(value.shape()),
                            index == RhsScale ? "the scales of rhs are [N, K / 32]: do not "
                                                "transpose them"
                                              : "");
  scale = value.ssa;
  return true;
}

static Value dotScaled(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  std::optional<ScaledOperand> left = scaledOperand(arguments, Lhs, LhsFormat, LhsKPack);
  std::optional<ScaledOperand> right =
      left ? scaledOperand(arguments, Rhs, RhsFormat, RhsKPack) : std::nullopt;
  if (!right)
    return {};
  if (left->shape.size() != right->shape.size())
    return arguments.fail(Rhs, "must have as many dimensions as 'lhs'");
  const size_t rank = left->shape.size(), m = rank - 2, n = rank - 1;
  if (left->format == tt::ScaleDotElemType::E2M1)
    left->shape[left->alongK ? n : m] *= 2;
  if (right->format == tt::ScaleDotElemType::E2M1)
    right->shape[right->alongK ? m : n] *= 2;
  llvm::SmallVector<int64_t> shape;
  if (left->shape[n] != right->shape[m])
    return arguments.fail(Rhs,
                          "has " + Twine(right->shape[m]) + " elements along K, but 'lhs' has " +
                              Twine(left->shape[n]),
                          "two e2m1 elements count for each byte");
  if (rank == 3 && left->shape[0] != right->shape[0])
    return arguments.fail(Rhs, "must have the batches of 'lhs'");
  shape.assign(left->shape.begin(), left->shape.end());
  shape.back() = right->shape[n];

  std::optional<DType> type = outType(arguments, ScaledOutType, Value::none());
  if (!type)
    return {};
  if (!type->is(ScalarKind::FP32))
    return arguments.fail(ScaledOutType, "must be tl.float32", "convert the product with .to(..)");
  std::optional<bool> fastMath = arguments.flag(FastMath, false);
  mlir::Value leftScale, rightScale;
  llvm::ArrayRef<int64_t> batches = llvm::ArrayRef(shape).drop_back(2);
  const int64_t k = left->shape[n];
  if (!fastMath || !checkScale(arguments, LhsScale, batches, shape[m], k, leftScale) ||
      !checkScale(arguments, RhsScale, batches, shape[n], k, rightScale))
    return {};
  Value acc = accumulator(arguments, ScaledAcc, *type, shape);
  if (!acc)
    return {};
  mlir::Value product = tt::DotScaledOp::create(
      tb.builder, tb.loc(), acc.ssa.getType(), left->value.ssa, right->value.ssa, acc.ssa,
      leftScale, rightScale, left->format, right->format, *fastMath, left->alongK, right->alongK);
  return Value::tensor(product, *type);
}

llvm::ArrayRef<Builtin> frontend::dotBuiltins() {
  static constexpr Builtin builtins[] = {
      {"dot", "input other acc? input_precision? allow_tf32? max_num_imprecise_acc? out_dtype?",
       dot},
      {"dot_scaled",
       "lhs lhs_scale lhs_format rhs rhs_scale rhs_format acc? fast_math? lhs_k_pack? rhs_k_pack? "
       "out_dtype?",
       dotScaled},
  };
  return builtins;
}

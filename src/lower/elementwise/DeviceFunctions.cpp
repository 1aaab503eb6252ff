//===- DeviceFunctions.cpp - Semantics of device library functions ------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Mathematical functions are formulas of math/, of the same name; `fast_` ones are
// hardware's. The others are a few operations, written down here.
//
//===--------------------------------------------------------------------------===//

#include "lower/elementwise/DeviceFunctions.h"

#include "lower/math/Coefficients.h"
#include "lower/math/DirectedRounding.h"
#include "lower/math/Expr.h"
#include "lower/math/MathLibrary.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

using Operands = ArrayRef<Expr>;

struct Call {
  LoweringBuilder &e;
  const tt::ExternFunction &function;
  Operands x;

  Expr operator[](unsigned i) const { return x[i]; }
  Expr fast(MathFunction which, ArrayRef<Expr> operands) const {
    SmallVector<Value, 2> values;
    for (Expr operand : operands)
      values.push_back(operand.value());
    return {x[0].at(), e.target.emitMath(e.builder, e.loc, which, values)};
  }
};

using Emit = Expr (*)(const Call &);

template <typename Op> Expr intrinsic(const Call &call) {
  SmallVector<Value, 3> values;
  for (Expr operand : call.x)
    values.push_back(operand.value());
  return {call[0].at(),
          call[0].at().create<Op>(call[0].type(), values, ArrayRef<NamedAttribute>())};
}

template <Expr (*f)(Expr)> Expr unary(const Call &call) { return f(call[0]); }
template <Expr (*f)(Expr, Expr)> Expr binary(const Call &call) { return f(call[0], call[1]); }

/// A condition as an i32.
Expr flag(Expr condition) { return resize(condition, 32, /*isSigned=*/false); }

//===--------------------------------------------------------------------------===//
// Integers
//===--------------------------------------------------------------------------===//

Expr countLeadingZeros(Expr x) {
  return {x.at(), x.at().create<LLVM::CountLeadingZerosOp>(x.type(), x.value(), false)};
}

Expr countTrailingZeros(Expr x) {
  return {x.at(), x.at().create<LLVM::CountTrailingZerosOp>(x.type(), x.value(), false)};
}

bool isUnsigned(const Call &call) {
  return call.function.operands[0] == 'u' || call.function.operands[0] == 'L';
}

/// Computes in twice the width, where nothing overflows.
Expr inTwiceTheWidth(const Call &call, llvm::function_ref<Expr(Expr, Expr)> compute) {
  unsigned bits = call[0].bits();
  bool isSigned = !isUnsigned(call);
  Expr wide = compute(resize(call[0], 2 * bits, isSigned), resize(call[1], 2 * bits, isSigned));
  return resize(wide, bits, false);
}

Expr mulhi(const Call &call) {
  int64_t bits = call[0].bits();
  const TargetLowering &target = call.e.target;
  if (target.getTarget().execution.hasMultiplyHigh)
    return {call[0].at(), target.emitMultiplyHigh(call.e.builder, call.e.loc, call[0].value(),
                                                  call[1].value(), !isUnsigned(call))};
  return inTwiceTheWidth(call,
                         [&](Expr a, Expr b) { return shiftRightLogical(a * b, a.like(bits)); });
}

/// The product of the low 24 bits.
Expr mul24(const Call &call) {
  auto low = [&](Expr x) { return isUnsigned(call) ? x & 0xffffff : (x << 8) >> 8; };
  return low(call[0]) * low(call[1]);
}

Expr averageDown(const Call &call) {
  return inTwiceTheWidth(call, [](Expr a, Expr b) { return (a + b) >> 1; });
}

Expr averageUp(const Call &call) {
  return inTwiceTheWidth(call, [](Expr a, Expr b) { return (a + b + 1) >> 1; });
}

/// |a - b| + c.
Expr absoluteDifference(const Call &call) {
  Expr a = call[0], b = call[1];
  Expr less = isUnsigned(call) ? unsignedLess(a, b) : a < b;
  return select(less, b - a, a - b) + call[2];
}

/// Byte i of the result is the byte of b:a that the i-th group of four bits of the selector
/// names; its highest bit repeats the byte's sign instead (libdevice, byte_perm).
Expr permuteBytes(const Call &call) {
  Expr pool = resize(call[0], 64, false) | (resize(call[1], 64, false) << 32);
  Expr selector = call[2], result = selector.like(0);
  for (int i = 0; i < 4; ++i) {
    Expr control = shiftRightLogical(selector, selector.like(4 * i));
    Expr distance = resize((control & 7) << 3, 64, false);
    Expr byte = resize(shiftRightLogical(pool, distance), 32, false) & 0xff;
    Expr sign = ((byte << 24) >> 31) & 0xff;
    result = result | (select((control & 8) != 0, sign, byte) << (8 * i));
  }
  return result;
}

Expr findFirstSet(const Call &call) {
  Expr position = countTrailingZeros(call[0]) + 1;
  return resize(select(call[0] == 0, 0, position), 32, false);
}

//===--------------------------------------------------------------------------===//
// Floats
//===--------------------------------------------------------------------------===//

Expr reciprocal(const Call &call) { return 1 / call[0]; }

/// Between 0 and 1; 0 for a NaN.
Expr saturate(const Call &call) {
  return minNumber(maxNumber(call[0], call[0].like(0)), call[0].like(1));
}

/// The bits of a double as two words, and back.
Expr lowWord(const Call &call) { return resize(toBits(call[0]), 32, false); }
Expr highWord(const Call &call) {
  Expr bits = toBits(call[0]);
  return resize(shiftRightLogical(bits, bits.like(32)), 32, false);
}
Expr fromWords(const Call &call) {
  return fromBits((resize(call[0], 64, false) << 32) | resize(call[1], 64, false));
}

/// Halves away from zero.
Expr roundAway(const Call &call) {
  return {call[0].at(), emitFunction(call.e, "round", call[0].value())};
}

/// A rounded float as an integer: what does not fit becomes the nearest that does, a NaN 0,
/// or 2^63 as 64 bits (libdevice, float2int).
Expr saturateToInteger(Expr x, unsigned bits, bool isSigned) {
  Code &code = x.at();
  double least = isSigned ? -std::ldexp(1.0, static_cast<int>(bits) - 1) : 0.0;
  double above = std::ldexp(1.0, static_cast<int>(bits) - (isSigned ? 1 : 0));
  Expr fits = (x >= least) & (x < above);
  Expr bounded = select(fits, x, 0);
  Type type = code.builder.getIntegerType(bits);
  Value converted = isSigned ? Value(code.create<LLVM::FPToSIOp>(type, bounded.value()))
                             : Value(code.create<LLVM::FPToUIOp>(type, bounded.value()));
  Expr inside{code, converted};
  uint64_t all = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  uint64_t greatest = isSigned ? all >> 1 : all, lowest = isSigned ? (all >> 1) + 1 : 0;
  uint64_t ofNan = bits == 64 ? uint64_t(1) << 63 : 0;
  Expr limit =
      select(x >= above, inside.like(static_cast<int64_t>(greatest)), static_cast<int64_t>(lowest));
  limit = select(isNan(x), inside.like(static_cast<int64_t>(ofNan)), limit);
  return select(fits, inside, limit);
}

/// float2int_rz and its like: the name says the types and the rounding.
Expr convertToInteger(const Call &call) {
  StringRef name = call.function.name;
  Expr x = call[0];
  char mode = name.back();
  Expr whole = mode == 'n'   ? roundEven(x)
               : mode == 'z' ? trunc(x)
               : mode == 'd' ? floor(x)
                             : ceil(x);
  return saturateToInteger(whole, call.function.result == 'l' ? 64 : 32, !name.contains("2u"));
}

Expr convertToNearestFloat(const Call &call) {
  Builder &builder = call.e.builder;
  Type type = call.function.result == 'f' ? Type(builder.getF32Type()) : builder.getF64Type();
  Code &code = call[0].at();
  if (isUnsigned(call))
    return {code, code.create<LLVM::UIToFPOp>(type, call[0].value())};
  return {code, code.create<LLVM::SIToFPOp>(type, call[0].value())};
}

/// add_rz and its like, also conversions: what stands before the rounding in the name, and the
/// rounding. Nothing for other names.
std::optional<std::pair<StringRef, Direction>> directionOf(StringRef name) {
  auto [operation, mode] = name.rsplit('_');
  if (mode == "rz")
    return std::pair(operation, Direction::TowardZero);
  if (mode == "rd")
    return std::pair(operation, Direction::Down);
  if (mode == "ru")
    return std::pair(operation, Direction::Up);
  return std::nullopt;
}

/// An operation that rounds toward one side.
Value roundToward(const Call &call, StringRef operation, Direction direction) {
  Code &code = call[0].at();
  Type type = call.function.result == 'f' ? Type(code.builder.getF32Type())
                                          : Type(code.builder.getF64Type());
  auto compute = [&]() -> std::optional<Expr> {
    if (operation == "add")
      return addRounded(call[0], call[1], direction);
    if (operation == "sub")
      return addRounded(call[0], -call[1], direction);
    if (operation == "mul")
      return multiplyRounded(call[0], call[1], direction);
    if (operation == "div")
      return divideRounded(call[0], call[1], direction);
    if (operation == "rcp")
      return divideRounded(call[0].like(1), call[0], direction);
    if (operation == "sqrt")
      return sqrtRounded(call[0], direction);
    if (operation == "fma")
      return fmaRounded(call[0], call[1], call[2], direction);
    if (operation == "double2float")
      return singleRounded(call[0], direction);
    if (operation.contains("2float") || operation.contains("2double")) {
      Expr like{code, code.create<LLVM::ConstantOp>(type, code.builder.getFloatAttr(type, 0))};
      return integerRounded(call[0], !isUnsigned(call), like, direction);
    }
    return std::nullopt;
  };
  std::optional<Expr> result = compute();
  return result ? result->value() : Value();
}

/// The high word of the reciprocal, with zeros below.
Expr reciprocalHigh(const Call &call) {
  return fromBits(toBits(1 / call[0]) & ~int64_t(0xffffffff));
}

Expr toSingle(const Call &call) { return truncate(call[0], call.e.builder.getF32Type()); }

//===--------------------------------------------------------------------------===//
// Hardware's approximations
//===--------------------------------------------------------------------------===//

Expr fastExp2(const Call &call, Expr x) { return call.fast(MathFunction::Exp2, x); }
Expr fastLog2(const Call &call, Expr x) { return call.fast(MathFunction::Log2, x); }

template <MathFunction function> Expr fastest(const Call &call) {
  return call.fast(function, call.x);
}
Expr fastExp(const Call &call) { return fastExp2(call, call[0] * std::numbers::log2e); }
Expr fastExp10(const Call &call) {
  return fastExp2(call, call[0] * (std::numbers::ln10 * std::numbers::log2e));
}
Expr fastLog(const Call &call) { return fastLog2(call, call[0]) * std::numbers::ln2; }
Expr fastLog10(const Call &call) {
  return fastLog2(call, call[0]) * (std::numbers::ln2 * std::numbers::log10e);
}
Expr fastPower(const Call &call) { return fastExp2(call, call[1] * fastLog2(call, call[0])); }
Expr fastTangent(const Call &call) {
  return call.fast(MathFunction::Divide,
                   {call.fast(MathFunction::Sin, call.x), call.fast(MathFunction::Cos, call.x)});
}

/// What computes f64, and what targets have that bring a library: the function `name` of x.
/// Nothing for the other types elsewhere.
std::optional<Expr> callLibrary(const Call &call, StringRef name) {
  Expr x = call[0];
  if (!x.isDouble() && !call.e.target.hasLibraryFunction(name))
    return std::nullopt;
  return Expr{x.at(), emitFunction(call.e, name, x.value())};
}

/// f32: b^x = 2^k 2^(x log2 b - k), where the second power is hardware's and log2 b has two parts,
/// of which the first is rounded down: else it would be infinity minus infinity for an infinite x.
/// As far as k is bounded, the other power overflows and underflows in its place.
Expr powerByHardware(const Call &call, StringRef formula, double log, double logTail) {
  if (std::optional<Expr> result = callLibrary(call, formula))
    return *result;
  Expr x = call[0];
  Rounded k = nearestInteger(minNumber(maxNumber(x * log, x.like(-126)), x.like(126)));
  Expr rest = fma(x, logTail, fma(x, log, -k.number));
  return call.fast(MathFunction::NormalExp2, rest) * powerOfTwo(k.integer, x);
}
Expr exponential(const Call &call) {
  return powerByHardware(call, "exp", 0x1.715476p0, 0x1.4ae0c0p-26);
}
Expr exponentialOfTen(const Call &call) {
  return powerByHardware(call, "exp10", 0x1.a934f0p1, 0x1.2f346ep-24);
}
Expr exponentialOfTwo(const Call &call) {
  std::optional<Expr> result = callLibrary(call, "exp2");
  return result ? *result : fastExp2(call, call[0]);
}

/// f32: 1 - 2 / (e^2a + 1) with hardware's exponential and division, whose errors count
/// little beside 1; a polynomial near 0.
Expr hyperbolicTangent(const Call &call) {
  Expr x = call[0];
  if (x.isDouble())
    return {x.at(), emitFunction(call.e, "tanh", x.value())};
  Expr a = abs(x), square = x * x;
  Expr near = fma(a * square, polynomial(square, coefficients::hyperbolicTangentF32), a);
  Expr power = fastExp2(call, a * (2 * std::numbers::log2e));
  Expr far = 1 - call.fast(MathFunction::Divide, {a.like(2), power + 1});
  return copysign(select(a < 0.6, near, far), x);
}

//===--------------------------------------------------------------------------===//
// Table
//===--------------------------------------------------------------------------===//

/// The constant that a number is, of floats and of integers.
std::optional<double> constantOf(Expr x) {
  llvm::APFloat number(0.0);
  llvm::APInt integer;
  if (x.isFloat() && matchPattern(x.value(), m_ConstantFloat(&number)))
    return number.convertToDouble();
  if (!x.isFloat() && matchPattern(x.value(), m_ConstantInt(&integer)))
    return static_cast<double>(integer.getSExtValue());
  return std::nullopt;
}

/// x^n for the constants 0 to 3, as products; nothing else. The square rounds once, the cube twice:
/// within 1.5 units in the last place, where CUDA's documentation allows pow 4 in f32 and 2 in f64
/// (CUDA C++ Programming Guide, "Mathematical Functions"). Signs of 0, infinities and NaN are those
/// of C's pow: where a square overflows or underflows its cube does, too.
std::optional<Expr> smallPower(Expr x, std::optional<double> n) {
  if (n == 0.0)
    return x.like(1);
  if (n == 1.0)
    return x;
  if (n == 2.0)
    return x * x;
  if (n == 3.0)
    return x * x * x;
  return std::nullopt;
}

const llvm::StringMap<Emit> &table() {
  static const llvm::StringMap<Emit> instance = {
      {"brev", intrinsic<LLVM::BitReverseOp>},
      {"popc", [](const Call &call) { return resize(intrinsic<LLVM::CtPopOp>(call), 32, false); }},
      {"clz", [](const Call &call) { return resize(countLeadingZeros(call[0]), 32, false); }},
      {"ffs", findFirstSet},
      {"byte_perm", permuteBytes},
      {"mulhi", mulhi},
      {"mul24", mul24},
      {"sad", absoluteDifference},
      {"hadd", averageDown},
      {"rhadd", averageUp},
      {"abs",
       [](const Call &call) {
         Expr x = call[0];
         return x.isFloat() ? abs(x) : select(x < 0, -x, x);
       }},
      {"floor", unary<floor>},
      {"ceil", unary<ceil>},
      {"trunc", unary<trunc>},
      {"rint", unary<roundEven>},
      {"nearbyint", unary<roundEven>},
      {"llrint", [](const Call &call) { return saturateToInteger(roundEven(call[0]), 64, true); }},
      {"llround", [](const Call &call) { return saturateToInteger(roundAway(call), 64, true); }},
      {"sqrt", unary<sqrt>},
      {"sqrt_rn", unary<sqrt>},
      {"rsqrt_rn", [](const Call &call) { return callFormula("rsqrt", call[0]); }},
      {"rcp_rn", reciprocal},
      {"rcp64h", reciprocalHigh},
      {"add_rn", [](const Call &call) { return call[0] + call[1]; }},
      {"sub_rn", [](const Call &call) { return call[0] - call[1]; }},
      {"mul_rn", [](const Call &call) { return call[0] * call[1]; }},
      {"div_rn", [](const Call &call) { return call[0] / call[1]; }},
      {"fma_rn", intrinsic<LLVM::FMAOp>},
      {"fma", intrinsic<LLVM::FMAOp>},
      {"copysign", binary<copysign>},
      {"saturatef", saturate},
      {"isnan", [](const Call &call) { return flag(isNan(call[0])); }},
      {"isinf", [](const Call &call) { return flag(isInfinite(call[0])); }},
      {"finitef", [](const Call &call) { return flag(isFinite(call[0])); }},
      {"isfinited", [](const Call &call) { return flag(isFinite(call[0])); }},
      {"signbit", [](const Call &call) { return flag(isNegative(call[0])); }},
      {"double2hiint", highWord},
      {"double2loint", lowWord},
      {"hiloint2double", fromWords},
      {"double_as_longlong", unary<toBits>},
      {"float_as_int", unary<toBits>},
      {"float_as_uint", unary<toBits>},
      {"int_as_float", unary<fromBits>},
      {"uint_as_float", unary<fromBits>},
      {"longlong_as_double", unary<fromBits>},
      {"double2float_rn", toSingle},
      {"int2float_rn", convertToNearestFloat},
      {"uint2float_rn", convertToNearestFloat},
      {"ll2float_rn", convertToNearestFloat},
      {"ull2float_rn", convertToNearestFloat},
      {"int2double_rn", convertToNearestFloat},
      {"uint2double_rn", convertToNearestFloat},
      {"ll2double_rn", convertToNearestFloat},
      {"ull2double_rn", convertToNearestFloat},
      {"exp", exponential},
      {"exp2", exponentialOfTwo},
      {"exp10", exponentialOfTen},
      {"tanh", hyperbolicTangent},
      {"fast_sinf", fastest<MathFunction::Sin>},
      {"fast_cosf", fastest<MathFunction::Cos>},
      {"fast_tanf", fastTangent},
      {"fast_expf", fastExp},
      {"fast_exp10f", fastExp10},
      {"fast_logf", fastLog},
      {"fast_log2f", fastest<MathFunction::Log2>},
      {"fast_log10f", fastLog10},
      {"fast_powf", fastPower},
      {"fast_dividef", fastest<MathFunction::Divide>},
  };
  return instance;
}

bool convertsToInteger(StringRef name) {
  auto [types, mode] = name.rsplit('_');
  return types.starts_with("float2") || (types.starts_with("double2") && types != "double2float");
}

bool hasType(Type type, char letter) {
  type = tt::getElementTypeOrSelf(type);
  switch (letter) {
  case 'f':
    return type.isF32();
  case 'd':
    return type.isF64();
  case 'l':
  case 'L':
    return type.isInteger(64);
  default:
    return type.isInteger(32);
  }
}

} // namespace

Value lower::emitDeviceFunction(LoweringBuilder &e, const tt::ExternFunction &function,
                                ArrayRef<Value> operands) {
  Code code{OpBuilder(e.builder), e.loc};
  SmallVector<Expr, 4> exprs;
  for (Value operand : operands)
    exprs.push_back({code, operand});
  StringRef name = function.name;
  if (auto found = table().find(name); found != table().end())
    return found->second({e, function, exprs}).value();
  if (convertsToInteger(name))
    return convertToInteger({e, function, exprs}).value();
  if (auto rounding = directionOf(name))
    return roundToward({e, function, exprs}, rounding->first, rounding->second);
  // The order comes first here, and last in a formula.
  if (name == "jn" || name == "yn")
    return emitFunction(e, name, {operands[1], operands[0]});
  if (name == "scalbn")
    name = "ldexp";
  if (name == "pow") {
    if (std::optional<Expr> products = smallPower(exprs[0], constantOf(exprs[1])))
      return products->value();
    if (function.operands[1] == 'i')
      name = "powi";
  }
  return hasFormula(name) ? emitFunction(e, name, operands) : Value();
}

bool lower::hasTypesOf(tt::ExternElementwiseOp op, const tt::ExternFunction &function) {
  return op.getSrcs().size() == function.operands.size() &&
         hasType(op.getType(), function.result) &&
         llvm::all_of(llvm::zip(op.getSrcs().getTypes(), function.operands),
                      [](auto pair) { return hasType(std::get<0>(pair), std::get<1>(pair)); });
}

Value lower::emitDeviceCall(LoweringBuilder &e, tt::ExternElementwiseOp op,
                            ArrayRef<Value> operands) {
  const tt::ExternFunction *function = tt::findExternSymbol(op.getSymbol());
  return function && hasTypesOf(op, *function) ? emitDeviceFunction(e, *function, operands)
                                               : Value();
}

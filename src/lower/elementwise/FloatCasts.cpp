//===- FloatCasts.cpp - Casts between floating-point formats ------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "lower/elementwise/FloatCasts.h"

#include "lower/math/Expr.h"

#include <algorithm>
#include <array>
#include <cmath>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::lower;

namespace {

/// A format of a sign and 7 bits of magnitude.
struct Float8 {
  int fraction;
  int bias;
  /// Magnitudes: the largest finite one, and that of infinity, if there is one.
  int largest;
  int infinity;
  /// NaN is 0x80, and there is no -0; otherwise it is 0x7f.
  bool unsignedZero;
};

Float8 formatOf(FloatType type) {
  if (isa<Float8E4M3FNType>(type))
    return {3, 7, 0x7e, -1, false};
  if (isa<Float8E5M2Type>(type))
    return {2, 15, 0x7b, 0x7c, false};
  if (isa<Float8E4M3FNUZType>(type))
    return {3, 8, 0x7f, -1, true};
  return {2, 16, 0x7f, -1, true};
}

bool isFloat8(FloatType type) {
  return isa<Float8E4M3FNType, Float8E5M2Type, Float8E4M3FNUZType, Float8E5M2FNUZType>(type);
}

//===--------------------------------------------------------------------------===//
// 16 bits and more
//===--------------------------------------------------------------------------===//

/// The wider x, rounded toward zero.
Expr truncateTowardZero(Expr x, Type type) {
  Expr nearest = truncate(x, type);
  Expr exceeds = abs(extend(nearest, x.type())) > abs(x);
  Expr bits = toBits(nearest);
  // The number before it; before infinity that is the largest one.
  return bitcast(select(exceeds, bits - 1, bits), type);
}

/// The wider x toward zero, but with the last bit set if anything was cut off: rounding
/// this to a format with at least two bits less gives what rounding x does (S. Boldo and
/// G. Melquiond, Emulation of a FMA and Correctly Rounded Sums, 2008).
Expr truncateToOdd(Expr x, Type type) {
  Expr cut = truncateTowardZero(x, type);
  Expr inexact = (extend(cut, x.type()) != x) & ~isNan(x);
  Expr bits = toBits(cut);
  return bitcast(select(inexact, bits | 1, bits), type);
}

Expr convertWide(Expr x, Type type, bool towardZero) {
  Type f32 = x.at().builder.getF32Type();
  if (x.elementType() == type)
    return x;
  if (x.bits() < type.getIntOrFloatBitWidth())
    return extend(x, type);
  if (x.bits() == type.getIntOrFloatBitWidth())
    return convertWide(extend(x, f32), type, towardZero);
  if (towardZero)
    return truncateTowardZero(x.isDouble() && type != f32 ? truncateTowardZero(x, f32) : x, type);
  return truncate(x.isDouble() && type != f32 ? truncateToOdd(x, f32) : x, type);
}

//===--------------------------------------------------------------------------===//
// bf16 as its bits: the upper half of an f32
//===--------------------------------------------------------------------------===//

bool isBits(LoweringBuilder &e, FloatType type) {
  return type.isBF16() && e.target.storesBf16AsI16();
}

Expr decodeBfloat16(Expr code) { return fromBits(resize(code, 32, false) << 16); }

/// An f32 as such bits.
Expr encodeBfloat16(Expr x, bool towardZero) {
  Expr bits = toBits(x), rounded = bits;
  // A carry goes into the exponent.
  if (!towardZero)
    rounded = bits + 0x7fff + (shiftRightLogical(bits, bits.like(16)) & 1);
  // A NaN keeps a bit that is not cut off.
  rounded = select(isNan(x), bits | 0x400000, rounded);
  return resize(shiftRightLogical(rounded, bits.like(16)), 16, false);
}

/// A number of at least 16 bits as `type`, in the form in which the target has that.
Expr convertToForm(LoweringBuilder &e, Expr x, FloatType type, bool towardZero) {
  if (!isBits(e, type))
    return convertWide(x, type, towardZero);
  Type f32 = x.at().builder.getF32Type();
  if (x.isDouble())
    x = towardZero ? truncateTowardZero(x, f32) : truncateToOdd(x, f32);
  return encodeBfloat16(convertWide(x, f32, towardZero), towardZero);
}

//===--------------------------------------------------------------------------===//
// 8 bits
//===--------------------------------------------------------------------------===//

/// 8 bits as an f32, exactly: the magnitude's bits at the place of f32's exponent and
/// fraction make a number that is off by a power of two, for subnormal ones, too.
Expr decode(Expr code, Float8 format) {
  Expr word = resize(code, 32, /*isSigned=*/false);
  Expr magnitude = word & 0x7f;
  Expr size = fromBits(magnitude << (23 - format.fraction)) * std::ldexp(1.0, 127 - format.bias);
  if (format.infinity >= 0)
    size = select(magnitude == format.infinity, HUGE_VAL, size);
  Expr isNan = format.unsignedZero    ? word == 0x80
               : format.infinity >= 0 ? magnitude > format.infinity
                                      : magnitude == 0x7f;
  size = select(isNan, std::nan(""), size);
  return fromBits(toBits(size) | ((word & 0x80) << 24));
}

/// An f32 as 8 bits.
Expr encode(Expr x, Float8 format, bool towardZero) {
  Expr bits = toBits(x);
  Expr magnitude = bits & 0x7fffffff;
  Expr size = fromBits(magnitude);
  int dropped = 23 - format.fraction;
  // A normal result: round the bits that stay; a carry goes into the exponent.
  Expr rounded = magnitude;
  if (!towardZero)
    rounded = rounded + ((magnitude >> dropped) & 1) + ((1 << (dropped - 1)) - 1);
  Expr normal = (rounded >> dropped) - ((127 - format.bias) << format.fraction);
  // A subnormal one counts multiples of the least number: adding a number whose last
  // place is that makes the hardware round.
  int least = 1 - format.bias - format.fraction;
  Expr subnormal = normal;
  if (towardZero) {
    Expr inRange = select(size < 1, size, 0);
    subnormal = toInteger(inRange * std::ldexp(1.0, -least), 32);
  } else {
    Expr unit = x.like(std::ldexp(1.0, least + 23));
    subnormal = toBits(size + unit) - toBits(unit);
  }
  Expr code = select(size < std::ldexp(1.0, 1 - format.bias), subnormal, normal);
  code = select(code > format.largest, format.largest, code);
  if (towardZero && format.infinity >= 0)
    code = select(size == HUGE_VAL, format.infinity, code);
  Expr sign = (bits >> 24) & 0x80;
  if (format.unsignedZero) {
    code = select(code == 0, 0, code | sign);
    code = select(isNan(x), 0x80, code);
  } else {
    code = select(isNan(x), 0x7f, code | sign);
  }
  return resize(code, 8, false);
}

//===--------------------------------------------------------------------------===//
// Pairs, by the target's instructions
//===--------------------------------------------------------------------------===//

/// Two numbers of at least 16 bits as 8 bits each.
std::array<Value, 2> encodePair(LoweringBuilder &e, Value low, Value high, FloatType from,
                                FloatType to) {
  Type f32 = e.builder.getF32Type(), i8 = e.builder.getI8Type();
  Code code{OpBuilder(e.builder), e.loc};
  auto toSingle = [&](Value value) {
    Expr x{code, value};
    return (isBits(e, from)          ? decodeBfloat16(x)
            : x.isDouble()           ? truncateToOdd(x, f32)
            : x.elementType() == f32 ? x
                                     : extend(x, f32))
        .value();
  };
  Value packed = e.target.emitPackedFloat8(e.builder, e.loc, toSingle(low), toSingle(high), to);
  Value upper = e.create<LLVM::LShrOp>(packed, e.getInt(packed.getType(), 8));
  return {e.create<LLVM::TruncOp>(i8, packed), e.create<LLVM::TruncOp>(i8, upper)};
}

/// Two numbers of e4m3 as `to`.
std::array<Value, 2> decodePair(LoweringBuilder &e, Value low, Value high, FloatType to) {
  Type i16 = e.builder.getI16Type();
  Value upper = e.create<LLVM::ShlOp>(e.create<LLVM::ZExtOp>(i16, high), e.getInt(i16, 8));
  Value packed = e.create<LLVM::OrOp>(upper, e.create<LLVM::ZExtOp>(i16, low));
  SmallVector<Value> halves = e.unpackVector(e.target.emitUnpackedFloat8(e.builder, e.loc, packed));
  Code code{OpBuilder(e.builder), e.loc};
  auto convert = [&](Value half) {
    return convertToForm(e, {code, half}, to, /*towardZero=*/false).value();
  };
  return {convert(halves[0]), convert(halves[1])};
}

/// Numbers of e5m2 or e4m3 as f16, `type`, two in a word. `codes` has the size of all words, and
/// the codes in the upper bytes of their halves: those of e5m2 are the numbers. The exponent and
/// fraction of e4m3, at the place of f16's, make a number that is 2^-8 of what it should be, for
/// subnormal ones, too; 480 is NaN then.
Value widenHalves(LoweringBuilder &e, Value codes, VectorType type, FloatType from) {
  if (!isa<Float8E4M3FNType>(from))
    return e.create<LLVM::BitcastOp>(type, codes);
  const int64_t words = type.getNumElements() / 2;
  Type i32 = e.builder.getI32Type(), wordsType = words > 1 ? VectorType::get(words, i32) : i32;
  Code code{OpBuilder(e.builder), e.loc};
  Expr bits{code, e.create<LLVM::BitcastOp>(wordsType, codes)};
  Expr magnitude = shiftRightLogical(bits, bits.like(1)) & 0x3f803f80;
  Expr signedBits = (bits & int64_t(0x80008000)) | magnitude;
  Value scaled = e.create<LLVM::BitcastOp>(type, signedBits.value());
  auto scale = DenseElementsAttr::get(type, e.builder.getF16FloatAttr(256).getValue());
  scaled = e.create<LLVM::FMulOp>(scaled, e.create<LLVM::ConstantOp>(type, scale));
  Expr isNan = (magnitude + 0x00800080) & 0x40004000;
  Expr result = Expr{code, e.create<LLVM::BitcastOp>(wordsType, scaled)} |
                (isNan - shiftRightLogical(isNan, isNan.like(5)));
  return e.create<LLVM::BitcastOp>(type, result.value());
}

/// Two numbers of e5m2 or e4m3 as f16.
std::array<Value, 2> widenPair(LoweringBuilder &e, Value low, Value high, FloatType from) {
  Value word = e.create<LLVM::ZeroOp>(VectorType::get(4, e.builder.getI8Type()));
  word = e.create<LLVM::InsertElementOp>(word, low, e.getI32(1));
  word = e.create<LLVM::InsertElementOp>(word, high, e.getI32(3));
  SmallVector<Value> halves =
      e.unpackVector(widenHalves(e, word, VectorType::get(2, e.builder.getF16Type()), from));
  return {halves[0], halves[1]};
}

//===--------------------------------------------------------------------------===//
// Integers
//===--------------------------------------------------------------------------===//

Expr integerToFloat(Expr x, Type type, bool isSigned) {
  if (isSigned)
    return {x.at(), x.at().create<LLVM::SIToFPOp>(x.typeOf(type), x.value())};
  return {x.at(), x.at().create<LLVM::UIToFPOp>(x.typeOf(type), x.value())};
}

/// The integer x as an f64 that rounds like x to any format of up to 32 bits: of more than 53 bits
/// those that are cut off set the last one (see truncateToOdd).
Expr integerToDouble(Expr x, bool isSigned) {
  Type f64 = x.at().builder.getF64Type();
  if (x.bits() < 64)
    return integerToFloat(x, f64, isSigned);
  Expr cut = isSigned ? x >> 16 : shiftRightLogical(x, x.like(16));
  Expr odd = select((x & 0xffff) != 0, cut | 1, cut);
  // Numbers whose upper bits are all the sign's lose nothing.
  Expr top = isSigned ? x >> 52 : shiftRightLogical(x, x.like(52));
  Expr fits = isSigned ? (top + 1 == 0) | (top == 0) : top == 0;
  return select(fits, integerToFloat(x, f64, isSigned), integerToFloat(odd, f64, isSigned) * 65536);
}

} // namespace

SmallVector<Value> lower::castFloats(LoweringBuilder &e, ValueRange values, FloatType from,
                                     FloatType to, bool towardZero) {
  const bool inPairs = e.target.getTarget().execution.hasFloat8Casts;
  const bool encodes =
      inPairs && isa<Float8E4M3FNType, Float8E5M2Type>(to) && !isFloat8(from) && !towardZero;
  // Of e5m2 an f16 is made by moving bytes, which is as fast.
  const bool decodes = inPairs && isa<Float8E4M3FNType>(from) && !isFloat8(to);
  const bool widens = isa<Float8E4M3FNType, Float8E5M2Type>(from) && !decodes && to.isF16();
  if (!encodes && !decodes && !widens)
    return llvm::map_to_vector(
        values, [&](Value value) { return castFloat(e, value, from, to, towardZero); });
  SmallVector<Value> results;
  for (size_t i = 0; i < values.size(); i += 2) {
    // Of an odd number the last one is its own neighbour.
    Value low = values[i], high = values[std::min(i + 1, values.size() - 1)];
    llvm::append_range(results, encodes  ? encodePair(e, low, high, from, to)
                                : widens ? widenPair(e, low, high, from)
                                         : decodePair(e, low, high, to));
  }
  results.truncate(values.size());
  return results;
}

Value lower::castVector(LoweringBuilder &e, Value vector, FloatType from, FloatType to,
                        bool towardZero) {
  const int64_t size = cast<VectorType>(vector.getType()).getNumElements();
  if (!isa<Float8E4M3FNType, Float8E5M2Type>(from) || !to.isF16() || size % 2 != 0)
    return castFloat(e, vector, from, to, towardZero);
  Code code{OpBuilder(e.builder), e.loc};
  Expr codes = resize({code, vector}, 16, /*isSigned=*/false) << 8;
  return widenHalves(e, codes.value(), VectorType::get(size, to), from);
}

Value lower::castFloat(LoweringBuilder &e, Value value, FloatType from, FloatType to,
                       bool towardZero) {
  Code code{OpBuilder(e.builder), e.loc};
  Type f32 = e.builder.getF32Type();
  Expr x{code, value};
  if (from == to)
    return value;
  if (isBits(e, from)) {
    x = decodeBfloat16(x);
  } else if (isFloat8(from)) {
    if (isa<Float8E5M2Type>(from) && !isFloat8(to)) {
      // The upper half of an f16.
      Expr half = bitcast(resize(x, 16, false) << 8, e.builder.getF16Type());
      return convertToForm(e, half, to, towardZero).value();
    }
    x = decode(x, formatOf(from));
  }
  if (!isFloat8(to))
    return convertToForm(e, x, to, towardZero).value();
  if (x.isDouble())
    x = towardZero ? truncateTowardZero(x, f32) : truncateToOdd(x, f32);
  else if (x.elementType() != f32)
    x = extend(x, f32);
  return encode(x, formatOf(to), towardZero).value();
}

Value lower::castInteger(LoweringBuilder &e, Value value, bool isSigned, FloatType to) {
  Code code{OpBuilder(e.builder), e.loc};
  Expr x{code, value};
  if (!isBits(e, to))
    return integerToFloat(x, to, isSigned).value();
  Expr number = x.bits() < 32 ? integerToFloat(x, e.builder.getF32Type(), isSigned)
                              : integerToDouble(x, isSigned);
  return convertToForm(e, number, to, /*towardZero=*/false).value();
}

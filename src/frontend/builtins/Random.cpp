//===- Random.cpp - Builtins: Philox random numbers ---------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Philox (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011): a
// bijection of four words under a key of two, so that every offset has its own numbers. A
// zero among the words stays a constant here as long as it is one: of the first two rounds
// of a one-word offset, half is then computed once for all offsets, or not at all.
//
//===--------------------------------------------------------------------------===//

#include "frontend/builtins/Builtins.h"

#include "ir/tt/Dialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <array>
#include <numbers>

using namespace tilewright;
using namespace tilewright::frontend;
namespace math = mlir::math;

namespace {

constexpr int64_t defaultRounds = 10;
/// More than anyone needs; every round is code.
constexpr int64_t maxRounds = 1000;

/// The multipliers and key increments of a word size.
struct PhiloxConstants {
  std::array<uint64_t, 2> multipliers;
  std::array<uint64_t, 2> increments;
};
constexpr PhiloxConstants philox32 = {{0xD2511F53, 0xCD9E8D57}, {0x9E3779B9, 0xBB67AE85}};
constexpr PhiloxConstants philox64 = {{0xD2E7470EE14C6C93, 0xCA5A826395121157},
                                      {0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B}};

constexpr DType word32{ScalarKind::UInt32}, word64{ScalarKind::UInt64};

using Words = std::array<Value, 4>;

/// Computes with words of one unsigned type. A constant stands for zero only.
class Philox {
public:
  Philox(TritonBuilder &tb, DType word)
      : tb(tb), word(word), constants(word == word64 ? philox64 : philox32) {}

  /// Empty words after an error.
  Words run(Words words, Value key0, Value key1, int64_t rounds) {
    for (int64_t i = 0; i < rounds; ++i) {
      Value even = words[0], odd = words[2];
      words[0] = xorOf(xorOf(high(constants.multipliers[1], odd), words[1]), key0);
      words[2] = xorOf(xorOf(high(constants.multipliers[0], even), words[3]), key1);
      words[1] = low(constants.multipliers[1], odd);
      words[3] = low(constants.multipliers[0], even);
      key0 = binary(BinaryOperator::Add, key0, number(constants.increments[0]));
      key1 = binary(BinaryOperator::Add, key1, number(constants.increments[1]));
    }
    return words;
  }

private:
  static Value number(uint64_t value) { return Value::ofInteger(static_cast<Integer>(value)); }
  static bool isZero(const Value &value) { return value.isNumber(); }

  Value binary(BinaryOperator op, const Value &left, const Value &right) {
    return tb.binary(op, left, right);
  }
  Value xorOf(const Value &left, const Value &right) {
    if (isZero(left))
      return right;
    return isZero(right) ? left : binary(BinaryOperator::BitXor, left, right);
  }
  /// The low and the high half of a product.
  Value low(uint64_t multiplier, const Value &value) {
    return isZero(value) ? value : binary(BinaryOperator::Mult, value, number(multiplier));
  }
  Value high(uint64_t multiplier, const Value &value) {
    if (!value || isZero(value))
      return value;
    Value factor = tb.constant(number(multiplier), word, value.shape());
    return Value::tensor(
        tt::MulhiUIOp::create(tb.builder, tb.loc(), value.ssa.getType(), value.ssa, factor.ssa),
        word);
  }

  TritonBuilder &tb;
  DType word;
  const PhiloxConstants &constants;
};

/// The random words of a call in one shape, that of its offsets or counters.
struct Random {
  Arguments &arguments;
  TritonBuilder &tb = arguments.tb;

  /// The argument n_rounds.
  std::optional<int64_t> rounds(size_t index) {
    if (arguments[index].isNone())
      return defaultRounds;
    std::optional<int64_t> given = arguments.integer(index);
    if (given && (*given < 0 || *given > maxRounds)) {
      arguments.fail(index, "is " + llvm::Twine(*given) + ", but must be from 0 to " +
                                llvm::Twine(maxRounds));
      return std::nullopt;
    }
    return given;
  }

  /// A seed as the 64-bit key.
  Value seed(size_t index) {
    Value seed = arguments.tensor(index);
    if (seed && !seed.type.isInteger())
      return arguments.fail(index, "must be an integer, not " + seed.describe());
    return tb.cast(seed, word64);
  }

  /// Half 0 or 1, from the least significant, of 64-bit words.
  Value half(const Value &words, unsigned which) {
    if (!words || which == 0)
      return tb.cast(words, word32);
    return tb.cast(tb.binary(BinaryOperator::RShift, words, Value::ofInteger(32)), word32);
  }

  /// Philox of counters of one unsigned type (or constants, for zero), under a 64-bit key.
  Words philox(const Value &key, Words counters, DType word, llvm::ArrayRef<int64_t> shape,
               int64_t rounds) {
    bool wide = word == word64;
    Value key0 = wide ? key : half(key, 0);
    Value key1 = wide ? Value::ofInteger(0) : half(key, 1);
    if (wide)
      key1 = tb.constant(key1, word64);
    return inShape(Philox(tb, word).run(counters, key0, key1, rounds), word, shape);
  }

  Words inShape(Words words, DType word, llvm::ArrayRef<int64_t> shape) {
    for (Value &value : words)
      value = value.isNumber() ? tb.constant(value, word, shape)
              : value          ? tb.broadcastTo(value, shape, arguments.builtin.name)
                               : Value();
    return words;
  }

  /// The common shape of a value and of another one, which may be a key. False after an error.
  bool extend(llvm::SmallVectorImpl<int64_t> &shape, Value value, Value other) {
    if (!tb.broadcast(value, other, arguments.builtin.name))
      return false;
    shape.assign(value.shape().begin(), value.shape().end());
    return true;
  }

  /// seed, offset, n_rounds: four words for each offset.
  Words ofOffsets() {
    std::optional<int64_t> count = rounds(2);
    Value key = count ? seed(0) : Value();
    Value offset = key ? arguments.tensor(1) : Value();
    if (offset && !offset.type.isInteger())
      offset = arguments.fail(1, "must be integers, not " + offset.describe());
    llvm::SmallVector<int64_t> shape;
    if (!offset || !extend(shape, offset, key))
      return {};
    Value zero = Value::ofInteger(0);
    Value high = offset.type.bits() > 32 ? half(offset, 1) : zero;
    return philox(key, {half(offset, 0), high, zero, zero}, word32, shape, *count);
  }

  /// Words as floats in [0, 1).
  Value uniform(const Value &words) {
    if (!words)
      return {};
    bool wide = words.type.bits() == 64;
    Value number = tb.bitcast(words, {wide ? ScalarKind::Int64 : ScalarKind::Int32});
    // A negative number's complement is not negative. The scale is as great as keeps the
    // result of the greatest number, rounded to a float, below 1.
    Value sign = tb.binary(BinaryOperator::RShift, number, Value::ofInteger(wide ? 63 : 31));
    return tb.binary(BinaryOperator::Mult, tb.binary(BinaryOperator::BitXor, number, sign),
                     Value::ofFloat(wide ? 1.0842020432385337e-19 : 4.6566127342e-10));
  }

  /// Two normally distributed numbers of two uniform ones, by Box and Muller's transform.
  std::array<Value, 2> normal(const Value &first, const Value &second) {
    Value least = tb.maximum(Value::ofFloat(1.0e-7), first, /*propagateNan=*/false);
    Value angle = tb.binary(BinaryOperator::Mult, Value::ofFloat(2 * std::numbers::pi), second);
    if (!least || !angle)
      return {};
    Value radius = function<math::SqrtOp>(
        tb.binary(BinaryOperator::Mult, Value::ofFloat(-2.0), function<math::LogOp>(least)));
    return {tb.binary(BinaryOperator::Mult, radius, function<math::CosOp>(angle)),
            tb.binary(BinaryOperator::Mult, radius, function<math::SinOp>(angle))};
  }

private:
  template <typename Op> Value function(const Value &x) {
    return Value::tensor(tb.builder.createOrFold<Op>(tb.loc(), x.ssa), x.type);
  }
};

} // namespace

static Value tupleOf(llvm::ArrayRef<Value> values) {
  return llvm::all_of(values, [](const Value &value) { return bool(value); })
             ? Value::tuple(values.vec())
             : Value();
}

static Value randomInteger(Arguments &arguments) { return Random{arguments}.ofOffsets()[0]; }

static Value randomIntegers(Arguments &arguments) { return tupleOf(Random{arguments}.ofOffsets()); }

static Value uniform(Arguments &arguments) {
  Random random{arguments};
  return random.uniform(random.ofOffsets()[0]);
}

static Value uniforms(Arguments &arguments) {
  Random random{arguments};
  Words words = random.ofOffsets();
  for (Value &value : words)
    value = random.uniform(value);
  return tupleOf(words);
}

static Value normal(Arguments &arguments) {
  Random random{arguments};
  Words words = random.ofOffsets();
  return words[0] ? random.normal(random.uniform(words[0]), random.uniform(words[1]))[0] : Value();
}

static Value normals(Arguments &arguments) {
  Random random{arguments};
  Words words = random.ofOffsets();
  if (!words[0])
    return {};
  for (Value &value : words)
    value = random.uniform(value);
  auto [a, b] = random.normal(words[0], words[1]);
  auto [c, d] = random.normal(words[2], words[3]);
  return tupleOf({a, b, c, d});
}

/// The words that are the arguments from `first` on, as one unsigned type, and a value of
/// their common shape. No value after an error.
static Value counters(Arguments &arguments, size_t first, bool reinterpret, Words &words,
                      DType &word) {
  TritonBuilder &tb = arguments.tb;
  Value leading = arguments.tensor(first);
  if (!leading)
    return {};
  bool integer = leading.type.isInteger() && leading.type.bits() >= 32;
  if (!integer || (!reinterpret && !leading.type.isUnsigned()))
    return arguments.fail(first,
                          "must be " + llvm::Twine(reinterpret ? "an" : "an unsigned") +
                              " integer of 32 or 64 bits, not " + leading.describe(),
                          "convert it with .to(tl.uint32)");
  word = leading.type.bits() == 64 ? word64 : word32;
  Value all = leading;
  for (size_t i = 0; i < words.size(); ++i) {
    Value given = arguments[first + i];
    if (given.isIntegral()) {
      words[i] = given.integer == 0 ? Value::ofInteger(0) : tb.constant(given, word);
      continue;
    }
    if (!given.isTensor() || !given.type.isInteger() || given.type.bits() != word.bits())
      return arguments.fail(first + i, "must be an integer of " + llvm::Twine(word.bits()) +
                                           " bits as the first one is, not " + given.describe());
    words[i] = tb.bitcast(given, word);
    if (!tb.broadcast(all, given, arguments.builtin.name))
      return {};
  }
  return all;
}

/// seed, c0, c1, c2, c3, n_rounds.
static Value philox(Arguments &arguments) {
  Random random{arguments};
  Words words;
  DType word;
  llvm::SmallVector<int64_t> shape;
  std::optional<int64_t> rounds = random.rounds(5);
  Value key = rounds ? random.seed(0) : Value();
  Value all = key ? counters(arguments, 1, /*reinterpret=*/true, words, word) : Value();
  if (!all || !random.extend(shape, all, key))
    return {};
  return tupleOf(random.philox(key, words, word, shape, *rounds));
}

/// c0, c1, c2, c3, k0, k1, n_rounds.
static Value philoxOfKey(Arguments &arguments) {
  TritonBuilder &tb = arguments.tb;
  Random random{arguments};
  Words words;
  DType word;
  llvm::SmallVector<int64_t> shape;
  std::optional<int64_t> rounds = random.rounds(6);
  Value all = rounds ? counters(arguments, 0, /*reinterpret=*/false, words, word) : Value();
  if (!all)
    return {};
  std::array<Value, 2> key;
  for (size_t i = 0; i < key.size(); ++i) {
    key[i] = arguments[4 + i];
    if (key[i].isIntegral())
      key[i] = tb.constant(key[i], word);
    if (!key[i].isTensor() || key[i].type != word)
      return arguments.fail(4 + i, "must be " + word.str() + " as the counters are, not " +
                                       key[i].describe());
    if (!random.extend(shape, all, key[i]) || !tb.broadcast(all, key[i], arguments.builtin.name))
      return {};
  }
  words = Philox(tb, word).run(words, key[0], key[1], *rounds);
  return tupleOf(random.inShape(words, word, shape));
}

static Value uniformOfInteger(Arguments &arguments) {
  Value x = arguments.tensor(0);
  if (x && (!x.type.isInteger() || x.type.bits() < 32))
    return arguments.fail(0, "must be an integer of 32 or 64 bits, not " + x.describe(),
                          "take what tl.randint gives");
  return Random{arguments}.uniform(x);
}

static Value normalsOfUniforms(Arguments &arguments) {
  Value first = arguments.tensor(0), second = first ? arguments.tensor(1) : Value();
  if (!second)
    return {};
  for (auto [index, value] : {std::pair(0, first), {1, second}})
    if (!value.type.is(ScalarKind::FP32) && !value.type.is(ScalarKind::FP64))
      return arguments.fail(index, "must be fp32 or fp64, not " + value.describe(),
                            "convert it with .to(tl.float32)");
  return tupleOf(Random{arguments}.normal(first, second));
}

llvm::ArrayRef<Builtin> frontend::randomBuiltins() {
  static constexpr Builtin builtins[] = {
      {"randint", "seed offset n_rounds?", randomInteger},
      {"randint4x", "seed offset n_rounds?", randomIntegers},
      {"rand", "seed offset n_rounds?", uniform},
      {"rand4x", "seed offsets n_rounds?", uniforms},
      {"randn", "seed offset n_rounds?", normal},
      {"randn4x", "seed offset n_rounds?", normals},
      {"philox", "seed c0 c1 c2 c3 n_rounds?", philox},
      {"philox_impl", "c0 c1 c2 c3 k0 k1 n_rounds?", philoxOfKey},
      {"uint_to_uniform_float", "x", uniformOfInteger},
      {"pair_uniform_to_normal", "u1 u2", normalsOfUniforms},
  };
  return builtins;
}

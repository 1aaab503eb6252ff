//===- Products.cpp - Products of matrices --------------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "interpret/Products.h"

#include "interpret/Codec.h"
#include "interpret/SharedMemory.h"
#include "ir/ttg/Dialect.h"
#include "ir/ttng/Dialect.h"
#include "ir/tw/Dialect.h"

#include <cmath>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::interpret;

Matrix::Matrix(const Tensor &tensor) : undefined(tensor.undefined) {
  const size_t rank = tensor.shape.size();
  batches = rank == 3 ? tensor.shape[0] : 1;
  rows = tensor.shape[rank - 2];
  columns = tensor.shape[rank - 1];
  numbers.reserve(tensor.size());
  if (!isa<FloatType>(tensor.element)) {
    for (uint64_t bits : tensor.bits)
      numbers.push_back(static_cast<double>(signExtend(bits, widthOf(tensor.element))));
    return;
  }
  const Codec codec(tensor.element);
  precision = codec.precision();
  for (uint64_t bits : tensor.bits)
    numbers.push_back(codec.decode(bits));
}

/// The number with so many bits of its significand, the rest rounded or cut off.
static double shorten(double number, int digits, bool rounds) {
  if (number == 0 || !std::isfinite(number))
    return number;
  // Denormal numbers of 32 bits have fewer digits to keep.
  if (std::abs(number) < 0x1p-126) {
    const double step = std::ldexp(1.0, -125 - digits);
    return (rounds ? std::nearbyint(number / step) : std::trunc(number / step)) * step;
  }
  int exponent;
  const double fraction = std::ldexp(std::frexp(number, &exponent), digits);
  return std::ldexp(rounds ? std::nearbyint(fraction) : std::trunc(fraction), exponent - digits);
}

/// The bits of an operand that a precision keeps at least.
static int digitsOf(tt::InputPrecision precision) {
  switch (precision) {
  case tt::InputPrecision::TF32:
    return 11;
  case tt::InputPrecision::TF32x3:
    return 21;
  case tt::InputPrecision::BF16x3:
    return 16;
  default:
    return 24;
  }
}

/// The operand as the variant has it.
static std::vector<double> operandOf(const Matrix &matrix, int digits, Variant variant) {
  std::vector<double> numbers = matrix.numbers;
  if (static_cast<int>(matrix.precision) > digits && matrix.precision == 24 &&
      (variant == Variant::Forward || variant == Variant::Backward))
    for (double &number : numbers)
      number = shorten(number, digits, variant == Variant::Backward);
  return numbers;
}

namespace {
/// One row of the result: the sums of a row of a with the columns of b.
struct RowSums {
  const double *row, *b;
  int64_t depth, columns;
  Variant variant;
  bool isSingle, isImprecise;

  void plain(std::vector<double> &sums) const {
    for (int64_t k = 0; k < depth; ++k)
      for (int64_t j = 0; j < columns; ++j)
        sums[j] += row[k] * b[k * columns + j];
  }

  /// Rounded to the accumulator after each product.
  void stepwise(std::vector<double> &sums) const {
    for (int64_t step = 0; step < depth; ++step) {
      const int64_t k = variant == Variant::Backward ? depth - 1 - step : step;
      for (int64_t j = 0; j < columns; ++j) {
        const double next = sums[j] + row[k] * b[k * columns + j];
        sums[j] = isSingle ? static_cast<double>(static_cast<float>(next)) : next;
        if (isImprecise && variant == Variant::Forward)
          sums[j] = shorten(sums[j], 14, false);
      }
    }
  }

  /// The accumulator is added last.
  void apart(std::vector<double> &sums) const {
    std::vector<double> products(sums.size());
    plain(products);
    for (int64_t j = 0; j < columns; ++j)
      sums[j] += isSingle ? static_cast<double>(static_cast<float>(products[j])) : products[j];
  }

  void run(std::vector<double> &sums) const {
    if (variant == Variant::Plain)
      plain(sums);
    else if (variant == Variant::Paired)
      apart(sums);
    else
      stepwise(sums);
  }
};
} // namespace

/// Undefined operands make their row or column of the result undefined.
static void spreadUndefined(const Matrix &a, const Matrix &b, Tensor &result) {
  auto isSet = [](const std::vector<uint8_t> &flags, int64_t i) {
    return !flags.empty() && flags[static_cast<size_t>(i)];
  };
  for (int64_t batch = 0; batch < a.batches; ++batch)
    for (int64_t i = 0; i < a.rows; ++i)
      for (int64_t k = 0; k < a.columns; ++k)
        if (isSet(a.undefined, (batch * a.rows + i) * a.columns + k))
          for (int64_t j = 0; j < b.columns; ++j)
            result.setUndefined((batch * a.rows + i) * b.columns + j);
  for (int64_t batch = 0; batch < a.batches; ++batch)
    for (int64_t j = 0; j < b.columns; ++j)
      for (int64_t k = 0; k < b.rows; ++k)
        if (isSet(b.undefined, (batch * b.rows + k) * b.columns + j))
          for (int64_t i = 0; i < a.rows; ++i)
            result.setUndefined((batch * a.rows + i) * b.columns + j);
}

TensorPtr interpret::multiplyAdd(Machine &machine, Operation *op, const Matrix &a, const Matrix &b,
                                 const Tensor &c, tt::InputPrecision precision) {
  auto result = std::make_shared<Tensor>(c.element, c.shape);
  result->undefined = c.undefined;
  const bool isFloat = isa<FloatType>(c.element);
  const unsigned width = widthOf(c.element);
  const Codec codec(isFloat ? c.element : Type(Float64Type::get(c.element.getContext())));
  const Variant variant = isFloat ? machine.launch.variant : Variant::Plain;
  const std::vector<double> left = operandOf(a, digitsOf(precision), variant),
                            right = operandOf(b, digitsOf(precision), variant);
  machine.spend(static_cast<uint64_t>(a.batches * a.rows * a.columns * b.columns) / 4, op);
  std::vector<double> sums(static_cast<size_t>(b.columns));
  for (int64_t row = 0; row < a.batches * a.rows; ++row) {
    const size_t first = static_cast<size_t>(row * b.columns);
    for (size_t j = 0; j < sums.size(); ++j)
      sums[j] = isFloat ? codec.decode(c.bits[first + j])
                        : static_cast<double>(signExtend(c.bits[first + j], width));
    RowSums{&left[static_cast<size_t>(row * a.columns)],
            &right[static_cast<size_t>(row / a.rows * b.rows * b.columns)],
            a.columns,
            b.columns,
            variant,
            width == 32 && isFloat,
            a.precision <= 4 && b.precision <= 4}
        .run(sums);
    for (size_t j = 0; j < sums.size(); ++j)
      result->bits[first + j] =
          isFloat ? codec.encode(sums[j])
                  : lowBits(static_cast<uint64_t>(static_cast<int64_t>(sums[j])), width);
  }
  spreadUndefined(a, b, *result);
  return result;
}

static void dot(Machine &machine, tt::DotOp op) {
  machine.set(op.getResult(), multiplyAdd(machine, op, Matrix(*machine.tensor(op.getA())),
                                          Matrix(*machine.tensor(op.getB())),
                                          *machine.tensor(op.getC()), op.getInputPrecision()));
}

static void dot(Machine &machine, tw::MemoryDotOp op) {
  machine.set(op.getResult(), multiplyAdd(machine, op, Matrix(*readView(machine.view(op.getA()))),
                                          Matrix(*readView(machine.view(op.getB()))),
                                          *machine.tensor(op.getC()), op.getInputPrecision()));
}

//===--------------------------------------------------------------------------===//
// Scales
//===--------------------------------------------------------------------------===//

/// The numbers of four bits, e2m1.
static double decodeE2M1(uint64_t bits) {
  static constexpr double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  return bits & 8 ? -magnitudes[bits & 7] : magnitudes[bits & 7];
}

/// The type of elements of this kind; null of those that are packed or have no type.
static Type elementTypeOf(tt::ScaleDotElemType kind, MLIRContext *context) {
  switch (kind) {
  case tt::ScaleDotElemType::E4M3:
    return Float8E4M3FNType::get(context);
  case tt::ScaleDotElemType::E5M2:
    return Float8E5M2Type::get(context);
  case tt::ScaleDotElemType::BF16:
    return BFloat16Type::get(context);
  case tt::ScaleDotElemType::FP16:
    return Float16Type::get(context);
  default:
    return nullptr;
  }
}

/// Two numbers of each byte, neighbours along dimension `axis`, the lower half first.
static Tensor unpack(const Tensor &packed, size_t axis, Type element) {
  SmallVector<int64_t> shape = packed.shape;
  shape[axis] *= 2;
  Tensor result(element, shape);
  const Codec codec(element);
  const auto inner = static_cast<size_t>(stridesOf(packed.shape)[axis]);
  for (size_t i = 0; i < packed.size(); ++i)
    for (size_t half = 0; half < 2; ++half) {
      const size_t to = (i / inner * 2 + half) * inner + i % inner;
      result.bits[to] = codec.encode(decodeE2M1(packed.bits[i] >> (4 * half)));
      if (packed.isUndefined(i))
        result.setUndefined(to);
    }
  return result;
}

static void unpack(Machine &machine, ttg::Fp4ToFpOp op) {
  machine.set(op.getResult(),
              std::make_shared<Tensor>(
                  unpack(*machine.tensor(op.getSrc()), op.getAxis(), elementOf(op.getType()))));
}

/// An operand of a scaled product; `kDim` is its summed dimension. Nothing where the elements are
/// of a kind that has no type.
static std::optional<Matrix> scaledOperand(const Tensor &given, tt::ScaleDotElemType kind,
                                           const Tensor *scale, size_t kDim, bool isPackedAlongK) {
  Tensor elements = given;
  MLIRContext *context = given.element.getContext();
  if (kind == tt::ScaleDotElemType::E2M1) {
    elements = unpack(given, isPackedAlongK ? kDim : 1 - kDim, Float16Type::get(context));
  } else if (Type type = elementTypeOf(kind, context)) {
    elements.element = type;
  } else {
    return std::nullopt;
  }
  Matrix matrix(elements);
  for (int64_t row = 0; scale && row < matrix.rows; ++row)
    for (int64_t column = 0; column < matrix.columns; ++column) {
      const int64_t k = kDim == 1 ? column : row, other = kDim == 1 ? row : column;
      const auto at = static_cast<size_t>(other * scale->shape[1] + k / 32);
      const uint64_t exponent = scale->bits[at] & 255;
      double &number = matrix.numbers[static_cast<size_t>(row * matrix.columns + column)];
      number =
          exponent == 255 ? std::nan("") : std::ldexp(number, static_cast<int>(exponent) - 127);
    }
  return matrix;
}

static void scaledDot(Machine &machine, tt::DotScaledOp op) {
  const TensorPtr aScale = op.getAScale() ? machine.tensor(op.getAScale()) : nullptr,
                  bScale = op.getBScale() ? machine.tensor(op.getBScale()) : nullptr;
  if (shapeOf(op.getType()).size() != 2)
    return machine.refuse(op, "of batches");
  const auto a = scaledOperand(*machine.tensor(op.getA()), op.getAElemType(), aScale.get(), 1,
                               op.getLhsKPack()),
             b = scaledOperand(*machine.tensor(op.getB()), op.getBElemType(), bScale.get(), 0,
                               op.getRhsKPack());
  if (!a || !b)
    return machine.refuse(op, "of elements of 6 bits");
  machine.set(op.getResult(), multiplyAdd(machine, op, *a, *b, *machine.tensor(op.getC()),
                                          tt::InputPrecision::IEEE));
}

void interpret::addProducts(Handlers &handlers) {
  handlers.add<tt::DotOp>(dot);
  handlers.add<tw::MemoryDotOp>(dot);
  handlers.add<tt::DotScaledOp>(scaledDot);
  handlers.add<ttg::Fp4ToFpOp>(unpack);
}

//===- Codec.cpp - Bits of elements as numbers ----------------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "interpret/Codec.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/DenseMap.h"

#include <bit>
#include <cmath>
#include <mutex>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::interpret;
using llvm::APFloat;

/// The numbers of all codes of a small type, made once.
static const std::vector<double> &tableOf(const llvm::fltSemantics &semantics, unsigned width) {
  static std::mutex mutex;
  static llvm::DenseMap<const llvm::fltSemantics *, std::unique_ptr<std::vector<double>>> tables;
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<std::vector<double>> &table = tables[&semantics];
  if (table)
    return *table;
  table = std::make_unique<std::vector<double>>(size_t(1) << width);
  for (size_t code = 0; code < table->size(); ++code) {
    APFloat value(semantics, llvm::APInt(width, code));
    bool loses;
    (void)value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    (*table)[code] = value.convertToDouble();
  }
  return *table;
}

Codec::Codec(Type type)
    : semantics(&cast<FloatType>(type).getFloatSemantics()), bitWidth(type.getIntOrFloatBitWidth()),
      digits(APFloat::semanticsPrecision(*semantics)) {
  if (bitWidth <= 16)
    table = &tableOf(*semantics, bitWidth);
}

double Codec::decode(uint64_t bits) const {
  if (table)
    return (*table)[bits & (table->size() - 1)];
  return bitWidth == 32 ? std::bit_cast<float>(static_cast<uint32_t>(bits))
                        : std::bit_cast<double>(bits);
}

static uint64_t convert(double value, const llvm::fltSemantics &semantics,
                        llvm::RoundingMode mode) {
  APFloat number(value);
  bool loses;
  (void)number.convert(semantics, mode, &loses);
  return number.bitcastToAPInt().getZExtValue();
}

uint64_t Codec::encode(double value) const {
  if (bitWidth == 64)
    return std::bit_cast<uint64_t>(value);
  if (bitWidth == 32)
    return std::bit_cast<uint32_t>(static_cast<float>(value));
  return convert(value, *semantics, APFloat::rmNearestTiesToEven);
}

uint64_t Codec::encodeTowardZero(double value) const {
  return convert(value, *semantics, APFloat::rmTowardZero);
}

uint64_t Codec::neighbour(uint64_t bits, int sign) const {
  const uint64_t magnitude = bits & ((uint64_t(1) << (bitWidth - 1)) - 1);
  if (sign < 0)
    return magnitude == 0 ? bits : bits - 1;
  return std::isfinite(decode(bits + 1)) ? bits + 1 : bits;
}

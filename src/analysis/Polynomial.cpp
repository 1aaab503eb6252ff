//===- Polynomial.cpp - Integers as polynomials of scalars --------------------===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#include "analysis/Polynomial.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::transform;

//===----------------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------------===//

// Kernels have constants for which 64 bits do not suffice, of hashes for instance. Coefficients are
// cut off to them, as the values are.

static int64_t wrappingSum(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}

static int64_t wrappingProduct(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

void Polynomial::add(Product product, int64_t coefficient) {
  if (coefficient == 0)
    return;
  auto [term, isNew] = terms.try_emplace(std::move(product), coefficient);
  if (!isNew && (term->second = wrappingSum(term->second, coefficient)) == 0)
    terms.erase(term);
}

Polynomial Polynomial::operator+(const Polynomial &other) const {
  Polynomial result = *this;
  for (const auto &[product, coefficient] : other.terms)
    result.add(product, coefficient);
  return result;
}

Polynomial Polynomial::operator*(const Polynomial &other) const {
  Polynomial result;
  for (const auto &[a, coefficientA] : terms)
    for (const auto &[b, coefficientB] : other.terms) {
      Product product = a;
      product.append(b);
      llvm::sort(product);
      result.add(std::move(product), wrappingProduct(coefficientA, coefficientB));
    }
  return result;
}

std::optional<int64_t> Polynomial::asConstant() const {
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.begin()->first.empty())
    return terms.begin()->second;
  return std::nullopt;
}

bool Polynomial::has(unsigned symbol) const {
  return !allSymbols([&](unsigned other) { return other != symbol; });
}

bool Polynomial::allSymbols(llvm::function_ref<bool(unsigned)> test) const {
  return llvm::all_of(terms, [&](const auto &term) { return llvm::all_of(term.first, test); });
}

Polynomial Polynomial::termsWith(llvm::function_ref<bool(unsigned)> test) const {
  Polynomial result;
  for (const auto &[product, coefficient] : terms)
    if (llvm::any_of(product, test))
      result.add(product, coefficient);
  return result;
}

Polynomial Polynomial::replace(unsigned symbol, const Polynomial &value) const {
  Polynomial result;
  for (const auto &[product, coefficient] : terms) {
    Polynomial term = coefficient;
    for (unsigned factor : product)
      term = term * (factor == symbol ? value : ofSymbol(factor));
    result = result + term;
  }
  return result;
}

Polynomial Polynomial::dividedBy(const Polynomial &term) const {
  Polynomial result;
  if (term.terms.size() != 1)
    return result;
  const auto &[divisor, divisorCoefficient] = *term.terms.begin();
  // The least integer has no quotient by -1.
  if (divisorCoefficient == -1)
    return (*this * -1).dividedBy(term * -1);
  for (const auto &[product, coefficient] : terms) {
    if (coefficient % divisorCoefficient != 0 ||
        !std::includes(product.begin(), product.end(), divisor.begin(), divisor.end()))
      continue;
    Product quotient;
    std::set_difference(product.begin(), product.end(), divisor.begin(), divisor.end(),
                        std::back_inserter(quotient));
    result.add(std::move(quotient), coefficient / divisorCoefficient);
  }
  return result;
}

bool Polynomial::isLarge() const {
  constexpr size_t maxTerms = 16, maxFactors = 3;
  return terms.size() > maxTerms ||
         llvm::any_of(terms, [](const auto &term) { return term.first.size() > maxFactors; });
}

//===----------------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------------===//

unsigned ScalarSymbols::get(Value value, bool isNonNegative) {
  auto [entry, isNew] = ofValue.try_emplace(value, symbols.size());
  if (isNew)
    symbols.push_back({value, {}, isNonNegative || axes.get(value).nonNegative});
  return entry->second;
}

unsigned ScalarSymbols::getIteration(scf::ForOp loop) {
  auto [entry, isNew] = ofLoop.try_emplace(loop.getInductionVar(), symbols.size());
  if (isNew)
    symbols.push_back({loop.getInductionVar(), loop, true});
  return entry->second;
}

bool ScalarSymbols::isMultiple(const Polynomial &polynomial, int64_t divisor) const {
  return llvm::all_of(polynomial.getTerms(), [&](const auto &term) {
    // The lowest set bits of factors add up.
    unsigned zeros = llvm::countr_zero(static_cast<uint64_t>(term.second));
    for (unsigned symbol : term.first)
      if (!getLoop(symbol))
        zeros +=
            llvm::countr_zero(static_cast<uint64_t>(axes.get(getValue(symbol)).divisorOfAll()));
    return zeros >= llvm::Log2_64(divisor);
  });
}

bool ScalarSymbols::isNonNegative(const Polynomial &polynomial) const {
  return llvm::all_of(polynomial.getTerms(), [&](const auto &term) {
    return term.second > 0 &&
           llvm::all_of(term.first, [&](unsigned symbol) { return symbols[symbol].isNonNegative; });
  });
}

bool ScalarSymbols::isKnownAt(const Polynomial &polynomial, Operation *op) const {
  DominanceInfo dominance;
  return polynomial.allSymbols([&](unsigned symbol) {
    if (scf::ForOp loop = getLoop(symbol))
      return loop->isProperAncestor(op);
    return dominance.properlyDominates(getValue(symbol), op);
  });
}

static Value castTo(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (value.getType().isIndex() || type.isIndex())
    return arith::IndexCastOp::create(builder, loc, type, value);
  const bool widens = value.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth();
  return widens ? arith::ExtSIOp::create(builder, loc, type, value).getResult()
                : arith::TruncIOp::create(builder, loc, type, value).getResult();
}

/// A symbol's value. A multiple of a loop's constant step is one of the index itself: then the
/// coefficient is divided by the step.
Value ScalarSymbols::emitSymbol(OpBuilder &builder, Location loc, unsigned symbol, Type type,
                                int64_t &coefficient) const {
  Value value = castTo(builder, loc, getValue(symbol), type);
  scf::ForOp loop = getLoop(symbol);
  if (!loop)
    return value;
  if (!matchPattern(loop.getLowerBound(), m_Zero()))
    value = builder.createOrFold<arith::SubIOp>(loc, value,
                                                castTo(builder, loc, loop.getLowerBound(), type));
  APInt step;
  const bool isConstant = matchPattern(loop.getStep(), m_ConstantInt(&step));
  if (isConstant && coefficient % step.getSExtValue() == 0) {
    coefficient /= step.getSExtValue();
    return value;
  }
  return arith::DivSIOp::create(builder, loc, value, castTo(builder, loc, loop.getStep(), type));
}

Value ScalarSymbols::emit(OpBuilder &builder, Location loc, const Polynomial &polynomial,
                          Type type) const {
  auto constant = [&](int64_t value) -> Value {
    const unsigned bits = type.getIntOrFloatBitWidth();
    return arith::ConstantOp::create(
        builder, loc,
        IntegerAttr::get(type, APInt(bits, static_cast<uint64_t>(value), /*isSigned=*/true,
                                     /*implicitTrunc=*/true)));
  };
  Value sum;
  for (const auto &[product, coefficient] : polynomial.getTerms()) {
    int64_t factor = coefficient;
    Value term;
    for (unsigned symbol : product) {
      Value value = emitSymbol(builder, loc, symbol, type, factor);
      term = term ? arith::MulIOp::create(builder, loc, term, value).getResult() : value;
    }
    if (!term)
      term = constant(factor);
    else if (factor != 1)
      term = arith::MulIOp::create(builder, loc, term, constant(factor));
    sum = sum ? arith::AddIOp::create(builder, loc, sum, term).getResult() : term;
  }
  return sum ? sum : constant(0);
}

//===- Polynomial.h - Integers as polynomials of scalars ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Where a tile begins in memory, and how many of its elements are in bounds, are sums of products
// of a kernel's scalars:
//
//     256 * pid * stride + 32 * i            i: the number of an iteration
//
// Such a sum is kept as its terms, so that one can be taken apart (which part is a multiple of a
// row's length?), and two can be found equal though they were computed in different ways. The
// scalars are symbols; a ScalarSymbols numbers them in the order in which they are met, so that
// results do not depend on addresses in memory.
//
// Arithmetic on indices is taken not to overflow, as the axis analysis does.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_ANALYSIS_POLYNOMIAL_H
#define TILEWRIGHT_ANALYSIS_POLYNOMIAL_H

#include "analysis/AxisInfo.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"

#include <map>

namespace tilewright::transform {

class Polynomial {
public:
  /// The symbols of a product, ascending; none for a constant.
  using Product = llvm::SmallVector<unsigned, 3>;

  Polynomial() = default;
  Polynomial(int64_t constant) { add({}, constant); }
  static Polynomial ofSymbol(unsigned symbol) {
    Polynomial result;
    result.add({symbol}, 1);
    return result;
  }

  Polynomial operator+(const Polynomial &other) const;
  Polynomial operator-(const Polynomial &other) const { return *this + other * -1; }
  Polynomial operator*(const Polynomial &other) const;
  friend bool operator==(const Polynomial &, const Polynomial &) = default;

  bool isZero() const { return terms.empty(); }
  /// Its value, if it has no symbols.
  std::optional<int64_t> asConstant() const;
  bool has(unsigned symbol) const;
  /// Whether all of its symbols pass.
  bool allSymbols(llvm::function_ref<bool(unsigned)> test) const;
  /// The terms with a symbol that passes.
  Polynomial termsWith(llvm::function_ref<bool(unsigned)> test) const;
  /// With `value` for the symbol.
  Polynomial replace(unsigned symbol, const Polynomial &value) const;
  /// The quotient by a single term: of those terms that are multiples of it. The others are the
  /// rest. Of a sum the quotient is 0.
  Polynomial dividedBy(const Polynomial &term) const;

  const std::map<Product, int64_t> &getTerms() const { return terms; }
  /// More than anybody would write; such a polynomial is better a symbol.
  bool isLarge() const;

private:
  void add(Product product, int64_t coefficient);
  std::map<Product, int64_t> terms;
};

/// The scalars of a function.
class ScalarSymbols {
public:
  explicit ScalarSymbols(const AxisInfoAnalysis &axes) : axes(axes) {}

  /// A value that is an integer; whoever knows that it is not negative may say so.
  unsigned get(mlir::Value value, bool isNonNegative = false);
  /// The number of an iteration of `loop`, from 0 on.
  unsigned getIteration(mlir::scf::ForOp loop);

  /// The loop whose iterations the symbol counts; null for a value.
  mlir::scf::ForOp getLoop(unsigned symbol) const { return symbols[symbol].loop; }
  /// The value; of an iteration its loop's index.
  mlir::Value getValue(unsigned symbol) const { return symbols[symbol].value; }

  /// Whether it is known that all values of the polynomial are multiples of `divisor`, a power of
  /// two; that none is negative.
  bool isMultiple(const Polynomial &polynomial, int64_t divisor) const;
  bool isNonNegative(const Polynomial &polynomial) const;
  /// Whether the polynomial can be computed at `op`.
  bool isKnownAt(const Polynomial &polynomial, mlir::Operation *op) const;

  /// The polynomial as an integer of `type`, whose bits it is cut off to. Iterations are those of
  /// the loops that the builder is in.
  mlir::Value emit(mlir::OpBuilder &builder, mlir::Location loc, const Polynomial &polynomial,
                   mlir::Type type) const;

private:
  struct Symbol {
    mlir::Value value;
    mlir::scf::ForOp loop;
    bool isNonNegative;
  };
  mlir::Value emitSymbol(mlir::OpBuilder &builder, mlir::Location loc, unsigned symbol,
                         mlir::Type type, int64_t &coefficient) const;

  const AxisInfoAnalysis &axes;
  llvm::SmallVector<Symbol> symbols;
  llvm::DenseMap<mlir::Value, unsigned> ofValue, ofLoop;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_ANALYSIS_POLYNOMIAL_H

//===- ProductBuilder.h - Products as ops of their units ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The op of a product, and of what brings its operands to their places, follow from who issues the
// instruction and where it has A, B and D:
//
//     issuer      A          B          D          op
//     warp        registers  registers  registers  tt.dot
//     warp group  registers  shared     registers  ttng.warp_group_dot
//     warp group  shared     shared     registers  ttng.warp_group_dot
//     block       shared     shared     tensor     tw.memory_dot
//
//     an operand in registers   ttg.convert_layout to a #ttg.dot_op
//     an operand in shared      ttg.local_alloc, and ttg.memdesc_trans if it lies the other way
//
// Passes that choose an instruction ask for its product here, and none asks who issues it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_TRANSFORM_MATRIX_PRODUCTBUILDER_H
#define TILEWRIGHT_TRANSFORM_MATRIX_PRODUCTBUILDER_H

#include "ir/ttg/Dialect.h"
#include "target/Target.h"

namespace tilewright::transform {

/// Who issues the instruction of a product, and where it has its operands and its result.
struct ProductForm {
  target::Issuer issuer = target::Issuer::Warp;
  target::Space a = target::Space::Registers, b = target::Space::Registers,
                d = target::Space::Registers;
  /// The rows and the columns of an instruction's result, where the op says them.
  unsigned m = 0, n = 0;

  explicit ProductForm(const target::MmaAtom &atom)
      : issuer(atom.issuer), a(atom.aOperand.space), b(atom.bOperand.space),
        d(atom.accumulatorOperand.space), m(atom.m), n(atom.n) {}
  ProductForm(target::Issuer issuer, target::Space a, target::Space b, target::Space d)
      : issuer(issuer), a(a), b(b), d(d) {}

  /// Whether an op computes products of this form.
  bool hasOp() const;
};

/// A matrix, [m, k] or [k, n], that is an operand of a product: what is loaded, and whether it is
/// turned round after that.
struct ProductOperand {
  mlir::Value value;
  bool isTransposed = false;
  /// Neighbours along the last dimension of `value` are neighbours in memory.
  bool isLastContiguous = true;
};

/// The numbers of the `tt.dot` that the op of a product computes.
struct ProductPrecision {
  tt::InputPrecision input = tt::InputPrecision::IEEE;
  uint32_t maxNumImpreciseAcc = 0;
};

class ProductBuilder {
public:
  /// For products of `form`, which has an op, with results in the layout `encoding`. `kWidth` is
  /// the number of elements along K that a thread has side by side in registers.
  ProductBuilder(mlir::OpBuilder &builder, mlir::Location loc, ProductForm form,
                 mlir::Attribute encoding, unsigned kWidth);

  /// A (`index` 0) or B (1) where the instruction has it.
  mlir::Value createOperand(const ProductOperand &operand, unsigned index);
  /// A * B + `c`, whose type is the result's. `a` and `b` are where the instruction has them.
  mlir::Value createProduct(mlir::Value a, mlir::Value b, mlir::Value c,
                            ProductPrecision precision);

private:
  mlir::Value convert(mlir::Value value, unsigned index);
  mlir::Value allocate(const ProductOperand &operand);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  ProductForm form;
  mlir::Attribute encoding;
  unsigned kWidth;
};

} // namespace tilewright::transform

#endif // TILEWRIGHT_TRANSFORM_MATRIX_PRODUCTBUILDER_H

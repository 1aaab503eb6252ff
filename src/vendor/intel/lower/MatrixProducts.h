//===- MatrixProducts.h - Sub-groups' matrix products on Intel's GPUs -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// DPAS, as the OpenCL extension cl_intel_subgroup_matrix_multiply_accumulate has it for devices
// whose smallest sub-groups have 16 lanes: one function for the types of A and B, overloaded for
// the number of rows. `T` is a scalar for one row, else a vector of as many as there are rows:
//
//     operands    function, without "intel_sub_group_"    A         B       C and D
//     f16         f16_f16_matrix_mad_k16                  T short   int8    T float, T half
//     bf16        bf16_bf16_matrix_mad_k16                T short   int8    T float, T short
//     tf32        tf32_tf32_matrix_mad_k8                 T/2 float float8  T float
//     s8, u8      i8_u8_matrix_mad_k32, ..                T short   int8    T int
//
// A and B of u8 are unsigned short and unsigned int. A lane's elements of A and B are packed in the
// order of the atom's registers. Kernels have to be for sub-groups of 16.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_LOWER_MATRIXPRODUCTS_H
#define TILEWRIGHT_VENDOR_INTEL_LOWER_MATRIXPRODUCTS_H

#include "lower/core/TargetLowering.h"

#include <string>

namespace tilewright::lower::intel {

/// A function by its name and the types of its parameters, A, B and C, as the Itanium C++ ABI
/// mangles them: "Dv8_sDv8_iDv8_f".
struct DpasFunction {
  std::string name, parameters;

  /// Both together: "_Z38intel_sub_group_f16_f16_matrix_mad_k16Dv8_sDv8_iDv8_f".
  std::string mangled() const;
};

/// The function that is `atom`.
DpasFunction getDpasFunction(const target::MmaAtom &atom);

// MatrixUnits (lower/core/TargetLowering.h) for these; a fragment is one value.
mlir::Value packDpasFragment(mlir::OpBuilder &builder, mlir::Location loc,
                             const target::MmaAtom &atom, ProductOperand operand,
                             mlir::ValueRange registers);
llvm::SmallVector<mlir::Value> unpackDpasFragment(mlir::OpBuilder &builder, mlir::Location loc,
                                                  mlir::Value fragment);
mlir::Value emitDpas(mlir::OpBuilder &builder, mlir::Location loc, const target::MmaAtom &atom,
                     mlir::Value a, mlir::Value b, mlir::Value c);

} // namespace tilewright::lower::intel

#endif // TILEWRIGHT_VENDOR_INTEL_LOWER_MATRIXPRODUCTS_H

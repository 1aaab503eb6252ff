//===- Builtins.h - OpenCL and SPIR-V built-in functions ------------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// LLVM's SPIR-V back end knows instructions by the names that functions of OpenCL C, and functions
// called like instructions, have in the Itanium C++ ABI: "_Z12get_local_idj" is
// get_local_id(unsigned), "_Z22__spirv_ControlBarrierjjj" is OpControlBarrier. All that a kernel
// calls is made here. Those are:
//
//   get_local_id, get_group_id, get_num_groups (j), which give an i64
//   __spirv_ControlBarrier (jjj)
//   intel_sub_group_shuffle (ij), intel_sub_group_shuffle_xor (ij)
//   sub_group_reduce_add, _min, _max (i, f; j for the unsigned min and max)
//   mul_hi (ii, jj, ll, mm)
//   the products of matrices of MatrixProducts.h
//   intel_sub_group_2d_block_* (vendor/intel/plan/BlockFunctions.h)
//   printf (PU3AS2Kcz, a pointer to address space 2 and what the format says)
//   the functions of floats that MathFunctions.cpp lists (f, d; a count is i)
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_LOWER_BUILTINS_H
#define TILEWRIGHT_VENDOR_INTEL_LOWER_BUILTINS_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tilewright::lower::intel {

/// The memory effects that optimizers may assume of a call.
enum class Effect {
  /// Like an operator: the result depends on the operands (and the thread) alone.
  None,
  /// The lanes of a sub-group exchange values: no branch may come around it.
  Exchange,
  /// Orders accesses to memory, in the same way.
  Barrier,
  /// The lanes of a sub-group move data together between the memory of two pointers, or from one
  /// into a cache.
  Message,
  /// Does what others see.
  Output,
};

/// Calls the built-in function `name`, whose operands have the types that `letters` says, one each
/// (i and j for a signed and an unsigned i32, l and m for an i64, s and t for an i16, f, d, Dh for
/// a half, Dv8_ before one for a vector of eight). Without `result` it has none.
mlir::LLVM::CallOp callBuiltin(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name,
                               llvm::StringRef letters, mlir::Type result,
                               mlir::ValueRange operands, Effect effect);

/// Calls printf: `format` is C's, of values that were promoted as C does it.
void callPrintf(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef format,
                mlir::ValueRange values);

} // namespace tilewright::lower::intel

#endif // TILEWRIGHT_VENDOR_INTEL_LOWER_BUILTINS_H

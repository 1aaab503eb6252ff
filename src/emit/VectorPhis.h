//===- VectorPhis.h - Vectors that loops carry, in one piece --------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Sums of matrix products are vectors, which loops carry element by element:
//
//     %p0 = phi float [ 0.0, .. ], [ %d0, .. ]       ; %d0 = extractelement <8 x float> %d, 0
//     ..
//     insertelement .., %p0, ..                      ; operand C of the next product
//
// A vector is a range of neighbouring registers to the driver's compiler, a phi another register:
// each sum would be there twice, and be copied in every iteration.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_EMIT_VECTORPHIS_H
#define TILEWRIGHT_EMIT_VECTORPHIS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Joins phis that get the elements of one vector from some predecessor, all of them, to one phi of
/// the vector, and drops vectors that are put together of all elements of another one in their
/// order.
void joinVectorPhis(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_EMIT_VECTORPHIS_H

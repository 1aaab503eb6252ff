//===- EdgeValues.h - Values that one way out of a block wants -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Where a loop over tiles has two versions, the slower one takes addresses of 64 bits that are
// computed in front of both. LLVM moves the lanes' part of them behind the branch, but not what is
// in scalar registers, as additions of 64 bits write the condition code.
//
//     p = b + row                           br fits, fast, edge
//     br fits, fast, slow              =>   edge: p = b + row; br slow
//     slow: q = phi [p, ..], ..             slow: q = phi [p, ..], ..
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_PRODUCTS_EDGEVALUES_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_PRODUCTS_EDGEVALUES_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// In a `function` with matrix instructions, gives an edge that leads on from a block without them
/// a block of its own for what this one computes for the edge's phis alone, if these are more
/// values than the `scalarRegisters` that a wave has.
void computeOnEdges(llvm::Function &function, unsigned scalarRegisters);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_PRODUCTS_EDGEVALUES_H

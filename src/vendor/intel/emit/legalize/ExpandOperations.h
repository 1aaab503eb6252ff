//===- ExpandOperations.h - Expansion of operations that OpenCL SPIR-V lacks -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// LLVM's SPIR-V back end has no instruction for some operations of LLVM IR, and for others one that
// promises less:
//
//   fdiv, llvm.sqrt of f32      OpFDiv and OpenCL's sqrt may be off by 2.5 and 3 units in the last
//   without the flag afn        place; computed in f64, where both round correctly
//   llvm.minimum, maximum       become fmin and fmax, which ignore a NaN
//   llvm.minimumnum, maximumnum are fmin and fmax
//   llvm.fshl, fshr             become functions that shift by all bits, which is undefined
//   llvm.bitreverse             OpBitReverse is for other environments
//   llvm.[us](add|sub).with.overflow
//   llvm.exp10, llvm.ldexp      OpenCL's functions, which the back end knows by their names only
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_EXPANDOPERATIONS_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_EXPANDOPERATIONS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Replaces those operations in `function`.
void expandOperations(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_EXPANDOPERATIONS_H

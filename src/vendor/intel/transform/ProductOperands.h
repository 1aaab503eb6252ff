//===- ProductOperands.h - Operands that are computed from loads ----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An operand that is not loaded as it is - 8-bit floats, numbers of four bits that are taken out of
// bytes, scaled ones - is computed in the layout of its load and converted then:
//
//     load -> arithmetic, join, reshape -> convert_layout to the operand's layout -> dot
//
// Messages bring what is loaded in any layout that a rename of registers makes of theirs. So the
// conversion moves to the load, where it is one of narrower numbers, and becomes the message's.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_TRANSFORM_PRODUCTOPERANDS_H
#define TILEWRIGHT_VENDOR_INTEL_TRANSFORM_PRODUCTOPERANDS_H

#include "ir/ttg/Dialect.h"
#include "llvm/ADT/DenseSet.h"

namespace tilewright::vendor::intel {

/// Computes operands of DPAS in their own layouts, from conversions of what is loaded, where
/// `isServed` says of each load that messages bring it in the type. Such types.
llvm::DenseSet<mlir::Type>
computeAsOperands(mlir::ModuleOp module,
                  llvm::function_ref<bool(tt::LoadOp, mlir::RankedTensorType)> isServed);

} // namespace tilewright::vendor::intel

#endif // TILEWRIGHT_VENDOR_INTEL_TRANSFORM_PRODUCTOPERANDS_H

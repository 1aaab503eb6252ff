//===- CooperativeMatrices.h - Matrices of SPV_KHR_cooperative_matrix -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A matrix of the extension SPV_KHR_cooperative_matrix is one value of all lanes of a sub-group.
// The driver chooses which lane has what, and has few shapes: those of the products that its
// hardware does. So a matrix can be one only if all it meets - its loads, products, stores, and
// what a loop or a branch passes on - are instructions of the extension.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_TRANSFORM_COOPERATIVEMATRICES_H
#define TILEWRIGHT_VENDOR_INTEL_TRANSFORM_COOPERATIVEMATRICES_H

#include "target/Target.h"

#include "mlir/IR/BuiltinOps.h"

namespace tilewright::vendor::intel {

/// Makes those `tw.coopmatrix` values that may be matrices of the extension such: values of
/// !llvm.target<"spirv.CooperativeMatrixKHR", ..>, and calls of the functions that LLVM's SPIR-V
/// back end knows as its instructions. Of each group of values with a product that stays, a remark
/// says why. Whether there was one to change.
bool useCooperativeMatrices(mlir::ModuleOp module, const target::Target &target);

} // namespace tilewright::vendor::intel

#endif // TILEWRIGHT_VENDOR_INTEL_TRANSFORM_COOPERATIVEMATRICES_H

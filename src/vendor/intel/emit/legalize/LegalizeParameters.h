//===- LegalizeParameters.h - Parameter types of OpenCL kernels -----*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_LEGALIZEPARAMETERS_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_LEGALIZEPARAMETERS_H

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::emit {

/// Makes bytes of the parameters of kernels that are i1, of which the lowest bit counts: a kernel
/// of OpenCL takes no booleans, as these have no size in memory (OpenCL SPIR-V Environment
/// Specification, "Kernels").
void legalizeParameters(llvm::Module &module);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_LEGALIZEPARAMETERS_H

//===- ExtensionInstructions.h - Instructions of Intel's extensions -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The products of vendor/intel/lower/MatrixProducts.h are functions that the driver's compiler
// knows by their names: to SPIR-V they are functions of another module. With the extension
// SPV_INTEL_subgroup_matrix_multiply_accumulate they are one instruction,
//
//     OpSubgroupMatrixMultiplyAccumulateINTEL  type, K, A, B, C, flags
//
// whose flags say what the integers are that A, B, C and the result are passed as.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_EXTENSIONINSTRUCTIONS_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_EXTENSIONINSTRUCTIONS_H

#include "target/Atom.h"

#include <cstdint>

namespace llvm {
class Module;
} // namespace llvm

namespace tilewright::emit {

/// The flags of the instruction that is `atom` ("Matrix Multiply Accumulate Operands").
uint32_t getMatrixOperandFlags(const target::MmaAtom &atom);

/// Calls these functions as the back end knows the instruction:
/// __spirv_SubgroupMatrixMultiplyAccumulateINTEL.
void useExtensionInstructions(llvm::Module &module);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_LEGALIZE_EXTENSIONINSTRUCTIONS_H

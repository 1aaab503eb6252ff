//===- SumRegisters.h - Registers for the sums of products ----------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// CDNA's matrix instructions add in any of a lane's 512 registers, of which arithmetic reaches 256.
// Unless it is told that a kernel takes none of the others, LLVM 22 has sums in these, and where a
// loop carries them, copies each of them in every iteration: in matmul_f16 of bench/cases.py 128 of
// 234 instructions.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_SUMREGISTERS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_SUMREGISTERS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Says of a kernel with MFMA that it takes no accumulation registers, where all sums that are
/// alive at one time fit into `registers` of 32 bits of a lane.
void keepSumsInVectorRegisters(llvm::Function &function, unsigned registers);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_MATRIX_SUMREGISTERS_H

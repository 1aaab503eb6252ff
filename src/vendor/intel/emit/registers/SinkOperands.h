//===- SinkOperands.h - Operands next to the products that take them -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A tile's operands are loaded before its first product. Of a tile of 128 x 256 x 64 in f16 and 16
// sub-groups these are 192 registers of 64 bytes beside the 128 of the sums, of 256. The products
// of one k need 48 of them: with their loads just before them the others are not there yet.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_INTEL_EMIT_REGISTERS_SINKOPERANDS_H
#define TILEWRIGHT_VENDOR_INTEL_EMIT_REGISTERS_SINKOPERANDS_H

namespace llvm {
class Function;
} // namespace llvm

namespace tilewright::emit {

/// Moves what operands A and B of matrix products are made of, by their block's loads and
/// arithmetic on nothing but what these give, down to the first product that takes them. Loads do
/// not move past what may write memory.
void sinkProductOperands(llvm::Function &function);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_INTEL_EMIT_REGISTERS_SINKOPERANDS_H

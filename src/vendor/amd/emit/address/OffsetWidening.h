//===- OffsetWidening.h - Offsets widened where they are used -------*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// An access takes a base in scalar registers and an offset of 32 bits in a vector register.
// Instruction selection looks at one block at a time, and there has to see that the offset is one
// of 32 bits:
//
//     %wide = zext i32 %offset to i64
//     %address = getelementptr i8, ptr addrspace(1) %base, i64 %wide
//
// LLVM's code generator moves %wide, which stays, out of the loop in which the base moves on. The
// address is then a sum of 64 bits in each iteration, and %wide takes two registers. If what moves
// on is a number that is added to the base, it moves the sum of the base and %wide as well. Of an
// access to a buffer it moves the sum of offset and constant, which then is no part of it.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_OFFSETWIDENING_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_OFFSETWIDENING_H

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace tilewright::emit {

/// A pass that widens offsets of global memory in the blocks of their addresses, and adds them to
/// what is in scalar registers there, and constants to offsets into buffers.
llvm::FunctionPass *createOffsetWideningPass();

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_OFFSETWIDENING_H

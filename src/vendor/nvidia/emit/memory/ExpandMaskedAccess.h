//===- ExpandMaskedAccess.h - Expansion of masked accesses into predicated PTX -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// `llvm.masked.load` and `llvm.masked.store` are what the compiler keeps tile accesses in
// for as long as it can: the optimiser knows them and the simulator runs them. NVPTX has
// no instructions for them and would make a branch of each element. PTX has predicates:
//
//   %v = masked.load <4 x float> (%p + 512 bytes), splat %m, zeroinitializer
//
// becomes
//
//   mov.b32 %a, 0x0; ... mov.b32 %d, 0x0;
//   @%m ld.global.v4.b32 {%a, %b, %c, %d}, [%p + 512];
//
// Branches would cost more than their own instructions: the assembler keeps at most the
// loads of one basic block in flight.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_EXPANDMASKEDACCESS_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_EXPANDMASKEDACCESS_H

namespace llvm {
class Function;
class FunctionPass;
} // namespace llvm

namespace tilewright::emit {

/// Replaces the masked loads and stores of `function` in the generic, global and shared
/// address spaces. Lanes that share their mask become one predicated access of at most 16
/// bytes (`maxGlobalBytes` in the global address space), as wide as the alignment allows; lanes
/// that are known to be on or off become plain accesses or nothing. `nontemporal` metadata becomes
/// the cache operator `.cs`. What PTX cannot do so (elements of odd sizes or below their natural
/// alignment) is left for LLVM to make branches of. Returns whether anything was changed.
bool expandMaskedAccesses(llvm::Function &function, unsigned maxGlobalBytes);

/// The same as a pass for the code generator's pass manager.
llvm::FunctionPass *createExpandMaskedAccessPass(unsigned maxGlobalBytes);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_EXPANDMASKEDACCESS_H

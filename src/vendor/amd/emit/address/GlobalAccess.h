//===- GlobalAccess.h - Global memory accesses in a form that suits AMDGPU -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// A buffer instruction takes a descriptor in scalar registers (base address, size) and an
// offset in a vector register, and does nothing in lanes whose offset is not below the size: a
// load gives 0 there. So a masked access needs no branch:
//
//     %v = masked.load <4 x float> (%base + %offset + 512 bytes), splat %m, zeroinitializer
//
// becomes
//
//   v_cndmask_b32 v0, 0x80000000, v0, vcc_lo
//   buffer_load_b128 v[4:7], v0, s[0:3], 0 offen offset:512
//
// with a descriptor of 2^31 bytes from %base, whatever the tensor's size is: what it bounds is the
// offset from a base that moves with the program and the loop, which AddressSplitter finds. Loads
// that stand next to each other are in flight together.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_GLOBALACCESS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_GLOBALACCESS_H

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm
namespace tilewright::target {
struct Target;
} // namespace tilewright::target

namespace tilewright::emit {

/// Makes buffer accesses of the masked loads and stores of `function` in global memory that have
/// one mask for all elements, of 1, 2, 4, 8, 12 or 16 bytes, and whose addresses can be split; and
/// gives other accesses whose addresses can be split the form scalar base + 32-bit offset +
/// constant that the instructions for global memory have. Where lanes have a large part of their
/// own - a row's number times the row's length - that is added last, so that accesses of several
/// rows share the sum of the others. Other masked accesses stay. `target` is a "hip" one, `machine`
/// a code generator for it.
void legalizeGlobalAccesses(llvm::Function &function, const target::Target &target,
                            llvm::TargetMachine &machine);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_GLOBALACCESS_H

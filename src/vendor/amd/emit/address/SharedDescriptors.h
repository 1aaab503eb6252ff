//===- SharedDescriptors.h - One buffer for neighbouring addresses --*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The rows of a tile whose strides are numbers lie at addresses that differ in a constant:
//
//     %0 = or disjoint i32 %block, 2        %1 = or disjoint i32 %block, 4      ; rows
//     %p0 = x + 128 * sext(%0)              %p1 = x + 128 * sext(%1)
//     %d0 = make.buffer.rsrc(%p0, ..)       %d1 = make.buffer.rsrc(%p1, ..)
//
// becomes one descriptor, of x + 128 * sext(%block), and offsets 256 and 512 of the instructions.
// Unrolled loops over such tiles have thousands of accesses. With a descriptor for each, scalar
// arithmetic is most of the code, and what is kept of it takes more scalar registers than there
// are.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_SHAREDDESCRIPTORS_H
#define TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_SHAREDDESCRIPTORS_H

namespace llvm {
class Function;
} // namespace llvm
namespace tilewright::target {
struct Target;
} // namespace tilewright::target

namespace tilewright::emit {

/// Gives buffer accesses of `function` whose bases differ in a constant one descriptor, where that
/// saves several and few are left: each lives from its base to the last access, in four scalar
/// registers. Descriptors are those of legalizeGlobalAccesses. `target` is a "hip" one.
void shareDescriptors(llvm::Function &function, const target::Target &target);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_AMD_EMIT_ADDRESS_SHAREDDESCRIPTORS_H

//===- ExpandAtomics.h - Expansion of atomics into predicated PTX ---*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// Up to here an atomic operation is LLVM's `atomicrmw` or `cmpxchg`, with a branch around it
// where only some threads or elements take part: the optimiser knows them and the
// simulator runs them. NVPTX drops the memory order and the scope of `atomicrmw`, makes
// compare-and-swap loops of vectors, and keeps the branches. PTX has all of it in one
// instruction:
//
//     br i1 %m, label %do, label %next
//   do:
//     %old = atomicrmw fadd ptr addrspace(1) %p, <2 x half> %v syncscope("device") acq_rel
//     br label %next
//
// becomes
//
//   @%m atom.acq_rel.gpu.global.add.noftz.f16x2 %old, [%p], %v;
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_EXPANDATOMICS_H
#define TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_EXPANDATOMICS_H

namespace llvm {
class Function;
} // namespace llvm
namespace tilewright::target {
struct Target;
} // namespace tilewright::target

namespace tilewright::emit {

/// Replaces the atomic operations of `function` that `target`, a "cuda" one, has an instruction
/// for. A vector is one instruction that is atomic for each of its elements, which is what tiles
/// mean by it. Branches around blocks of nothing but such operations become predicates. What PTX
/// has no instruction for (additions of bfloat16 before compute capability 9.0, most of 8 and 16
/// bits) is left for LLVM to make compare-and-swap loops of. Returns whether anything was changed.
bool expandAtomics(llvm::Function &function, const target::Target &target);

} // namespace tilewright::emit

#endif // TILEWRIGHT_VENDOR_NVIDIA_EMIT_MEMORY_EXPANDATOMICS_H

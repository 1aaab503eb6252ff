//===- Attributes.h - Names of attributes of modules, loops and ops -*- C++ -*-===//
//
// Part of Tilewright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------===//
//
// The attributes by which passes tell later ones something of a module, a loop or an op. Those of
// arguments and pointers are in analysis/AxisInfo.h, those of descriptors in
// ir/tt/DescriptorArguments.h. docs/ir.md says which are Triton's.
//
//===--------------------------------------------------------------------------===//

#ifndef TILEWRIGHT_IR_TTG_ATTRIBUTES_H
#define TILEWRIGHT_IR_TTG_ATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace tilewright::ttg {

//===--------------------------------------------------------------------------===//
// Modules
//===--------------------------------------------------------------------------===//

inline constexpr llvm::StringLiteral numWarpsAttrName = "ttg.num-warps";
inline constexpr llvm::StringLiteral totalNumWarpsAttrName = "ttg.total-num-warps";
inline constexpr llvm::StringLiteral threadsPerWarpAttrName = "ttg.threads-per-warp";
inline constexpr llvm::StringLiteral numCTAsAttrName = "ttg.num-ctas";
inline constexpr llvm::StringLiteral targetAttrName = "ttg.target";
inline constexpr llvm::StringLiteral sharedBytesAttrName = "ttg.shared";
/// The global memory that a launch sets aside for each program, in bytes (i32).
inline constexpr llvm::StringLiteral globalScratchBytesAttrName = "ttg.global_scratch_memory_size";
/// LaunchOptions::maxRegisters, an i32.
inline constexpr llvm::StringLiteral maxRegistersAttrName = "ttg.maxnreg";
/// The stages of each loop whose loads copies can make, an array of i32; 1 if the iterations of one
/// do not overlap.
inline constexpr llvm::StringLiteral loopStagesAttrName = "ttg.loop-stages";

//===--------------------------------------------------------------------------===//
// Loops
//===--------------------------------------------------------------------------===//

/// In how many stages the loads and the arithmetic of a loop overlap: an integer, 1 for not at all.
inline constexpr llvm::StringLiteral numStagesAttrName = "tt.num_stages";
/// The iterations that are to run at once, an integer.
inline constexpr llvm::StringLiteral unrollFactorAttrName = "tt.loop_unroll_factor";
/// Whether a loop and the one around it are to become one, a unit attribute.
inline constexpr llvm::StringLiteral flattenAttrName = "tt.flatten";
/// Marks of the source for accumulators of several buffers and for specialised warps.
inline constexpr llvm::StringLiteral noAccumulatorBuffersAttrName = "tt.disallow_acc_multi_buffer";
inline constexpr llvm::StringLiteral warpSpecializeAttrName = "tt.warp_specialize";
/// The number of the last stage of a loop that has a schedule.
inline constexpr llvm::StringLiteral maxStageAttrName = "tt.scheduled_max_stage";
/// The stages of a loop whose loads copies can make, by the shared memory there is; 1 if for one.
inline constexpr llvm::StringLiteral assignedStagesAttrName = "tt.assigned_stages";
/// A unit attribute of loops that compute a part of a product each (tilewright-split-accumulators).
inline constexpr llvm::StringLiteral partAttrName = "tw.part";

//===--------------------------------------------------------------------------===//
// Ops
//===--------------------------------------------------------------------------===//

// Of the ops of a loop, loads and products alike: the iterations between one and its users; its
// stage and cluster.
inline constexpr llvm::StringLiteral latencyAttrName = "tt.latency";
/// On a product that completes later than it is issued, an i32: 0 if it is complete when the ops
/// after it begin, 1 if it may run on into the next iteration.
inline constexpr llvm::StringLiteral selfLatencyAttrName = "tt.self_latency";
inline constexpr llvm::StringLiteral stageAttrName = "loop.stage";
inline constexpr llvm::StringLiteral clusterAttrName = "loop.cluster";

/// On an op that needs shared memory: the byte at which its scratch begins.
inline constexpr llvm::StringLiteral allocationOffsetAttrName = "allocation.offset";
/// On a ttg.convert_layout, an integer: the bytes of shared memory that its scratch may take
/// instead of those that plans stay within where they can, because the kernel has them anyway.
inline constexpr llvm::StringLiteral scratchRoomAttrName = "allocation.room";
/// On a tt.load and the ttg.convert_layout of its result: the registers that the lowered load
/// gives are those of the conversion's result.
inline constexpr llvm::StringLiteral transposingAttrName = "ttg.transposing";

/// On a tt.load, tt.store or tt.atomic_rmw of a tensor: array<i32: dimension, elements>, see
/// createSetAccessWidthPass.
inline constexpr llvm::StringLiteral accessWidthAttrName = "ttg.access_width";
/// On a tt.load or tt.store of a tensor whose accesses take one element each: an i32, the bytes to
/// which each pointer is aligned, where that is more than the element's size. The back end may
/// then join the access with those of the bytes after it. On a load or store of a cooperative
/// matrix whose columns are neighbours in memory: the bytes to which its part of each row is
/// aligned.
inline constexpr llvm::StringLiteral accessAlignmentAttrName = "ttg.access_alignment";
/// On an op with one tensor as its result: array<i32: one number a dimension>. In each aligned
/// group of as many elements along the dimension all elements are the same.
inline constexpr llvm::StringLiteral constancyAttrName = "ttg.constancy";
/// On a lowered access to memory, a string: how it uses the caches, by the name of
/// tt::CacheModifier or tt::EvictionPolicy. A hint, which every target is free to ignore.
inline constexpr llvm::StringLiteral cachePolicyAttrName = "ttg.cache_policy";

} // namespace tilewright::ttg

#endif // TILEWRIGHT_IR_TTG_ATTRIBUTES_H
